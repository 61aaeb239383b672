"""Keys, pastes and clicks that come together: each finds what the one before it opened, and a dialog answers once."""

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
    press_until,
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
from tui.screens.forms.clip_form import ClipForm
from tui.screens.lists.clips import ClipsScreen
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.widgets.chrome.top_line import TopLine
from tui.widgets.forms.text_area_field import TextField


async def settled(pilot: Pilot[None]) -> None:
    """Nothing is at work any more, so that what should not happen has had its chance."""
    for _ in range(2):
        await pilot.pause()
        await pilot.app.workers.wait_for_complete(
            [worker for worker in pilot.app.workers if worker.group in ("delete", "export", "add", "clip", "save")]
        )
        await pilot.pause()


async def test_a_deletion_is_asked_about_and_done_once_however_fast_it_is_typed_or_clicked(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = ("dy", "dyy", "d\x1b[D\r\r", "d\x1b[D\ry", "yy", "\x1b[D\r\r", "click")
    await keep_clips(service, {f"Zug {number}": "Der Zug hat Verspätung." for number in range(len(typed) + 1)})
    async with opened(service, section="3", rows=len(typed) + 1) as pilot:
        copied: list[str] = []
        monkeypatch.setattr(pilot.app, "copy_to_clipboard", copied.append)
        for done, keys in enumerate(typed, 1):
            if keys[0] != "d":
                await press_until(pilot, "d", shown="Delete this clip")
            if keys == "click":
                region = pilot.app.screen.query(Button).first().region
                place = f"{region.x + 1};{region.y + 1}"
                keys = f"\x1b[<0;{place}M\x1b[<0;{place}m" * 2
            type_at_once(pilot, keys)
            await until_rows(pilot, len(typed) + 1 - done)
            await settled(pilot)
            assert isinstance(pilot.app.screen, ClipsScreen), keys
            assert not copied, "the list below got a key of the question"
            assert table(pilot).cursor_row == 0


@pytest.mark.exhaustive
async def test_an_export_is_typed_in_one_go_and_written_once(service: LocalService, tmp_path: Path) -> None:
    async with opened(service, clips={"Zug": "Der Zug hat Verspätung."}, section="3", rows=1) as pilot:
        type_at_once(pilot, f"e\x15{tmp_path}/deck.apkg\r\r")
        await until_told(pilot, "1 new")
        await settled(pilot)
        assert isinstance(pilot.app.screen, ClipsScreen)
        assert len(toasts(pilot)) == 1
        assert (tmp_path / "deck.apkg").exists()
        type_at_once(pilot, "Eneu ")
        await until_shown(pilot, "neu Der Zug")
        assert isinstance(pilot.app.screen, ClipForm)


@pytest.mark.parametrize("typed", ["a{path}\r\r", "a\x1b[200~{path}\x1b[201~\r"], ids=["typed", "pasted"])
async def test_a_path_finds_the_field_that_a_key_opens(service: LocalService, tmp_path: Path, typed: str) -> None:
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


async def test_what_is_typed_while_a_transcript_is_opened_is_meant_for_its_text(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_files(service, "zug.srt")
    read, real = asyncio.Event(), service.transcripts.get

    async def slowly(record_id: str) -> Any:
        await read.wait()
        return await real(record_id)

    monkeypatch.setattr(service.transcripts, "get", slowly)
    async with opened(service, rows=1) as pilot:
        type_at_once(pilot, "\r")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen))
        type_at_once(pilot, "lc")
        await pilot.pause()
        read.set()
        await until_told(pilot, "saved")
        assert isinstance(pilot.app.screen, ReaderScreen)
        assert pilot.app.screen.reader.word_index == 1, "one word on"


async def test_a_deletion_typed_ahead_waits_until_the_list_is_read(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_files(service, "zug.srt")
    read, real = asyncio.Event(), service.transcripts.page

    async def slowly(**options: Any) -> Any:
        await read.wait()
        return await real(**options)

    monkeypatch.setattr(service.transcripts, "page", slowly)
    async with opened(service, rows=1) as pilot:
        type_at_once(pilot, "2dy")
        await pilot.pause()
        assert pilot.app.current_mode == "transcripts"
        read.set()
        await until_told(pilot, "1 transcript deleted")


async def test_a_question_that_never_comes_locks_no_key(service: LocalService, monkeypatch: pytest.MonkeyPatch) -> None:
    await add_files(service, "zug.srt")

    async def never(*_: str) -> Any:
        await asyncio.Event().wait()

    monkeypatch.setattr(service.files, "jobs_of", never)
    monkeypatch.setattr("tui.screens.input_queue._PATIENCE_SECONDS", 0.05)
    async with opened(service, rows=1) as pilot:
        await press_until(pilot, "d", "y", "3", holds=lambda: pilot.app.current_mode == "clips")
        await press_until(pilot, "2", holds=lambda: pilot.app.current_mode == "transcripts")


@pytest.mark.exhaustive
async def test_an_answer_of_the_history_is_chosen_once(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, _, _service):
        await until_shown(pilot, "done")
        await press_until(pilot, "H", rows=1)
        type_at_once(pilot, "\r\r\rq")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await settled(pilot)
        assert pilot.app.is_running
        await until_shown(pilot, "It leaves.")


async def test_what_follows_the_slash_belongs_to_its_field_and_all_keep_their_order(service: LocalService) -> None:
    async with opened(service, files=("zug.srt", "faro.srt"), rows=2) as pilot:
        type_at_once(pilot, "/faro\r3")
        await until(pilot, lambda: pilot.app.current_mode == "clips")
        type_at_once(pilot, "1j")
        await until_rows(pilot, 1)
        await press_until(pilot, "enter", shown="Hoffentlich")
        type_at_once(pilot, "/cxvJ")
        await until(pilot, lambda: pilot.app.screen.query_one("#find-field", Input).value == "cxvJ")
        await settled(pilot)
        assert isinstance(pilot.app.screen, ReaderScreen)
        assert (await service.clips.page()).total == 0
        assert (await service.history.page()).total == 0


async def test_what_is_typed_while_the_app_starts_is_done_later(service: LocalService, settings: Settings) -> None:
    app = LodeApp(service, settings)
    for key in ("3", "1", "6"):
        app.post_message(Key(key, key))
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.current_mode == "jobs")


async def test_a_list_of_keys_is_closed_once_and_the_palette_takes_all_in_its_order(service: LocalService) -> None:
    async with opened(service) as pilot:
        type_at_once(pilot, "?qq")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await settled(pilot)
        assert pilot.app.is_running
        type_at_once(pilot, "\x10jobs")
        await until_shown(pilot, "go to the jobs")
        await until(pilot, lambda: pilot.app.screen.query_one(Input).value == "jobs")
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
        await press_until(pilot, "E", holds=lambda: pilot.app.screen.query(TextField))
        await pilot.press("f2")
        await pilot.click(TopLine, offset=(2, 0))
        await until(pilot, lambda: pilot.app.current_mode == "files")
        saved.set()
        await settled(pilot)
        assert len(pilot.app.screen_stack) == 1, "nothing of the section in sight was closed"
        await press_until(pilot, "3", rows=1)
        assert not shows(pilot, "Meanings")
