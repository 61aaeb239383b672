"""States of words in the reader: tinted where they stand, changed by a key, and gone to."""

import asyncio
from collections.abc import Sequence
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.screens.driving import Typed, opened, press_until, shows, until, until_shown
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import press, running, settled
from tui.records.words import CueStates, WordMark
from tui.screens.places import Place
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService
from tui.service.words.known_words import LocalKnownWords
from tui.widgets.chrome.themes import shown_tints
from tui.widgets.transcript.cue_reader import CueReader

TEXT = ("Der Zug fährt ab.", "Der Zug wartet.", "Ein Bus fährt auch ab.", "Der Bus wartet.", "Ganz andere Dinge!")
HALF = ("Bus", "Der", "fahren", "ab")
"""Lemmas that make up half of the text: new words are tinted where no more are new."""
LEMMAS = ("Der", "Zug", "fahren", "ab", "warten", "Ein", "Bus", "auch")


@pytest.fixture
async def transcript(service: LocalService) -> str:
    added = await add_transcript(service, timed(TEXT))
    await service.words.prepare("de")  # what is marked before the words have their lemmas is another word
    return added


@pytest.fixture
def app(service: LocalService, transcript: str) -> Stage:
    return Stage(ReaderScreen(service, transcript))


def reader(pilot: Pilot[None]) -> CueReader:
    return pilot.app.screen.query_one(CueReader)


async def know(service: LocalService, *lemmas: str) -> None:
    await service.known_words.mark([WordMark("de", lemma) for lemma in lemmas])


async def states(service: LocalService, transcript: str) -> dict[str, str]:
    """State of each word of the transcript, by how it stands there."""
    found = await service.known_words.of_cues(transcript)
    return {TEXT[cue.index][word.start : word.end]: word.state for cue in found for word in cue.words}


def coloured(pilot: Pilot[None], word: str) -> set[str | None]:
    """Colours of a word's places that have no mark of the focus on them."""
    area = reader(pilot).region
    found = set()
    for strip in pilot.app.screen._compositor.render_strips()[area.y : area.bottom]:
        for segment in strip:
            if word in segment.text and segment.style is not None and not segment.style.reverse:
                found.add(segment.style.color.name if segment.style.color is not None else None)
    return found


async def test_the_key_goes_through_states_that_are_shown(app: Stage, service: LocalService, transcript: str) -> None:
    async with running(app, (120, 40)) as pilot:
        await press(pilot, "l")
        assert shows(pilot, "Zug  new")
        for state in ("learning", "known", "ignored", "new"):
            await press(pilot, "w")
            assert shows(pilot, f"Zug  {state}")
            assert (await states(service, transcript))["Zug"] == state
        await pilot.resize_terminal(80, 24)
        await until_shown(pilot, "Zug · new")


async def test_words_are_marked_where_the_key_was_pressed(app: Stage, service: LocalService, transcript: str) -> None:
    mark, go_on = LocalKnownWords.mark, asyncio.Event()

    async def waiting(self: LocalKnownWords, words: Sequence[WordMark], *, source: str = "user") -> int:
        await go_on.wait()
        return await mark(self, words, source=source)

    async with running(app) as pilot:
        with patch.object(LocalKnownWords, "mark", waiting):
            await pilot.press("w", "w", "l", "w", "l", "j", "j", "W", "j", "j")
            go_on.set()
            await settled(pilot)
        found = await states(service, transcript)
        assert [found[word] for word in ("Der", "Zug", "fährt", "Bus", "auch", "wartet", "Dinge")] == [
            *("known", "learning", "known", "known", "known", "new", "new")
        ]


async def test_a_mark_is_kept_though_another_text_is_shown(app: Stage, service: LocalService, transcript: str) -> None:
    other = await add_transcript(service, timed(("Guten Tag.",)), title="Other")
    of_cues, held, go_on = LocalKnownWords.of_cues, asyncio.Event(), asyncio.Event()

    async def waiting(self: LocalKnownWords, transcript_id: str, *, offset: int, limit: int) -> tuple[CueStates, ...]:
        if transcript_id == transcript:
            held.set()
            await go_on.wait()
        return await of_cues(self, transcript_id, offset=offset, limit=limit)

    async with running(app) as pilot:
        with patch.object(LocalKnownWords, "of_cues", waiting):
            await pilot.press("w", "w")
            await held.wait()
            screen = pilot.app.screen
            assert isinstance(screen, ReaderScreen)
            screen.go_to_place(Place(other, 0))
            await until_shown(pilot, "Guten Tag.")
            await settled(pilot)
        assert app.said() == []
        assert (await states(service, transcript))["Der"] == "learning", "the second press was of a text that is left"
        found = await service.known_words.of_cues(other)
        assert {word.state for cue in found for word in cue.words} == {"new"}


