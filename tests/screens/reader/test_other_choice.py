"""Two words that may be meant as well as each other: both are shown, and a key takes the other one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from tests.screens.driving import lines, opened, shows, until, until_shown, until_told
from tests.screens.stage import add_transcript, timed
from tui.records.clips import FocusWord
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, Sense, TermPronunciation
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.messages import OpenTranscript
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.store.dictionaries.dictionary_store import DictionaryStore

pytestmark = pytest.mark.exhaustive


def entry(term: str, kind: str, gloss: str) -> DictionaryEntry:
    return DictionaryEntry(term, part_of_speech=(kind,), senses=(Sense((gloss,)),))


def add_dictionaries(service: LocalService) -> None:
    store = DictionaryStore.open(service._settings.home)
    english = DictionaryInfo("Small English", "yomitan", source_language="en", target_language="de")
    store.add(english, (entry("work", "noun", "Arbeit"), entry("work", "verb", "arbeiten")))
    german = DictionaryInfo("Small German", "yomitan", source_language="de", target_language="en")
    sound = TermPronunciation("essen", "", ("/esn/",))
    store.add(german, (entry("Essen", "noun", "food"), entry("essen", "verb", "to eat"), sound))
    store.close()


@asynccontextmanager
async def reading(
    service: LocalService, *texts: str, language: str = "en", size: tuple[int, int] = (120, 30)
) -> AsyncIterator[Pilot[None]]:
    """The whole app, in it the reader at the first word of the first cue."""
    add_dictionaries(service)
    transcript = await add_transcript(service, timed(texts), title="Work", language=language)
    async with opened(service, size, section="2") as pilot:
        pilot.app.screen.post_message(OpenTranscript(transcript))
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen))
        yield pilot


async def clips(service: LocalService) -> list[FocusWord | None]:
    """The words of the clips, the oldest first."""
    return [clip.focus for clip in reversed((await service.clips.page()).items)]


async def test_the_other_word_is_shown_and_the_key_takes_it_and_gives_it_back(service: LocalService) -> None:
    async with reading(service, "Work hard!", "They work here.") as pilot:
        await until_shown(pilot, "or work · verb: arbeiten")
        assert shows(pilot, "t takes it")
        await pilot.press("t")
        await until_shown(pilot, "or work · noun: Arbeit")
        await pilot.press("j", "k")
        await until_shown(pilot, "or work · noun: Arbeit")
        await pilot.press("t")
        await until_shown(pilot, "or work · verb: arbeiten")


async def test_the_choice_goes_onto_the_clip_and_outlives_what_is_read_anew(service: LocalService) -> None:
    async with reading(service, "Work hard!") as pilot:
        await until_shown(pilot, "or work · verb: arbeiten")
        await pilot.press("t", "c")
        await until_told(pilot, "clip saved")
        (focus,) = await clips(service)
        assert focus is not None
        assert (focus.lemma, focus.part_of_speech, focus.meanings) == ("work", "verb", ("arbeiten",))
        assert focus.frequency == 1
        await until_shown(pilot, "1 clip")  # it was read anew
        assert shows(pilot, "or work · noun: Arbeit")


async def test_a_word_with_another_lemma_comes_with_its_own_sound(service: LocalService) -> None:
    async with reading(service, "Essen wir!", language="de") as pilot:
        await until_shown(pilot, "or essen · verb: to eat")
        assert not shows(pilot, "/esn/")
        await pilot.press("t")
        await until_shown(pilot, "or Essen · noun: food")
        assert shows(pilot, "/esn/")
        await pilot.press("c")
        await until_told(pilot, "clip saved")
        (focus,) = await clips(service)
        assert focus is not None
        assert (focus.surface, focus.lemma, focus.meanings) == ("Essen", "essen", ("to eat",))


async def test_a_narrow_terminal_has_it_in_the_line(service: LocalService) -> None:
    async with reading(service, "Work hard!", size=(80, 24)) as pilot:
        await until_shown(pilot, "Arbeit · (t) or verb: ar")
        await pilot.press("t")
        await until_shown(pilot, "arbeiten · (t) or noun: ")


async def test_without_a_doubt_the_key_says_so(service: LocalService) -> None:
    async with reading(service, "They work here.") as pilot:
        await pilot.press("l")
        await until_shown(pilot, "arbeiten")
        await pilot.press("t")
        await until_told(pilot, "no other entry is as likely here")


async def test_the_dictionary_names_the_other_one(service: LocalService) -> None:
    async with reading(service, "Work hard!") as pilot:
        await until_shown(pilot, "or work")
        await pilot.press("D")
        await until_shown(pilot, "work · verb · may be meant as well")
        assert sum("may be meant" in line for line in lines(pilot)) == 1


async def test_an_answer_shows_it_too_and_what_was_saved_follows(service: LocalService) -> None:
    async with reading(service, "Work hard!") as pilot:
        await until_shown(pilot, "or work · verb: arbeiten")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "or work · verb: arbeiten · t takes it")
        await pilot.press("c")
        await until_told(pilot, "clip saved")
        await pilot.press("t")
        await until_shown(pilot, "or work · noun: Arbeit")
        await pilot.press("c")
        await until_told(pilot, "brought up to date")
        (focus,) = await clips(service)
        assert focus is not None
        assert (focus.part_of_speech, focus.meanings) == ("verb", ("arbeiten",))


async def test_an_answer_begins_with_what_was_taken_in_the_reader(service: LocalService) -> None:
    async with reading(service, "Work hard!") as pilot:
        await until_shown(pilot, "or work · verb: arbeiten")
        await pilot.press("t", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "or work · noun: Arbeit")


async def test_an_answer_without_a_doubt_says_so(service: LocalService) -> None:
    async with reading(service, "They work here.") as pilot:
        await pilot.press("l", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "done")
        await pilot.press("t")
        await until_told(pilot, "no other entry is as likely here")
