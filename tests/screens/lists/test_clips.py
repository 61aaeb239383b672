"""The clips' list: its preview, opening, copying, deleting and exporting."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.screens.driving import (
    keep_clips,
    lines,
    opened,
    shows,
    submit_text,
    type_text,
    until,
    until_rows,
    until_shown,
    until_told,
)
from tests.service import libraries
from tests.vocabulary.fake_anki_connect import running_anki
from tui.anki import connect
from tui.config import Settings
from tui.deck.formats import CLIP_ENDINGS
from tui.records.clips import Clip, FocusWord
from tui.records.exports import ClipSelection, ExportReport
from tui.service.local import LocalService
from tui.widgets.cards.clip_cards import ClipPreview, clip_content

WORDS = {"abfahren": "Hoffentlich fährt er überhaupt noch ab.", "Zug": "Der Zug hat Verspätung."}


async def test_without_clips_it_says_where_they_come_from(service: LocalService) -> None:
    async with opened(service, section="3") as pilot:
        await until_shown(pilot, "No clips yet. They are kept while you read.")
        assert lines(pilot)[-1] == " e export   ? keys", "no key that has nothing to work on"


async def test_a_clip_shows_its_word_sentence_and_first_meaning(service: LocalService) -> None:
    await keep_clips(service, WORDS)
    async with opened(service, section="3", rows=2) as pilot:
        row = next(line for line in lines(pilot) if "Verspätung" in line)
        assert "Zug" in row
        assert "meaning of Zug" in row


async def test_the_preview_stands_beside_the_list_where_there_is_room_and_follows_the_cursor(
    service: LocalService,
) -> None:
    await keep_clips(service, WORDS)
    async with opened(service, (120, 40), section="3") as pilot:
        await until_shown(pilot, "│  Der Zug hat Verspätung.")
        await pilot.press("j")
        await until_shown(pilot, "│  Hoffentlich fährt er")
        await pilot.resize_terminal(100, 40)
        await until(pilot, lambda: not pilot.app.screen.query_one(ClipPreview).display or not shows(pilot, "│"))
        await pilot.resize_terminal(130, 40)
        await until_shown(pilot, "│  Hoffentlich fährt er")


async def test_y_sends_the_sentence_to_the_clipboard_and_claims_no_more(service: LocalService) -> None:
    await keep_clips(service, {"[b]": "[music] red \x1b[31malarm\x1b[0m"})
    async with opened(service, section="3", rows=1) as pilot:
        await pilot.press("y")
        await until_told(pilot, "sent to the clipboard")
        assert pilot.app.clipboard == "[music] red alarm"


async def test_marked_clips_are_deleted_and_come_back(service: LocalService) -> None:
    await keep_clips(service, {f"word{number}": f"sentence {number}" for number in range(5)})
    async with opened(service, section="3", rows=5) as pilot:
        await pilot.press("space", "j", "space")
        await until_shown(pilot, "2 marked")
        await pilot.press("d")
        await until_shown(pilot, "Delete 2 clips?")
        for said in ("sentence 4", "sentence 3", "Their transcripts stay", "notes that Anki", "u brings them back."):
            assert shows(pilot, said), said
        await pilot.press("y")
        await until_rows(pilot, 3)
        await pilot.press("u")
        await until_rows(pilot, 5)


async def test_export_says_what_is_new_writes_the_deck_and_names_the_path(
    service: LocalService, tmp_path: Path
) -> None:
    await keep_clips(service, WORDS)
    target = tmp_path / "my deck.apkg"
    async with opened(service, (120, 30), section="3", rows=2) as pilot:
        await pilot.press("e")
        await until_shown(pilot, "2 new, 0 changed, 0 same")
        await submit_text(pilot, str(target))
        await until_told(pilot, f"{target} written")
        assert target.read_bytes()[:2] == b"PK"
        await pilot.press("e")
        await until_shown(pilot, "0 new, 0 changed, 2 same")
        await pilot.press("escape")
        await until(pilot, lambda: not shows(pilot, "0 new, 0 changed, 2 same"))


async def test_marked_clips_are_exported_alone_and_the_list_says_what_no_deck_has(
    service: LocalService, tmp_path: Path
) -> None:
    await keep_clips(service, WORDS)
    target = tmp_path / "words.csv"
    target.write_text("mine")
    async with opened(service, (120, 30), section="3", rows=2) as pilot:
        assert sum("new" in line for line in lines(pilot)) == 2
        await pilot.press("space", "e")
        await until_shown(pilot, 'Export 1 marked clip to the deck "Lode": 1 new')
        assert shows(pilot, CLIP_ENDINGS)
        await submit_text(pilot, str(tmp_path / "words.pdf"))
        await until_shown(pilot, "there is no format 'pdf'")
        await submit_text(pilot, str(target))
        await until_shown(pilot, "is there already.")
        await pilot.press("y")
        await until_told(pilot, f"{target} written: 1 clip")
        assert len(target.read_text().splitlines()) == 2
        await pilot.press("e")
        await until_shown(pilot, "1 marked")
        await submit_text(pilot, str(tmp_path / "lode.apkg"))
        await until_told(pilot, "lode.apkg written: 1 new")
        await until(pilot, lambda: sum(" new " in line for line in lines(pilot)[2:]) == 1)


async def test_a_second_export_does_not_break_off_the_deck_that_is_being_written(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep_clips(service, WORDS)
    target, writes, go_on = tmp_path / "deck.apkg", service.deck.export, asyncio.Event()

    async def slow(path: str | Path, *, selection: ClipSelection, dry_run: bool = False) -> ExportReport:
        if not dry_run:
            await go_on.wait()
        return await writes(path, selection=selection, dry_run=dry_run)

    monkeypatch.setattr(service.deck, "export", slow)
    async with opened(service, (120, 30), section="3", rows=2) as pilot:
        await pilot.press("e")
        await until_shown(pilot, "2 new")
        await type_text(pilot, str(target))
        await pilot.press("enter", "e")
        await until_told(pilot, "still being written")
        go_on.set()
        await until_told(pilot, f"{target} written")
        assert target.exists()


async def test_a_deck_that_cannot_be_written_is_explained_and_the_path_stays(
    service: LocalService, tmp_path: Path
) -> None:
    await keep_clips(service, WORDS)
    async with opened(service, (120, 30), section="3", rows=2) as pilot:
        await pilot.press("e")
        await until_shown(pilot, "2 new")
        await submit_text(pilot, str(tmp_path))
        await until_shown(pilot, "is a directory")
        assert shows(pilot, str(tmp_path)[:40])
        await pilot.press("escape")


async def test_there_is_nothing_to_export_without_clips(service: LocalService) -> None:
    async with opened(service, section="3", rows=0) as pilot:
        await pilot.press("e")
        await until_told(pilot, "There are no clips to export yet.")


@pytest.mark.parametrize("surface", ["fährt … ab", "fährt"])
def test_a_focus_in_two_parts_is_found_part_by_part(surface: str) -> None:
    focus = FocusWord(surface, lemma="abfahren", language="de")
    clip = Clip("Hoffentlich fährt er noch ab.", focus=focus, id="1", created_at="", updated_at="", language="de")
    content = clip_content(clip, 40)
    assert [content.plain[span.start : span.end] for span in content.spans][:2] == ["fährt", "ab"]


@pytest.mark.parametrize("where", ["local", pytest.param("remote", marks=pytest.mark.exhaustive)])
async def test_clips_go_into_the_anki_that_runs_here_after_a_look_at_what_that_comes_to(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: libraries.Where
) -> None:
    place = tmp_path / "Anki"
    place.mkdir()
    with running_anki(place / "collection.anki2") as anki:
        monkeypatch.setattr(connect, "ADDRESS", anki.address)
        async with libraries.opened(settings, where) as library:
            service = library.service
            await keep_clips(service, WORDS)
            async with opened(service, (120, 30), section="3", rows=2) as pilot:
                await pilot.press("A")
                await until_shown(pilot, "2 new, 0 updated, 0 same")
                assert not any(action == "importPackage" for action, _ in anki.asked)
                await pilot.press("y")
                await until_told(pilot, "in Anki: 2 new, 0 updated, 0 same")
                await until(pilot, lambda: not any(re.search(r"\bnew +now\b", line) for line in lines(pilot)))
                await pilot.press("A")
                await until_told(pilot, "Anki has all of it already")
                await service.clips.delete((await service.clips.page()).items[0].id)
                await pilot.press("A")
                await until_shown(pilot, "Remove 1 note from Anki whose clips you deleted here?")
                await pilot.press("y")
                await until_told(pilot, "in Anki: 0 new, 0 updated, 1 same, 1 removed")


async def test_what_anki_has_already_without_its_being_known_is_known_after_a_look(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "Anki"
    place.mkdir()
    with running_anki(place / "collection.anki2") as anki:
        monkeypatch.setattr(connect, "ADDRESS", anki.address)
        await keep_clips(service, WORDS)
        await service.deck.push(name="Another")
        async with opened(service, (120, 30), section="3", rows=2) as pilot:
            await pilot.press("A")
            await until_told(pilot, "Anki has all of it already")
            assert (await service.deck.push(dry_run=True)).same == 2
