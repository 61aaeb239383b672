"""Keys, pastes and clicks that come together: each finds what the one before it opened, and a dialog answers once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Button, Input

from tests.llm.fakes.fake_server import stream
from tests.screens.asking import asked
from tests.screens.driving import (
    add_files,
    keep_clips,
    opened,
    shows,
    table,
    toasts,
    type_at_once,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tui.app import LodeApp
from tui.config import Settings
from tui.records.pages import Page
from tui.screens.forms.clip_form import ClipForm
from tui.screens.lists.clips import ClipsScreen
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.widgets.chrome.top_line import TopLine
from tui.widgets.forms.text_area_field import TextField

CLIPS = {"Zug": "Der Zug hat Verspätung.", "Haus": "Das Haus ist alt.", "Tag": "Guten Tag."}


async def settled(pilot: Pilot[None]) -> None:
    """Nothing is at work any more, so that what should not happen has had its chance."""
    for _ in range(2):
        await pilot.pause()
        await pilot.app.workers.wait_for_complete(
            [worker for worker in pilot.app.workers if worker.group in ("delete", "export", "add", "clip", "save")]
        )
        await pilot.pause()


@pytest.mark.parametrize("typed", ["dy", "dyy", "dyyy", "d\x1b[D\r\r", "d\x1b[D\ry"])
async def test_a_deletion_is_asked_about_and_done_once_however_fast_it_is_typed(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    await keep_clips(service, CLIPS)
    async with opened(service, section="3", rows=3) as pilot:
        copied: list[str] = []
        monkeypatch.setattr(pilot.app, "copy_to_clipboard", copied.append)
        type_at_once(pilot, typed)
        await until_rows(pilot, 2)
        await settled(pilot)
        assert isinstance(pilot.app.screen, ClipsScreen)
        assert not copied, "the list below got a key of the question"
        assert pilot.app.current_mode == "clips"


@pytest.mark.exhaustive
@pytest.mark.parametrize("typed", ["yy", "y\r", "\x1b[D\r\r"])
async def test_a_question_that_stands_is_answered_once_by_keys_that_come_together(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    await keep_clips(service, CLIPS)
    async with opened(service, section="3", rows=3) as pilot:
        copied: list[str] = []
        monkeypatch.setattr(pilot.app, "copy_to_clipboard", copied.append)
        await pilot.press("d")
        await until_shown(pilot, "Delete this clip")
        type_at_once(pilot, typed)
        await until_rows(pilot, 2)
        await settled(pilot)
        assert isinstance(pilot.app.screen, ClipsScreen)
        assert not copied


async def test_two_clicks_on_a_button_answer_once_and_reach_nothing_below(service: LocalService) -> None:
    await keep_clips(service, CLIPS)
    async with opened(service, section="3", rows=3) as pilot:
        await pilot.press("d")
        await until_shown(pilot, "Delete this clip")
        region = pilot.app.screen.query(Button).first().region
        place = f"{region.x + 1};{region.y + 1}"
        type_at_once(pilot, f"\x1b[<0;{place}M\x1b[<0;{place}m" * 2)
        await until_rows(pilot, 2)
        await settled(pilot)
        assert isinstance(pilot.app.screen, ClipsScreen)
        assert table(pilot).cursor_row == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("presses", ["\r", "\r\r"])
async def test_an_export_is_typed_in_one_go_and_written_once(
    service: LocalService, tmp_path: Path, presses: str
) -> None:
    await keep_clips(service, CLIPS)
    async with opened(service, section="3", rows=3) as pilot:
        type_at_once(pilot, f"e\x15{tmp_path}/deck.apkg{presses}")
        await until_told(pilot, "3 new")
        await settled(pilot)
        assert isinstance(pilot.app.screen, ClipsScreen)
        assert len(toasts(pilot)) == 1
        assert (tmp_path / "deck.apkg").exists()


@pytest.mark.parametrize("typed", ["a{path}\r\r", "a\x1b[200~{path}\x1b[201~\r"], ids=["typed", "pasted"])
async def test_a_path_finds_the_field_that_the_key_before_it_opens(
    service: LocalService, tmp_path: Path, typed: str
) -> None:
    path = tmp_path / "film.de.srt"
    path.write_text("1\n00:00:01,000 --> 00:00:02,000\nGuten Tag.\n")
    async with opened(service) as pilot:
        await until_shown(pilot, "Nothing here yet.")
        type_at_once(pilot, typed.format(path=path))
        await until_rows(pilot, 1)


async def test_an_answer_typed_ahead_waits_until_the_question_has_been_prepared(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_files(service, "zug.srt")
    read, real = asyncio.Event(), service.files.jobs_of

    async def slowly(*ids: str) -> Any:
        await read.wait()
        return await real(*ids)

    monkeypatch.setattr(service.files, "jobs_of", slowly)
    async with opened(service, rows=1) as pilot:
        type_at_once(pilot, "d")
        await pilot.pause()
        type_at_once(pilot, "y2")
        await pilot.pause()
        assert pilot.app.current_mode == "files"
        read.set()
        await until_told(pilot, "deleted")
        assert pilot.app.current_mode == "files", "what follows the answer is dropped with the question"


async def test_a_question_that_is_never_ready_does_not_lock_the_keyboard(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_files(service, "zug.srt")

    async def never(*_: str) -> Any:
        await asyncio.Event().wait()

    monkeypatch.setattr(service.files, "jobs_of", never)
    monkeypatch.setattr("tui.screens.input_queue._PATIENCE_SECONDS", 0.05)
    async with opened(service, rows=1) as pilot:
        await pilot.press("d", "y", "3")
        await until(pilot, lambda: pilot.app.current_mode == "clips")
        await pilot.press("2")
        await until(pilot, lambda: pilot.app.current_mode == "transcripts")


@pytest.mark.exhaustive
async def test_an_answer_of_the_history_is_chosen_once(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, _, _service):
        await until_shown(pilot, "done")
        await pilot.press("H")
        await until_rows(pilot, 1)
        type_at_once(pilot, "\r\r\rq")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await settled(pilot)
        assert pilot.app.is_running
        await until_shown(pilot, "It leaves.")


@pytest.mark.exhaustive
async def test_what_follows_the_slash_in_the_reader_belongs_to_its_field(service: LocalService) -> None:
    await add_files(service, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Hoffentlich")
        type_at_once(pilot, "/cxvJ")
        await until(pilot, lambda: pilot.app.screen.query_one("#find-field", Input).value == "cxvJ")
        await settled(pilot)
        assert isinstance(pilot.app.screen, ReaderScreen)
        clips: Page[Any] = await service.clips.page()
        assert clips.total == 0
        assert (await service.history.page()).total == 0


async def test_what_follows_the_slash_of_a_list_and_the_keys_after_it_keep_their_order(service: LocalService) -> None:
    await add_files(service, "zug.srt", "faro.srt")
    async with opened(service, rows=2) as pilot:
        type_at_once(pilot, "/faro\r3")
        await until(pilot, lambda: pilot.app.current_mode == "clips")
        type_at_once(pilot, "1j")
        await until_rows(pilot, 1)


async def test_what_is_typed_while_the_app_starts_is_done_once_it_is_there(
    service: LocalService, settings: Settings
) -> None:
    app = LodeApp(service, settings)
    for key in ("3", "1", "6"):
        app.post_message(Key(key, key))
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.current_mode == "jobs")


async def test_the_key_that_closes_a_list_of_keys_does_not_quit_when_pressed_twice(service: LocalService) -> None:
    async with opened(service) as pilot:
        type_at_once(pilot, "?qq")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await settled(pilot)
        assert pilot.app.is_running


@pytest.mark.exhaustive
async def test_a_form_gets_what_is_typed_after_the_key_that_opens_it(service: LocalService) -> None:
    await keep_clips(service, {"Zug": "Der Zug."})
    async with opened(service, section="3", rows=1) as pilot:
        type_at_once(pilot, "Eneu ")
        await until_shown(pilot, "neu Der Zug.")
        assert isinstance(pilot.app.screen, ClipForm)


async def test_what_is_typed_into_the_palette_at_once_arrives_in_order_with_its_enter(service: LocalService) -> None:
    async with opened(service) as pilot:
        type_at_once(pilot, "\x10jobs")
        await until_shown(pilot, "go to the jobs")
        field = pilot.app.screen.query_one(Input)
        assert field.value == "jobs"
        type_at_once(pilot, "\x1b[6~\x1b[5~\r\r")
        await until(pilot, lambda: pilot.app.current_mode == "jobs")


@pytest.mark.exhaustive
async def test_a_form_that_was_saved_while_it_was_out_of_sight_closes_when_it_is_back(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep_clips(service, {"Zug": "Der Zug."})
    saved, real = asyncio.Event(), service.clips.edit

    async def slowly(*args: Any) -> Any:
        await saved.wait()
        return await real(*args)

    monkeypatch.setattr(service.clips, "edit", slowly)
    async with opened(service, section="3", rows=1) as pilot:
        await pilot.press("E")
        await until(pilot, lambda: pilot.app.screen.query(TextField))
        await pilot.press("f2")
        await pilot.click(TopLine, offset=(2, 0))
        await until(pilot, lambda: pilot.app.current_mode == "files")
        saved.set()
        await settled(pilot)
        assert len(pilot.app.screen_stack) == 1, "nothing of the section in sight was closed"
        await pilot.press("3")
        await until_rows(pilot, 1)
        assert not shows(pilot, "Meanings")
