"""States of words in the reader: tinted where they stand, changed by a key, and gone to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.screens.driving import lines, opened, shows, until, until_shown, until_told
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.settling import press, running, settled
from tui.records.words import CueStates, WordMark
from tui.screens.reader.places import Place
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


async def test_the_key_goes_through_the_states_and_the_pane_says_which(
    app: Stage, service: LocalService, transcript: str
) -> None:
    async with running(app, (120, 40)) as pilot:
        await press(pilot, "l")
        assert shows(pilot, "Zug  new")
        for state in ("learning", "known", "ignored", "new"):
            await press(pilot, "w")
            assert shows(pilot, f"Zug  {state}")
            assert (await states(service, transcript))["Zug"] == state


async def test_keys_pressed_at_once_change_the_words_they_were_pressed_on(
    app: Stage, service: LocalService, transcript: str
) -> None:
    async with running(app) as pilot:
        await pilot.press("w", "w", "l", "w", "l")
        await settled(pilot)
        found = await states(service, transcript)
        assert (found["Der"], found["Zug"], found["fährt"]) == ("known", "learning", "new")


async def test_sentences_are_known_that_were_under_the_eye_when_the_key_was_pressed(
    app: Stage, service: LocalService, transcript: str
) -> None:
    mark, go_on = LocalKnownWords.mark, asyncio.Event()

    async def waiting(self: LocalKnownWords, words: Sequence[WordMark], *, source: str = "user") -> int:
        await go_on.wait()
        return await mark(self, words, source=source)

    async with running(app) as pilot:
        with patch.object(LocalKnownWords, "mark", waiting):
            await pilot.press("W", "j", "j", "W", "j", "j")
            go_on.set()
            await settled(pilot)
        found = await states(service, transcript)
        assert [found[word] for word in ("Zug", "Bus", "wartet", "Dinge")] == ["known", "known", "new", "new"]


async def test_a_mark_is_kept_where_another_transcript_is_shown_before_it_was_seen(
    app: Stage, service: LocalService, transcript: str
) -> None:
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


async def test_in_a_narrow_terminal_the_state_stands_behind_the_word_above_the_text(app: Stage) -> None:
    async with running(app) as pilot:
        await press(pilot, "l", "w")
        assert any("Zug · learning" in line for line in lines(pilot))


@pytest.mark.exhaustive
async def test_the_whole_sentence_is_known_and_undo_takes_that_back(service: LocalService, transcript: str) -> None:
    await service.known_words.mark([WordMark("de", "Zug", state="learning")])
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Der  new")
        await pilot.press("W")
        await until_told(pilot, "3 words marked as known · u undoes it")
        found = await states(service, transcript)
        assert [found[word] for word in ("Der", "Zug", "fährt", "ab")] == ["known", "learning", "known", "known"]
        await until_shown(pilot, "Der  known")
        await pilot.press("W")
        await until_told(pilot, "no word of this sentence is new")
        await pilot.press("u")
        await until_shown(pilot, "Der  new")
        assert (await states(service, transcript))["fährt"] == "new"


@pytest.mark.exhaustive
async def test_a_changed_state_shows_at_every_place_in_sight(service: LocalService, transcript: str) -> None:
    await know(service, *HALF)
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Der  known")
        await pilot.press("j", "j", "l", "l")
        await until(pilot, lambda: coloured(pilot, "Bus") != coloured(pilot, "Zug"))
        plain, new = coloured(pilot, "Bus"), coloured(pilot, "Zug")
        assert coloured(pilot, "wartet") == new
        await pilot.press("k", "l", "w")
        await until(pilot, lambda: coloured(pilot, "Zug") not in (plain, new))
        await pilot.press("w")
        await until(pilot, lambda: len(coloured(pilot, "Zug")) == 1 and coloured(pilot, "Zug") <= plain)


@pytest.mark.exhaustive
@pytest.mark.parametrize("tints", ["text", "background", "underline", "off"])
async def test_new_and_learned_words_are_told_apart_in_the_tints_of_the_settings(
    service: LocalService, transcript: str, tints: str
) -> None:
    await know(service, *HALF)
    await service.known_words.mark([WordMark("de", "Zug", state="learning")])
    async with opened(service, (120, 40), section="2", rows=1, word_tints=tints) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Der  known")
        await pilot.press("G")
        await settled(pilot)
        looks = {word: look(pilot, word) for word in ("Bus", "Zug", "wartet")}
        assert len(set(looks.values())) == (1 if tints == "off" else 3)
        if tints in ("underline", "off"):
            assert len({style[:2] for style in looks.values()}) == 1


def look(pilot: Pilot[None], word: str) -> tuple[object, ...]:
    """Colours and attributes of a word in the text."""
    area = reader(pilot).region
    strips = pilot.app.screen._compositor.render_strips()[area.y : area.bottom]
    style = next(each.style for strip in strips for each in strip if word in each.text and each.style is not None)
    return style.color, style.bgcolor, style.underline, style.italic


@pytest.mark.exhaustive
async def test_the_palette_changes_the_tints_and_keeps_them(service: LocalService, transcript: str) -> None:
    await know(service, *HALF)
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Der  known")
        await pilot.press("ctrl+p")
        await pilot.press(*"word tints", "enter")
        await until_shown(pilot, "● text")
        await pilot.press(*"underline", "enter")
        await until(pilot, lambda: look(pilot, "Zug")[2])
    async with opened(LocalService(service._settings)) as pilot:
        assert shown_tints(pilot.app) == "underline"


@pytest.mark.exhaustive
@pytest.mark.parametrize("known", [(), HALF[:3]])
async def test_new_words_are_plain_where_most_words_are(
    service: LocalService, transcript: str, known: tuple[str, ...]
) -> None:
    await know(service, *known)
    await service.known_words.mark([WordMark("de", "ganz", state="learning")])
    async with opened(service, (120, 40), section="2", rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, f"Der  {'known' if known else 'new'}")
        await press(pilot, "j", "j", "j")
        assert coloured(pilot, "Zug") == coloured(pilot, "fährt")
        assert coloured(pilot, "Zug") != coloured(pilot, "Ganz")


async def test_tab_goes_to_the_next_new_word_and_i_to_the_next_sentence_with_just_one(
    service: LocalService, transcript: str
) -> None:
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


async def test_tab_still_leads_from_the_search_to_the_text(app: Stage) -> None:
    async with running(app) as pilot:
        await press(pilot, "slash", *"Bus")
        assert not reader(pilot).has_focus
        await press(pilot, "tab")
        assert reader(pilot).has_focus


async def test_texts_without_a_language_or_without_words_take_the_keys_too(service: LocalService) -> None:
    app = Stage(ReaderScreen(service, await add_transcript(service, timed(["♪♪♪", STATION[0]]), language=None)))
    async with running(app) as pilot:
        await press(pilot, "w", "W", "tab", "w", "j", "w")
        assert app.said() == ["no word of this sentence is new"]
