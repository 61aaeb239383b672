"""Pictures of every screen and every dialog in three sizes and two themes: each keeps the rules of ``picture_rules``.

With ``LODE_PICTURES`` set to a directory they are written there, to be looked at.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import pkgutil
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeAlias

import pytest
from textual.content import Content
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import Screen

import tui.screens
from tests.screens.driving import add_files, assert_is_clean, keep_clips, opened, until
from tests.screens.picture_rules import faults
from tests.screens.stage import STATION, add_transcript, timed
from tui.records.clips import ConcordanceLine, FocusWord
from tui.records.dictionaries import Dictionary, DictionaryEntry, FoundEntry, LookUp, Sense
from tui.records.files import EncodingReading
from tui.records.reviews import Change
from tui.records.search import View
from tui.records.transcripts import OriginalCue, ReadingPlace
from tui.records.vocabulary import NoteType, VocabularyField, VocabularyOffer
from tui.screens.section import OVERLAYS, SECTIONS
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest
from tui.store import Store

pytestmark = pytest.mark.exhaustive

SIZES = (80, 24), (120, 40), (60, 16)
"""The usual one, a large one, and the smallest that Lode is for."""
COVERED = 50, 15
"""Smaller than that: the app says so."""
PICTURES = os.environ.get("LODE_PICTURES", "")
THEMES = "lode-dark", "lode-light"
Make: TypeAlias = Callable[[LocalService, str], Screen[Any]]


@dataclass(frozen=True)
class Way:
    """How a screen is opened: by keys, from the list of files on, or ``made`` and laid over that."""

    keys: tuple[str, ...] = ()
    made: Make | None = None


def _made(path: str, *given: Any, **options: Any) -> Way:
    return Way(made=lambda service, transcript: resolve_name(path)(*given, **options))


READINGS = [EncodingReading(name, "de", ("Hoffentlich fährt er überhaupt noch ab.",)) for name in ("utf-8", "cp1252")]
FIELDS = tuple(VocabularyField(name, ("die Verspätung",)) for name in ("Front", "Back"))
DECKS = ("Deutsch", "Deutsch::Verben")
ANSWERS = (("y", "Mark"), ("f", "Field"), ("d", "Deck"), ("esc", "Back"))
DICTIONARY = Dictionary(
    id="d1",
    title="Wiktionary, extracted by kaikki.org",
    format="kaikki",
    source_language="de",
    target_language="en",
    revision="2026-11-01",
    license="CC BY-SA 4.0",
    author="the editors of Wiktionary",
    url="https://kaikki.org/dictionary/German",
    attribution="https://en.wiktionary.org",
    frequency_mode=None,
    entry_count=312_000,
    size_bytes=80_000_000,
    file_name="kaikki.org-dictionary-German.jsonl",
    created_at="2026-11-01T10:00:00.000Z",
    description="Words of German in English. " * 12,
)
SENSES = tuple(Sense((gloss,)) for gloss in ("to go, to travel by a vehicle", "to drive", "to leave " * 20))
FOUND = LookUp("fährt", (FoundEntry(DictionaryEntry("fahren", "", ("verb",), SENSES), DICTIONARY, "lemma"),))
READER = ("2", "enter")
WAYS: Mapping[str, Way] = {
    **{resolve_name(path).__name__: Way((f"{place}",)) for place, path in enumerate(SECTIONS.values(), 1)},
    "ReaderScreen": Way(READER),
    "ClipForm": Way(("3", "E")),
    "HistoryScreen": Way(("5", "H")),
    "DictionariesScreen": Way(("7", "d")),
    "BookmarksScreen": Way(("apostrophe",)),
    "ReviewsScreen": Way(("B",)),
    "ReviewScreen": Way(("B", "enter")),
    "NextWordsScreen": Way(("7", "tab")),
    "WordOverviewScreen": Way(("7", "shift+tab")),
    "WordPlacesScreen": Way(("7", "enter")),
    "KeysScreen": Way(("question_mark",)),
    "FindAnything": Way(("ctrl+f", *"zug")),
    "Palette": Way(("ctrl+p",)),
    "UndoList": Way(("U",)),
    "Labels": Way(("f",)),
    "ProfileChoice": Way(("at",)),
    "ListLookChoice": Way(("s",)),
    "AddPrompt": Way(("a",)),
    "Confirm": Way(("d",)),
    "TagPrompt": Way(("3", "number_sign")),
    "FieldsPrompt": Way(("2", "E")),
    "WordView": Way(("7", "v")),
    "DictionaryEntryScreen": Way((*READER, "D")),
    "JobDetails": Way(("6", "enter")),
    "TrackChoice": Way(("2", "T")),
    "Choice": _made("tui.screens.dialogs.questions:Choice", "120 words · 80 to be marked", ANSWERS, ("of 2 decks",)),
    "_FirstNamePrompt": _made(
        "tui.screens.dialogs.views:_FirstNamePrompt", "A name for this filter", hint="enter keeps it"
    ),
    "ModelChoice": Way(made=lambda service, _: _screen("tui.screens.answer.model_choice:ModelChoice")(service.llm)),
    "ViewChoice": Way(made=lambda service, _: _screen("tui.screens.dialogs.views:ViewChoice")(service)),
    "ImportChanges": Way(
        made=lambda service, film: _screen("tui.screens.reader.import_changes:ImportChanges")(service.transcripts, film)
    ),
    "FieldChoice": _made(
        "tui.screens.words.import_words:FieldChoice",
        VocabularyOffer("anki", (NoteType("Basic", FIELDS, 120, "Front"),), DECKS),
    ),
    "DeckChoice": _made("tui.screens.words.import_words:DeckChoice", DECKS),
    "SenseChoice": _made("tui.screens.review.cards:SenseChoice", FocusWord("fährt", language="de"), FOUND),
    "EncodingDoctor": _made("tui.screens.lists.reread_files:EncodingDoctor", "Which reads right?", READINGS),
    "DictionaryDetails": _made("tui.screens.lists.dictionaries:DictionaryDetails", DICTIONARY),
    "GuideScreen": _made("tui.screens.dialogs.panels:GuideScreen", "reading", "# Reading\n\nA *guide*.\n\n    lode\n"),
    "InContext": Way(
        made=lambda _, film: _screen("tui.screens.reader.side_pane:InContext")(
            Content("Zug"),
            [ConcordanceLine(text, 0, 5, "Der letzte Zug", film, cue, None) for cue, text in enumerate(STATION[3:6])],
            (film, 0),
        )
    ),
}
COVER = "TooSmall"


def _screen(path: str) -> Any:
    return resolve_name(path)


def screens_of(kind: type[Any]) -> Iterator[type[Any]]:
    """The screens of Lode that are shown: those that no other one is made from."""
    for each in kind.__subclasses__():
        yield from screens_of(each)
        is_base = any(one.__module__.startswith("tui.") for one in each.__subclasses__())
        if each.__module__.startswith("tui.") and not is_base:
            yield each


def test_there_is_a_way_to_every_screen() -> None:
    for module in pkgutil.walk_packages(tui.screens.__path__, "tui.screens."):
        importlib.import_module(module.name)
    assert {each.__name__ for each in screens_of(Screen)} == {*WAYS, COVER}
    assert {resolve_name(path).__name__ for path in (*SECTIONS.values(), *OVERLAYS.values())} <= WAYS.keys()


async def filled(service: LocalService) -> str:
    """A library with some of everything, whose newest film was begun; gives that one's id."""
    await add_files(service, "zug.srt", "faro.de.srt")
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung.", "Haus": "Das Haus ist alt.", "Tag": "Guten Tag."})
    changed = OriginalCue(3, "repaired", ("hyphens",), 1000, 2000, "Hoffentlich fährt er über- haupt noch ab.")
    film = await add_transcript(service, timed(STATION), originals=(changed,))
    await service.bookmarks.put(film, 3, name="the train")
    await service.transcripts.note(film, 3, "abfahren: fährt … ab")
    await service.transcripts.leave_at(film, ReadingPlace(3, 1, 4))
    await service.views.save(View("Trains", "clips", "zug", "word"))
    await service._library.change(lambda store: _propose(store, service.profile, film))
    async for _ in service.llm.breakdown(BreakdownRequest(STATION[3], "fährt", model="lexicon:local")):
        pass
    return film


