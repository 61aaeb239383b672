"""Bytes that the app sends: for a key in the reader and in a list, for a section, for an answer; and what they cost.

Bytes have no noise. All that follows a key is counted, what comes once the cursor rests as well.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyte

from tests.bench.library import searched_library
from tests.bench.programs.stream_tokens import tokens
from tests.bench.rows import Measured
from tests.bench.served import run_model_server
from tests.bench.terminal import SIZE, AnsweringProgram
from tests.server_process import LODE
from tests.slow_line import SlowProgram

_COLUMNS, _ROWS = SIZE
_STILL = 1.3
"""Seconds without output after which the screen stands still: a second after it has come to rest, a place is kept."""
_SCROLLED = 200
_CUES = 50
_PATIENCE = 120.0
_KEYS, _BETWEEN = 300, 0.03
"""Keys in the reader, and seconds between most of them."""
_PATTERN = (*"llljlhhjjk", "\x1b[6~", "\x1b[5~", *"jJK", "\x04", "\x15", *"Gg")
_TIME = slice(3, 8)
"""The columns in which the reader has the time of a line, behind the marks of place and cursor."""


def _home() -> Mapping[str, str]:
    return {"LODE_HOME": str(searched_library())}


class _Watched:
    """The app with the large library, and what its screen shows."""

    def __init__(self) -> None:
        self.program = AnsweringProgram([LODE], environ=_home())
        self.screen = pyte.Screen(_COLUMNS, _ROWS)
        self._stream = pyte.ByteStream(self.screen)
        self._shown = 0
        self.program.until("Transcripts")
        self.program.settle(1.0)

    def __enter__(self) -> _Watched:
        return self

    def __exit__(self, *_: object) -> None:
        self.program.__exit__(None, None, None)

    def bytes_of(self, keys: str) -> int:
        """Bytes that come until the screen stands still."""
        before = len(self.program.output)
        self.program.send(keys)
        self.program.settle(_STILL)
        return len(self.program.output) - before

    def feed(self, output: bytes) -> None:
        self._stream.feed(output)

    def cells(self) -> list[object]:
        """All that is on the screen, and where the cursor is."""
        lines = [
            [line[column] for column in range(_COLUMNS)] for line in map(self.screen.buffer.__getitem__, range(_ROWS))
        ]
        return [lines, self.screen.cursor.x, self.screen.cursor.y]

    def shows(self) -> list[str]:
        self._stream.feed(bytes(self.program.output[self._shown :]))
        self._shown = len(self.program.output)
        return list(self.screen.display)

    def open_reader(self) -> None:
        """Open the newest transcript at its first line."""
        for keys in ("2", "g", "\r", "g"):
            self.bytes_of(keys)


def measure() -> list[Measured]:
    return [*_keys(), _streamed(), *_held(), *_painted_twice()]


def _keys() -> list[Measured]:
    with _Watched() as app:
        for section in "1234567":
            app.program.send(section)
            app.program.settle(2.0)  # a first visit builds what it shows, and may take its time before it
        sections = [app.bytes_of(section) for section in "1234567" * 2]
        in_list, scrolling_list = _in_place(app), _scrolling(app)
        app.open_reader()
        words = [app.bytes_of(key) for key in "lllhhh" * 4]
        in_place = [app.bytes_of(key) for key in "jjjkkk" * 4]
        return [
            Measured(statistics.median(words)),
            Measured(statistics.median(in_place)),
            Measured(statistics.median(_scrolling_lines(app))),
            Measured(in_list),
            Measured(scrolling_list),
            Measured(statistics.median(sections)),
            _unchanged(app),
        ]


def _in_place(app: _Watched) -> float:
    for keys in ("3", "g"):
        app.bytes_of(keys)
    return statistics.median(app.bytes_of("j") for _ in range(20))


def _scrolling(app: _Watched) -> float:
    """Mean of many keys, each sent once the one before it is painted."""
    for _ in range(2 * _ROWS):
        app.program.key("j")
    app.program.settle(_STILL)
    before = len(app.program.output)
    for _ in range(_SCROLLED):
        app.program.key("j")
    app.program.settle(_STILL)
    return (len(app.program.output) - before) / _SCROLLED


def _scrolling_lines(app: _Watched) -> Iterator[int]:
    """Bytes of the steps in the reader that scroll, down to the end and up again."""
    for key in "jk":
        app.bytes_of("g" if key == "j" else "G")
        times, scrolled = _times(app), 0
        for _ in range(_CUES):
            sent = app.bytes_of(key) if scrolled else _painted(app, key)
            before, times = times, _times(app)
            scrolled += before != times
            if scrolled > 1 and before != times:  # the first one may have been cut off
                yield sent


def _painted(app: _Watched, key: str) -> int:
    app.program.key(key)
    return 0


def _times(app: _Watched) -> list[str]:
    """The times of the lines in sight."""
    return [line[_TIME] for line in app.shows()]


def _unchanged(app: _Watched) -> Measured:
    """How many of the paints that many keys in the reader bring show what the one before them showed.

    Those that come together, before they are read, count as one.
    """
    app.shows()
    paints, unchanged, before = 0, 0, app.cells()
    for number in range(_KEYS):
        app.program.send(_PATTERN[number % len(_PATTERN)])
        while paint := app.program.read(_STILL if number % 8 == 7 else _BETWEEN):
            app.feed(paint)
            now = app.cells()
            paints, unchanged, before = paints + 1, unchanged + (now == before), now
    return Measured(unchanged, words={"paints": paints, "keys": _KEYS})


# An answer, streamed by a fast model.


def _streamed() -> Measured:
    with run_model_server("model_server") as model, tempfile.TemporaryDirectory() as home:
        (Path(home) / "config.toml").write_text(f'[providers.bench]\nbase_url = "{model}"\n', "utf-8")
        for command in (("add", "--samples"), ("template", "set", "--model", "bench:paced")):
            subprocess.run([LODE, "--home", home, *command], check=True, stdout=subprocess.DEVNULL)
        with AnsweringProgram([LODE, "--home", home, "read", "der", "letzte"]) as program:
            program.until("kalter")
            program.settle(_STILL)
            program.send("l\r")
            program.until("separable")  # the first words are there
            before = len(program.output)
            program.settle(_STILL, timeout=_PATIENCE)
            sent = len(program.output) - before
    return Measured(sent / len("".join(tokens()).encode()))


# A key held down, where the line is slow.

_HELD, _PAUSE = 20, 1 / 30
"""Times, and seconds between two."""
_ROUND_TRIP, _BYTES_PER_SECOND = 0.3, 8_000
_PLACES: Mapping[str, tuple[str, ...]] = {"the clips": ("3", "g", "\x1b[6~"), "the reader": ("2", "g", "\r", "g")}
"""The keys to each: to the end of a page of the list, which then scrolls, and to the first line of a text."""


@dataclass(frozen=True, slots=True)
class _Held:
    """Bytes of a whole frame and of all that the keys brought; seconds from the last key to the last byte."""

    frame: int
    sent: int
    seconds: float


def _held() -> list[Measured]:
    """The bytes where they are most, the seconds where they are most beyond what the line takes for the bytes."""
    with SlowProgram([LODE], environ=_home(), round_trip=_ROUND_TRIP, bytes_per_second=_BYTES_PER_SECOND) as program:
        program.until("Transcripts")
        found = {place: _held_there(program, keys) for place, keys in _PLACES.items()}
    most = max(found, key=lambda place: found[place].sent / found[place].frame)
    latest = max(found, key=lambda place: found[place].seconds - found[place].sent / _BYTES_PER_SECOND)
    return [
        Measured(found[most].sent, found[most].frame, {"place": most}),
        Measured(found[latest].seconds, found[latest].sent / _BYTES_PER_SECOND, {"place": latest}),
    ]


def _held_there(program: SlowProgram, keys: Sequence[str]) -> _Held:
    for key in keys:
        program.send(key)
        program.settle(_STILL, timeout=_PATIENCE)
    began = len(program.output)
    for number in range(_HELD):
        due = time.monotonic() + _PAUSE
        program.send("j")
        while number < _HELD - 1 and (left := due - time.monotonic()) > 0:
            program.read(left)
    released = last = time.monotonic()
    while program.read(_STILL):
        last = time.monotonic()
    sent = len(program.output) - began
    program.send("\x0c")  # ctrl+l draws all anew
    program.settle(_STILL, timeout=_PATIENCE)
    return _Held(len(program.output) - began - sent, sent, last - released)


# What it costs to send less: each paint with the layer that does, and without it.

_SECTIONS = "1234567"
_VISITS, _STEPS = 8, 60


def _painted_twice() -> list[Measured]:
    """The paints of a cursor's steps, and of sections that have been visited before."""
    with tempfile.TemporaryDirectory() as directory:
        found = Path(directory) / "paints"
        command = [sys.executable, "-m", "tests.bench.programs.painting_app", str(found)]
        with AnsweringProgram(command, environ=_home()) as program:
            program.until("Transcripts")
            program.settle(2.0)
            for visit in range(_VISITS):
                for section in _SECTIONS:
                    program.send(section)
                    program.settle(0.3 if visit else 2.0)
            program.send("3g")
            program.settle()
            for number in range(_STEPS):
                program.key("jjjkkk"[number % 6])
            program.send("\x11")  # ctrl+q
            program.finish(_PATIENCE)
        paints = json.loads(found.read_text())
    few = [paint for paint in paints if paint[0] <= 2]
    whole = [paint for paint in paints if paint[1]][len(_SECTIONS) + 1 :]  # a first visit shows nothing yet
    return [_medians(few), _medians(whole)]


def _medians(paints: Sequence[Sequence[float]]) -> Measured:
    ours, theirs = (statistics.median(paint[at] for paint in paints) for at in (2, 3))
    return Measured(ours, theirs, {"paints": len(paints)})
