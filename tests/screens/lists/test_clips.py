"""The clips' list: its preview, opening, copying, deleting and exporting."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.screens.driving import keep_clips, lines, opened, press_until, shows, submit_text, type_text, until
from tests.vocabulary.fake_anki_connect import running_anki
from tui.anki import connect
from tui.deck.formats import CLIP_ENDINGS
from tui.records.clip_selection import ClipSelection
from tui.records.clips import Clip, FocusWord, NewClip
from tui.records.exports import ExportReport
from tui.service.local import LocalService
from tui.widgets.cards.clip_cards import ClipPreview, clip_content

WORDS = {"abfahren": "Hoffentlich fährt er überhaupt noch ab.", "Zug": "Der Zug hat Verspätung."}


async def test_without_clips_it_says_where_they_come_from_and_there_is_nothing_to_export(service: LocalService) -> None:
    async with opened(service, section="3", rows=0) as pilot:
        await until(pilot, lambda: shows(pilot, "No clips yet. They are kept while you read."))
        assert lines(pilot)[-1] == " e export   ? keys", "no key that has nothing to work on"
        await press_until(pilot, "e", told="There are no clips to export yet.")


async def test_a_clip_is_shown_with_a_preview_where_there_is_room_and_copied(service: LocalService) -> None:
    await keep_clips(service, {**WORDS, "[b]": "[music] red \x1b[31malarm\x1b[0m"})
    async with opened(service, section="3", rows=3) as pilot:
        row = next(line for line in lines(pilot) if "Verspätung" in line)
        assert "Zug" in row
        assert "meaning of Zug" in row
        await press_until(pilot, "y", told="sent to the clipboard")
        assert pilot.app.clipboard == "[music] red alarm"
        await pilot.resize_terminal(120, 40)
        await press_until(pilot, "j", shown="│  Der Zug hat Verspätung.")
        await press_until(pilot, "j", shown="│  Hoffentlich fährt er")
        await pilot.resize_terminal(100, 40)
        await until(pilot, lambda: not pilot.app.screen.query_one(ClipPreview).display or not shows(pilot, "│"))
        await pilot.resize_terminal(130, 40)
        await until(pilot, lambda: shows(pilot, "│  Hoffentlich fährt er"))


async def test_a_clip_that_is_exported_as_it_is_has_a_tick(service: LocalService, tmp_path: Path) -> None:
    await keep_clips(service, WORDS)
    await service.deck.export(tmp_path / "deck.apkg")
    async with opened(service, section="3", rows=len(WORDS)) as pilot:
        assert all(line.split()[-2] == "✓" for line in lines(pilot) if "meaning of" in line)


async def test_marked_clips_are_deleted_and_come_back(service: LocalService) -> None:
    await keep_clips(service, {f"word{number}": f"sentence {number}" for number in range(5)})
    async with opened(service, section="3", rows=5) as pilot:
        await press_until(pilot, "space", "j", "space", shown="2 marked")
        await press_until(pilot, "d", shown="Delete 2 clips?")
        for said in ("sentence 4", "sentence 3", "Their transcripts stay", "notes that Anki", "u brings them back."):
            assert shows(pilot, said), said
        await press_until(pilot, "y", rows=3)
        await press_until(pilot, "u", rows=5)


async def test_export_says_what_is_new_and_writes_it_or_says_why_not(service: LocalService, tmp_path: Path) -> None:
    await keep_clips(service, WORDS)
    target, words = tmp_path / "my deck.apkg", tmp_path / "words.csv"
    words.write_text("mine")
    async with opened(service, (120, 30), section="3", rows=2) as pilot:
        assert sum("new" in line for line in lines(pilot)) == 2
        await press_until(pilot, "space", "e", shown='Export 1 marked clip to the deck "Lode": 1 new')
        assert shows(pilot, CLIP_ENDINGS)
        await submit_text(pilot, str(tmp_path / "words.pdf"), shown="there is no format 'pdf'")
        await submit_text(pilot, str(words), shown="is there already.")
        await press_until(pilot, "y", told=f"{words} written: 1 clip")
        assert len(words.read_text().splitlines()) == 2
        await press_until(pilot, "e", shown="1 marked")
        await submit_text(pilot, str(tmp_path / "lode.apkg"), told="lode.apkg written: 1 new")
        await until(pilot, lambda: sum(" new " in line for line in lines(pilot)[2:]) == 1)
        await press_until(pilot, "escape", "e", shown="1 new, 0 changed, 1 same")
        await submit_text(pilot, str(tmp_path), shown="is a directory")
        assert shows(pilot, str(tmp_path)[:40])
        await submit_text(pilot, str(target), told=f"{target} written")
        assert target.read_bytes()[:2] == b"PK"
        await press_until(pilot, "e", shown="0 new, 0 changed, 2 same")
        await press_until(pilot, "escape", gone="0 new, 0 changed, 2 same")


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
        await press_until(pilot, "e", shown="2 new")
        await type_text(pilot, str(target))
        await press_until(pilot, "enter", "e", told="still being written")
        go_on.set()
        await until(pilot, target.exists)


def test_a_focus_in_two_parts_is_found_part_by_part() -> None:
    for surface in ("fährt … ab", "fährt"):
        focus = FocusWord(surface, lemma="abfahren", language="de")
        clip = Clip("Hoffentlich fährt er noch ab.", focus=focus, id="1", created_at="", updated_at="", language="de")
        content = clip_content(clip, 40)
        assert [content.plain[span.start : span.end] for span in content.spans][:2] == ["fährt", "ab"]


async def test_clips_go_into_the_anki_that_runs_here_after_a_look_at_what_that_comes_to(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "Anki"
    place.mkdir()
    with running_anki(place / "collection.anki2") as anki:
        monkeypatch.setattr(connect, "ADDRESS", anki.address)
        await keep_clips(service, WORDS)
        async with opened(service, (120, 30), section="3", rows=2) as pilot:
            await press_until(pilot, "A", shown="2 new, 0 updated, 0 same")
            assert not any(action == "importPackage" for action, _ in anki.asked)
            await press_until(pilot, "y", told="in Anki: 2 new, 0 updated, 0 same")
            await until(pilot, lambda: not any(re.search(r"\bnew +now\b", line) for line in lines(pilot)))
            await press_until(pilot, "A", told="Anki has all of it already")
            await service.clips.delete((await service.clips.page()).items[0].id)
            await press_until(pilot, "A", shown="Remove 1 note from Anki whose clips you deleted here?")
            await press_until(pilot, "y", told="in Anki: 0 new, 0 updated, 1 same, 1 removed")


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
            await press_until(pilot, "A", told="Anki has all of it already")
            assert (await service.deck.push(dry_run=True)).same == 2


async def test_the_top_line_sums_up_what_is_marked_and_esc_ends_a_range_then_clears_it(
    service: LocalService, tmp_path: Path
) -> None:
    await keep_clips(service, {f"word{number}": f"sentence {number}" for number in range(3)})
    await service.deck.export(tmp_path / "deck.apkg")
    await keep_clips(service, {"neu": "ein neuer Satz"})
    async with opened(service, (120, 30), section="3", rows=4) as pilot:
        await press_until(pilot, "V", shown="V 1 marked · 1 new")
        await press_until(pilot, "j", "j", shown="V 3 marked · 1 new · 2 ✓")
        await press_until(pilot, "escape", shown=" 3 marked · 1 new · 2 ✓")
        await press_until(pilot, "j", gone="V 3")
        assert shows(pilot, "3 marked · 1 new · 2 ✓")
        await service.deck.export(tmp_path / "deck.apkg")
        await until(pilot, lambda: shows(pilot, " 3 marked · 3 ✓"))
        await press_until(pilot, "escape", gone="marked")


async def test_marked_clips_are_tagged_with_what_is_completed_and_one_undo_takes_it_back(service: LocalService) -> None:
    for number, given in enumerate((("verb",), ("verb", "a1"), ())):
        await service.clips.add(NewClip(f"Satz {number}", tags=given))

    async def tags() -> list[tuple[str, ...]]:
        return [clip.tags for clip in (await service.clips.page()).items]

    async with opened(service, (100, 30), section="3", rows=3) as pilot:
        await press_until(pilot, "V", "j", "number_sign", shown="Tag 2 clips")
        await until(pilot, lambda: shows(pilot, "a1 · 1 of 2") and shows(pilot, "verb · 1 of 2"))
        await press_until(pilot, "v", "tab", *"_,-a", "tab", *" +neu", "enter", told="2 clips tagged · u takes it back")
        assert await tags() == [("verb_", "neu"), ("verb", "verb_", "neu"), ("verb",)]
        await press_until(pilot, "number_sign", shown="Tag 2 clips")
        await press_until(pilot, *"neu", "enter", told="nothing is changed by that")
        await press_until(pilot, "u", told="back again: 2 clips, as they were before they were tagged")
        assert await tags() == [(), ("verb", "a1"), ("verb",)]
        await press_until(pilot, "ctrl+r", told="done again: 2 clips tagged")
        await press_until(pilot, "number_sign", *" , ", "enter", "minus", "enter", shown="there is no tag to add")
        await press_until(pilot, "escape", gone="Tag 2 clips")