def _propose(store: Store, profile: str, film: str) -> None:
    """Let translations wait, and corrections, the last one a doubtful one."""
    texts = [cue.text for cue in store.transcripts.cues(profile, film).items]
    english = store.reviews.begin(profile, film, "translation", "ollama:qwen3:8b", into="en")
    store.reviews.add(profile, english, [Change(at, text, "It leaves.") for at, text in enumerate(texts)])
    german = store.reviews.begin(profile, film, "correction", "ollama:qwen3:8b")
    changes = [Change(at, text, f"{text[:-1]}!", is_doubtful=at == len(texts) - 1) for at, text in enumerate(texts)]
    store.reviews.add(profile, german, changes)


@pytest.mark.parametrize("first", range(len(SIZES)))
async def test_every_screen_can_be_read(service: LocalService, first: int) -> None:
    """A third of the screens, each opened in another size than the one before it, and then drawn in the others too.

    A theme is what costs most to change: the next screen begins with the one that is there.
    """
    film, wrong = await filled(service), dict[str, list[str]]()
    sizes, themes = deque(SIZES), deque(THEMES)
    async with opened(service, SIZES[0]) as pilot:
        for name, way in list(WAYS.items())[first :: len(SIZES)]:
            await home(pilot)
            await resize(pilot, sizes[0])
            if way.made is not None:
                await pilot.app.push_screen(way.made(service, film))
            for key in way.keys:
                await pilot.press(key)
                await still(pilot)
            for theme in themes:
                pilot.app.theme = theme
                for size in sizes:
                    await resize(pilot, size)
                    await keep_picture(pilot, f"{name}-{theme}-{size[0]}x{size[1]}")
                    is_there = type(pilot.app.screen).__name__ == name
                    found = faults(pilot.app.screen, Size(*size)) if is_there else [f"{pilot.app.screen!r} is there"]
                    if found:
                        wrong[f"{name} {theme} {size}"] = found
                    assert_is_clean(pilot)
                sizes.reverse()
            sizes.rotate(-1)
            themes.reverse()
    assert not wrong, "\n".join(f"{name}: {fault}" for name, found in wrong.items() for fault in found)


