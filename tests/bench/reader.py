"""The reader: a key on a screen full of words with states, and what comes beside the text once the cursor rests."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.bench.dictionaries import make_dictionaries
from tests.bench.imports import MANY_FILES, home_with_lemmas, make_files, until_shown
from tests.bench.rows import Measured
from tests.bench.terminal import Program, percentile
from tests.server_process import LODE
from tests.store.adding_files import add_file
from tui.config import Settings
from tui.records.settings import ProfileSettings
from tui.records.transcripts import Cue, ReadingPlace
from tui.records.word_states import WordState
from tui.records.words import WordMark
from tui.screens.reader.reader import SETTLED_SECONDS
from tui.service.local import LocalService
from tui.store import Store

_KEYS, _ROUNDS = 200, 3
_PATTERN = "llljllkhhjjjkl"
_RESTS = 120
_QUIET = 0.35
"""Seconds without output after which the pane has come: longer than the cursor has to rest before it is asked for."""


def measure() -> list[Measured]:
    """The rounds alternate, so that a machine whose speed drifts slows both."""
    with tempfile.TemporaryDirectory() as place:
        home = _library(Path(place), 1)
        asyncio.run(_mark_words(home))
        ours: list[float] = []
        theirs: list[float] = []
        for _ in range(_ROUNDS):
            ours += _key_seconds(home)
            theirs += _key_seconds(home, "plain")
    return [Measured(percentile(ours, 0.95) * 1000, percentile(theirs, 0.95) * 1000)]


def measure_side_pane() -> list[Measured]:
    """What the word means, and then the lines in context, which are asked for together with that."""
    with tempfile.TemporaryDirectory() as place:
        home = _library(Path(place), MANY_FILES)
        make_dictionaries(home)
        return [_resting(home, ""), _resting(home, "P")]


def _resting(home: Path, pane: str) -> Measured:
    with _at_the_text([LODE], home) as program:
        if pane:
            program.send(pane)
            program.settle(1.0)
        rests = [_rest_seconds(program, "lllj"[number % 4]) for number in range(_RESTS)]
    return Measured(percentile(rests, 0.95) * 1000)


_STARTS, _CUES, _LEFT_AT = 15, 10_000, 5_000


def measure_continue() -> list[Measured]:
    """From ``enter`` right after a start to the text: where one left off, and the start of what was never opened.

    Each start is held to the one beside it, so that a machine whose speed drifts slows both.
    """
    with tempfile.TemporaryDirectory() as place:
        home = home_with_lemmas(Path(place))
        lines = [Cue(at, at * 2000, at * 2000 + 1500, f"Satz {at} an seinem Ort.") for at in range(_CUES)]
        with closing(Store.open(home)) as store:
            store.settings.save("default", ProfileSettings())  # else the start asks for them
            _, transcript = add_file(store, "film.srt", lines, profile="default", title="Der Film")
        _opening_seconds(home, transcript.id, None)  # warms the page cache
        pairs: list[tuple[float, float]] = []
        for run in range(_STARTS):
            turns = (_LEFT_AT, None) if run % 2 else (None, _LEFT_AT)
            took = {left_at: _opening_seconds(home, transcript.id, left_at) * 1000 for left_at in turns}
            pairs.append((took[_LEFT_AT], took[None]))
    opened = statistics.median(opened for _, opened in pairs)
    return [Measured(opened * statistics.median(continued / opened for continued, opened in pairs), opened)]


def _opening_seconds(home: Path, transcript: str, left_at: int | None) -> float:
    with closing(sqlite3.connect(home / "lode.db")) as connection, connection:
        connection.execute("DELETE FROM reading_places")
    if left_at is not None:
        with closing(Store.open(home)) as store:
            store.transcripts.leave_at("default", transcript, ReadingPlace(left_at, 0, left_at))
    with Program([LODE], environ={"LODE_HOME": str(home)}) as program:
        program.until("film.srt" if left_at is None else "Continue")
        program.settle()
        return until_shown(program, "\r", f"Satz {(left_at or 0) + 1} an seinem Ort".encode())


def _library(place: Path, files: int) -> Path:
    source, home = place / "films", home_with_lemmas(place)
    source.mkdir()
    make_files(source, files)
    subprocess.run([LODE, "--home", str(home), "add", str(source)], check=True, stdout=subprocess.DEVNULL)
    return home


async def _mark_words(home: Path) -> None:
    """Let a third of the words be known and a third be learned: every line then has some of each."""
    service = LocalService(Settings(home=home, config_path=home / "config.toml"), environ={})
    states: tuple[WordState, ...] = ("known", "learning")
    try:
        await service.words.prepare("de")
        words = (await service.known_words.page(language="de", limit=20_000)).items
        marked = [
            WordMark("de", word.lemma, word.reading, states[number % 3])
            for number, word in enumerate(words)
            if number % 3 < len(states)
        ]
        await service.known_words.mark(marked)
    finally:
        await service.close()


def _at_the_text(command: list[str], home: Path) -> Program:
    """The app in the middle of the newest transcript."""
    program = Program(command, environ={"LODE_HOME": str(home)})
    program.until("Transcripts")
    program.send("2")
    program.until("film-")
    program.settle()
    program.send("\r")
    program.settle(1.0)
    program.send("\x1b[6~" * 3)
    program.settle(1.0)
    return program


def _key_seconds(home: Path, *arguments: str) -> list[float]:
    with _at_the_text([sys.executable, "-m", "tests.bench.programs.reader_app", *arguments], home) as program:
        return [program.key(_PATTERN[number % len(_PATTERN)]) for number in range(_KEYS)]


def _rest_seconds(program: Program, key: str) -> float:
    """Seconds from when the cursor has rested on a word until the last byte of what is said of it."""
    pressed = last = time.monotonic()
    program.send(key)
    while program.read(_QUIET):
        last = time.monotonic()
    return last - pressed - SETTLED_SECONDS