@pytest.mark.exhaustive
async def test_the_whole_sentence_is_known_and_undo_takes_that_back(service: LocalService, transcript: str) -> None:
    await service.known_words.mark([WordMark("de", "Zug", state="learning")])
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await press_until(pilot, "enter", shown="Der  new")
        await press_until(pilot, "W", told="3 words marked as known · u undoes it")
        found = await states(service, transcript)
        assert [found[word] for word in ("Der", "Zug", "fährt", "ab")] == ["known", "learning", "known", "known"]
        await until_shown(pilot, "Der  known")
        await press_until(pilot, "W", told="no word of this sentence is new")
        await press_until(pilot, "u", shown="Der  new")
        assert (await states(service, transcript))["fährt"] == "new"


@pytest.mark.exhaustive
async def test_a_changed_state_shows_at_every_place_in_sight(service: LocalService, transcript: str) -> None:
    await know(service, *HALF)
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await press_until(pilot, "enter", shown="Der  known")
        await press_until(pilot, "j", "j", "l", "l", holds=lambda: coloured(pilot, "Bus") != coloured(pilot, "Zug"))
        plain, new = coloured(pilot, "Bus"), coloured(pilot, "Zug")
        assert coloured(pilot, "wartet") == new
        await press_until(pilot, "k", "l", "w", holds=lambda: coloured(pilot, "Zug") not in (plain, new))
        await press_until(
            pilot, "w", holds=lambda: len(coloured(pilot, "Zug")) == 1 and coloured(pilot, "Zug") <= plain
        )


@pytest.mark.exhaustive
async def test_new_and_learned_words_have_tints_that_are_kept(service: LocalService, transcript: str) -> None:
    await know(service, *HALF)
    await service.known_words.mark([WordMark("de", "Zug", state="learning")])
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await press_until(pilot, "enter", shown="Der  known")
        await pilot.press("G")
        for tints, count in (("text", 3), ("background", 3), ("off", 1), ("underline", 3)):
            await press_until(pilot, "ctrl+p", Typed("word tints"), "enter", shown="● ")
            await pilot.press(*tints, "enter")
            await until(pilot, lambda: shown_tints(pilot.app) == tints and not pilot.app.screen.is_modal)
            await settled(pilot)
            looks = {word: look(pilot, word) for word in ("Bus", "Zug", "wartet")}
            assert len(set(looks.values())) == count, tints
            if tints in ("underline", "off"):
                assert len({style[:2] for style in looks.values()}) == 1
    async with opened(LocalService(service._settings)) as pilot:
        assert shown_tints(pilot.app) == "underline"


def look(pilot: Pilot[None], word: str) -> tuple[object, ...]:
    """Colours and attributes of a word in the text."""
    area = reader(pilot).region
    strips = pilot.app.screen._compositor.render_strips()[area.y : area.bottom]
    style = next(each.style for strip in strips for each in strip if word in each.text and each.style is not None)
    return style.color, style.bgcolor, style.underline, style.italic


@pytest.mark.exhaustive
async def test_new_words_are_plain_where_most_words_are(service: LocalService, transcript: str) -> None:
    await know(service, *HALF[:3])
    await service.known_words.mark([WordMark("de", "ganz", state="learning")])
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await press_until(pilot, "enter", shown="Der  known")
        await press(pilot, "j", "j", "j")
        assert coloured(pilot, "Zug") == coloured(pilot, "fährt") != coloured(pilot, "Ganz")


async def test_tab_goes_to_the_next_new_word_i_to_a_sentence_with_one(service: LocalService, transcript: str) -> None:
    await know(service, *LEMMAS[:6])
    app = Stage(ReaderScreen(service, transcript))
    async with running(app) as pilot:
        await press(pilot, "tab")
        assert (reader(pilot).cue_index, reader(pilot).focus_text) == (2, "Bus")
        await press(pilot, "tab")
        assert (reader(pilot).cue_index, reader(pilot).focus_text) == (2, "auch")
        await press(pilot, "g", "i")
        assert (reader(pilot).cue_index, reader(pilot).focus_text) == (3, "Bus")
        await press(pilot, "i")
        assert app.said() == ["no sentence with just one new word from here on"]
        await pilot.press("g", "tab", "tab", "tab")
        await settled(pilot)
        assert (reader(pilot).cue_index, reader(pilot).focus_text) == (3, "Bus")


async def test_texts_without_a_language_or_without_words_take_the_keys_too(service: LocalService) -> None:
    app = Stage(ReaderScreen(service, await add_transcript(service, timed(["♪♪♪", STATION[0]]), language=None)))
    async with running(app) as pilot:
        await press(pilot, "w", "W", "tab", "w", "j", "w")
        assert app.said() == ["no word of this sentence is new"]