@pytest.mark.parametrize("theme", THEMES)
async def test_a_terminal_that_is_too_small_is_told_so(service: LocalService, theme: str) -> None:
    async with opened(service, theme=theme) as pilot:
        await pilot.resize_terminal(*COVERED)
        await until(pilot, lambda: type(pilot.app.screen).__name__ == COVER)
        await still(pilot)
        await keep_picture(pilot, f"{COVER}-{theme}-{COVERED[0]}x{COVERED[1]}")
        assert not faults(pilot.app.screen, Size(*COVERED))
        assert_is_clean(pilot)


async def home(pilot: Pilot[None]) -> None:
    """Back at the list of files, with nothing over it."""
    for _ in range(8):
        if type(pilot.app.screen).__name__ == "FilesScreen":
            return
        await pilot.press("escape")
        await still(pilot)
        if not pilot.app.screen.is_modal:
            await pilot.press("1")
            await still(pilot)
    raise AssertionError(f"no way out of {pilot.app.screen!r}")


async def resize(pilot: Pilot[None], size: tuple[int, int]) -> None:
    if pilot.app.size != Size(*size):
        await pilot.resize_terminal(*size)
    await still(pilot)


async def still(pilot: Pilot[None]) -> None:
    """Until nothing that was asked for is on its way, or until a dialog waits for an answer."""
    before = ""
    for _ in range(200):
        await pilot.pause()
        await asyncio.sleep(0.02)
        now = "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())
        if now == before:
            return
        before = now


async def keep_picture(pilot: Pilot[None], name: str) -> None:
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        (Path(PICTURES) / f"{name}.svg").write_text(pilot.app.export_screenshot(title=name), "utf-8")
