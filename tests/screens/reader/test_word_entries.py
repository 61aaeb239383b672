"""What a word means: the other entry that is as likely, one's own words, and the clips and cards that it has."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.screens.driving import lines, opened, press_until, shows, until, until_rows, until_shown, until_told
from tests.screens.stage import add_transcript, timed
from tests.vocabulary.fake_anki_connect import running_anki
from tui.anki import connect
from tui.config import Settings
from tui.records.clips import FocusWord, NewClip
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, Sense, TermPronunciation
from tui.records.own_words import OwnPhrase, OwnWord
from tui.records.words import WordMark
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.dialogs.fields_prompt import FieldsPrompt
from tui.screens.lists.clips import ClipsScreen
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
    transcript = await add_transcript(service, timed(texts), title="Work", language=language)
    async with opened(service, size, section="2") as pilot:
        pilot.app.screen.post_message(OpenTranscript(transcript))
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen))
        yield pilot


async def clips(service: LocalService) -> list[FocusWord | None]:
    """The words of the clips, the oldest first."""
    return [clip.focus for clip in reversed((await service.clips.page()).items)]


async def test_the_other_word_is_shown_and_the_key_takes_it_and_gives_it_back(service: LocalService) -> None:
    add_dictionaries(service)
    async with reading(service, "Work hard!", "They work here.") as pilot:
        await until_shown(pilot, "or work · verb: arbeiten")
        assert shows(pilot, "t takes it")
        await press_until(pilot, "t", shown="or work · noun: Arbeit")
        await press_until(pilot, "j", "k", shown="or work · noun: Arbeit")
        await press_until(pilot, "c", told="clip saved")
        (focus,) = await clips(service)
        assert focus is not None
        assert (focus.lemma, focus.part_of_speech, focus.meanings) == ("work", "verb", ("arbeiten",))
        assert focus.frequency == 2
        await until_shown(pilot, "1 clip")  # it was read anew
        assert shows(pilot, "or work · noun: Arbeit")
        await press_until(pilot, "D", shown="work · verb · may be meant as well")
        assert sum("may be meant" in line for line in lines(pilot)) == 1
        await press_until(pilot, "escape", "t", shown="or work · verb: arbeiten")
        await pilot.resize_terminal(80, 24)
        await until_shown(pilot, "Arbeit · (t) or verb")
        await press_until(pilot, "t", shown="arbeiten · (t) or noun")
        await press_until(pilot, "j", "l", shown="work · seen")
        await press_until(pilot, "t", told="no other entry is as likely here")


async def test_a_word_with_another_lemma_comes_with_its_own_sound(service: LocalService) -> None:
    add_dictionaries(service)
    async with reading(service, "Essen wir!", language="de") as pilot:
        await until_shown(pilot, "or essen · verb: to eat")
        assert not shows(pilot, "/esn/")
        await press_until(pilot, "t", shown="or Essen · noun: food")
        assert shows(pilot, "/esn/")
        await press_until(pilot, "c", told="clip saved")
        (focus,) = await clips(service)
        assert focus is not None
        assert (focus.surface, focus.lemma, focus.meanings) == ("Essen", "essen", ("to eat",))


async def test_an_answer_shows_it_too_and_what_was_saved_follows(service: LocalService) -> None:
    add_dictionaries(service)
    async with reading(service, "Work hard!", "They work here.") as pilot:
        await until_shown(pilot, "or work · verb: arbeiten")
        await press_until(pilot, "enter", holds=lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "or work · verb: arbeiten · t takes it")
        await press_until(pilot, "c", told="clip saved")
        await press_until(pilot, "t", shown="or work · noun: Arbeit")
        await press_until(pilot, "c", told="brought up to date")
        (focus,) = await clips(service)
        assert focus is not None and (focus.part_of_speech, focus.meanings) == ("verb", ("arbeiten",))
        await press_until(pilot, "escape", holds=lambda: isinstance(pilot.app.screen, ReaderScreen))
        await press_until(pilot, "t", "enter", holds=lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "or work · noun: Arbeit")
        await until_shown(pilot, "done")
        await press_until(pilot, "escape", holds=lambda: isinstance(pilot.app.screen, ReaderScreen))
        await press_until(pilot, "j", "l", "enter", holds=lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "They work here.")
        await until_shown(pilot, "done")
        await press_until(pilot, "t", told="no other entry is as likely here")


# Words of one's own, and the warning that a word has clips already.


@asynccontextmanager
async def at_zug(settings: Settings) -> AsyncIterator[tuple[Pilot[None], LocalService]]:
    """The whole app, in it the reader at "Zug", the third word of the first cue."""
    service = LocalService(settings)
    async with reading(service, "Da kommt Zug um Zug.", language="de") as pilot:
        await until_shown(pilot, "Da kommt")
        await press_until(pilot, "l", "l", shown="train")
        yield pilot, service


async def typed(pilot: Pilot[None], **fields: str) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, FieldsPrompt))
    for name, text in fields.items():
        pilot.app.screen.query_one(f"#{name}", Input).value = text
    await pilot.press("enter")


def text(pilot: Pilot[None]) -> str:
    return " ".join(" ".join(lines(pilot)).split())


async def test_a_meaning_a_note_and_phrases_are_shown_at_once_and_go_onto_the_clip(settings: Settings) -> None:
    async with at_zug(settings) as (pilot, service):
        await pilot.press("O")
        await typed(pilot, meaning="x" * 600)
        await until_shown(pilot, "at most 500 characters")
        assert pilot.app.screen.query_one("#meaning", Input).value == "x" * 600
        assert await service.own_words.all() == ()
        await typed(pilot, meaning="my train", note="der Zug, die Züge")
        await until_told(pilot, "kept for Zug")
        await until_shown(pilot, "my train")
        assert text(pilot).count("my train") == 1
        places = [text(pilot).index(part) for part in ("my train", "der Zug, die Züge", "noun (m, der)")]
        assert "train" in text(pilot)[places[-1] :]
        assert places == sorted(places)
        await press_until(pilot, "c", told="clip saved")
        (clip,) = (await service.clips.page()).items
        assert clip.focus is not None and clip.focus.meanings[0] == "my train"
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
        await press_until(pilot, "u", told="back again: Zug")


async def test_a_clip_of_a_word_that_has_some_says_so(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "ADDRESS", "http://127.0.0.1:9")
    async with at_zug(settings) as (pilot, service):
        await service.clips.add(NewClip("Die Züge fahren.", focus=FocusWord("Züge", lemma="Zug", language="de")))
        await service.clips.add(NewClip("Das Haus.", focus=FocusWord("Haus", lemma="Haus", language="de")))
        await press_until(pilot, "c", told="Zug had 1 clip already, C shows them")
        await press_until(pilot, "A", told="Anki does not answer at http://127.0.0.1:9")
        await press_until(pilot, "C", holds=lambda: isinstance(pilot.app.screen, ClipsScreen))
        await until_rows(pilot, 2)
        assert "Haus" not in text(pilot)
        await press_until(pilot, "escape", rows=3)


async def test_a_new_clip_of_a_word_that_has_a_card_in_anki_says_so_and_a_key_shows_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_anki(tmp_path / "collection.anki2") as anki:
        monkeypatch.setattr(connect, "ADDRESS", anki.address)
        anki.do(lambda collection: collection.known("der Zug"))
        async with at_zug(settings) as (pilot, service):
            await service.known_words.mark((WordMark("de", "Zug", state="learning"),), source="anki")
            await press_until(pilot, "c", told="Anki has a card of Zug, A shows it")
            await press_until(pilot, "A", told="Anki shows 1 note with Zug")
            assert anki.browsed == ['"w:Zug"']
            await press_until(pilot, "enter", holds=lambda: isinstance(pilot.app.screen, BreakdownScreen))
            await until_shown(pilot, "done")
            await press_until(pilot, "A", holds=lambda: len(anki.browsed) == 2)
            await press_until(pilot, "7", shown="Zug")
            asked = len(anki.asked)
            await pilot.press("A")  # of whatever word the cursor is on
            await until(pilot, lambda: len(anki.asked) > asked)
