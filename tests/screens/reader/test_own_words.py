"""Words of one's own from the reader, and the warning that a word has clips already, in the whole app."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.screens.driving import lines, opened, until, until_rows, until_shown, until_told
from tests.screens.stage import STATION, add_transcript, timed
from tests.vocabulary.fake_anki_connect import running_anki
from tui.anki import connect
from tui.config import Settings
from tui.records.clips import FocusWord, NewClip
from tui.records.own_words import OwnPhrase, OwnWord
from tui.records.words import WordMark
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.dialogs.fields_prompt import FieldsPrompt
from tui.screens.lists.clips import ClipsScreen
from tui.screens.messages import OpenTranscript
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive


@asynccontextmanager
async def at_zug(settings: Settings) -> AsyncIterator[tuple[Pilot[None], LocalService]]:
    """The whole app, in it the reader at "Zug", the third word of the first cue."""
    service = LocalService(settings)
    transcript = await add_transcript(service, timed(["Da kommt Zug um Zug.", *STATION]))
    async with opened(service, (120, 30), section="2") as pilot:
        pilot.app.screen.post_message(OpenTranscript(transcript))
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen))
        await until_shown(pilot, "Da kommt")
        await pilot.press("l", "l")
        await until_shown(pilot, "train")
        yield pilot, service


async def typed(pilot: Pilot[None], **fields: str) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, FieldsPrompt))
    for name, text in fields.items():
        pilot.app.screen.query_one(f"#{name}", Input).value = text
    await pilot.press("enter")


def text(pilot: Pilot[None]) -> str:
    return " ".join(" ".join(lines(pilot)).split())


async def test_a_meaning_a_note_and_phrases_are_written_and_shown_at_once_and_go_onto_the_clip(
    settings: Settings,
) -> None:
    async with at_zug(settings) as (pilot, service):
        await pilot.press("O")
        await typed(pilot, meaning="my train", note="der Zug, die Züge")
        await until_told(pilot, "kept for Zug")
        await until_shown(pilot, "my train")
        assert text(pilot).count("my train") == 1
        places = [text(pilot).index(part) for part in ("my train", "der Zug, die Züge", "noun (m, der)")]
        assert "train" in text(pilot)[places[-1] :]
        assert places == sorted(places)
        await pilot.press("c")
        await until_told(pilot, "clip saved")
        (clip,) = (await service.clips.page()).items
        assert clip.focus is not None
        assert clip.focus.meanings[0] == "my train"
        assert clip.note == "der Zug, die Züge"
        await pilot.press("O")
        await typed(pilot, meaning="my train", note="", phrases="Zug um Zug = step by step")
        await until_shown(pilot, "step by step")
        assert await service.own_words.get("de", "Zug") == OwnWord(
            "de", "Zug", "my train", "", (OwnPhrase("Zug um Zug", "step by step"),)
        )
        await pilot.press("O")  # on the phrase: it is that of the word
        await until_shown(pilot, "Zug um Zug = step by step")
        await pilot.press("escape")
        await pilot.press("u")
        await until_told(pilot, "back again: Zug")


async def test_what_cannot_be_kept_is_said_in_the_dialog_and_what_was_typed_stays(settings: Settings) -> None:
    async with at_zug(settings) as (pilot, service):
        await pilot.press("O")
        await typed(pilot, meaning="x" * 600)
        await until_shown(pilot, "at most 500 characters")
        assert pilot.app.screen.query_one("#meaning", Input).value == "x" * 600
        await pilot.press("escape")
        assert await service.own_words.all() == ()


async def test_a_new_clip_of_a_word_that_has_some_says_so_and_a_key_shows_them(settings: Settings) -> None:
    async with at_zug(settings) as (pilot, service):
        await service.clips.add(NewClip("Die Züge fahren.", focus=FocusWord("Züge", lemma="Zug", language="de")))
        await service.clips.add(NewClip("Das Haus.", focus=FocusWord("Haus", lemma="Haus", language="de")))
        await pilot.press("c")
        await until_told(pilot, "Zug had 1 clip already, C shows them")
        await pilot.press("C")
        await until(pilot, lambda: isinstance(pilot.app.screen, ClipsScreen))
        await until_rows(pilot, 2)
        assert "Haus" not in text(pilot)
        await pilot.press("escape")
        await until_rows(pilot, 3)


async def test_a_new_clip_of_a_word_that_has_a_card_in_anki_says_so_and_a_key_shows_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_anki(tmp_path / "collection.anki2") as anki:
        monkeypatch.setattr(connect, "ADDRESS", anki.address)
        anki.do(lambda collection: collection.known("der Zug"))
        async with at_zug(settings) as (pilot, service):
            await service.known_words.mark((WordMark("de", "Zug", state="learning"),), source="anki")
            await pilot.press("c")
            await until_told(pilot, "Anki has a card of Zug, A shows it")
            await pilot.press("A")
            await until_told(pilot, "Anki shows 1 note with Zug")
            assert anki.browsed == ['"w:Zug"']
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
            await until_shown(pilot, "done")
            await pilot.press("A")
            await until(pilot, lambda: len(anki.browsed) == 2)
            await pilot.press("7")
            await until_shown(pilot, "Zug")
            asked = len(anki.asked)
            await pilot.press("A")  # of whatever word the cursor is on
            await until(pilot, lambda: len(anki.asked) > asked)


async def test_where_no_anki_runs_the_key_says_so(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "ADDRESS", "http://127.0.0.1:9")
    async with at_zug(settings) as (pilot, _):
        await pilot.press("A")
        await until_told(pilot, "Anki does not answer at http://127.0.0.1:9")
