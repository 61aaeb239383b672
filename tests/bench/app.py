"""The app and the commands: starts with a million clips, keys in a list and in a template, what a stream costs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyte

from tests.bench.library import SECOND_ROW, million_clips, searched_library
from tests.bench.programs.stream_tokens import SECONDS, TOKENS_PER_SECOND, tokens
from tests.bench.rows import Measured
from tests.bench.terminal import SIZE, Cost, Program, TooSlow, percentile
from tests.server_process import LODE
from tui.records.settings import ProfileSettings
from tui.store import Store

# From the command to the first frame and the first rows, against a bare Textual app; a section's first visit.

_STARTS = 15
_BARE = """
from textual.app import App
from textual.widgets import Footer, Header, Static

class Bare(App):
    def compose(self):
        yield Header()
        yield Static("nothing but this line")
        yield Footer()

Bare().run()
"""


_LISTS = (("", "film-19998"), ("2", "Film 19998"), ("3", SECOND_ROW), ("7", "heute"))
"""Keys of the lists ("" for the one that the start shows), each with what its second row shows, and nothing before."""


def measure_startup() -> list[Measured]:
    """Starts of a bare app and ours in turn, each with one list; the medians of the ratios are what counts."""
    environ = {"LODE_HOME": str(searched_library())}
    rounds: list[tuple[float, ...]] = []
    for run in range(_STARTS + 1):
        with Program([sys.executable, "-c", _BARE]) as program:
            bare = program.until("nothing but this line")
        frames, rows = list[float](), list[float]()
        for key, second_row in _LISTS:
            with Program([LODE], environ=environ) as program:
                frames.append(program.until("Transcripts"))
                program.send(key)
                rows.append(program.until(second_row))
        if run:  # the first round warms the page cache
            rounds.append((bare, frames[0], *rows))
    base = statistics.median(bare for bare, *_ in rounds) * 1000
    ratios = [[each / bare for each in ours] for bare, *ours in rounds]
    return [*(Measured(statistics.median(each) * base, base) for each in zip(*ratios, strict=True)), *measure_visits()]


_VISITS = 15
_SECTIONS = (
    ("2", "No transcripts yet"),
    ("3", "No clips yet"),
    ("4", "System message"),
    ("5", "Nothing has been asked"),
    ("6", "No jobs"),
    ("7", "No words yet"),
)
"""Keys of the sections that are not the first, each with what its first frame shows in an empty library."""


def measure_visits() -> list[Measured]:
    """First visits of the sections, one in each start, against the first frame of a bare Textual app."""
    rounds: list[tuple[float, ...]] = []
    with tempfile.TemporaryDirectory() as home:
        with closing(Store.open(Path(home))) as store:
            store.settings.save("default", ProfileSettings())  # else the start asks for them
        for run in range(_VISITS + 1):
            with Program([sys.executable, "-c", _BARE]) as program:
                bare = program.until("nothing but this line")
            took = (bare, *(_visit_seconds(home, key, shown) for key, shown in _SECTIONS))
            if run:  # the first round warms the page cache
                rounds.append(took)
    base, *figures = (statistics.median(each) * 1000 for each in zip(*rounds, strict=True))
    return [Measured(figure, base) for figure in figures]


def _visit_seconds(home: str, key: str, shown: str) -> float:
    """From a section's key to its first frame on the first visit, right after the start."""
    with Program([LODE], environ={"LODE_HOME": home}) as program:
        program.until("Nothing here yet")
        program.settle()
        pressed = time.monotonic()
        program.send(key)
        return program.until(shown) + program.started - pressed


# Whole commands against ``python -c 'import click'``: what a person waits for at a prompt.

_RUNS = 15


def measure_commands() -> list[Measured]:
    """The commands are run in turn, so that a machine whose speed drifts slows all; the medians are compared."""
    environ = {**os.environ, "LODE_HOME": str(million_clips())}
    yardstick = [sys.executable, "-c", "import click"]
    commands = (yardstick, [LODE, "--version"], [LODE, "clips", "list", "--limit", "50", "--json"])
    times: list[list[float]] = [[] for _ in commands]
    for run in range(_RUNS + 1):
        for command, took in zip(commands, times, strict=True):
            started = time.perf_counter()
            subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=True)
            if run:  # the first round warms the page cache
                took.append(time.perf_counter() - started)
    base, *figures = (statistics.median(took) * 1000 for took in times)
    return [Measured(figure, base) for figure in figures]


# A streamed explanation, against Textual's ``Markdown.get_stream`` with the same text at the same pace.


def measure_token_log() -> list[Measured]:
    count = TOKENS_PER_SECOND * SECONDS
    text_bytes = len("".join(tokens()).encode())
    ours, theirs = _stream_cost("log"), _stream_cost("markdown")
    return [
        Measured(ours.cpu_seconds / count * 1000, theirs.cpu_seconds / count * 1000),
        Measured(ours.output_bytes / text_bytes, theirs.output_bytes / text_bytes),
    ]


def _stream_cost(kind: str) -> Cost:
    """What the stream alone cost: the run that streams without the run that only waits as long."""
    runs = []
    for mode in ("stream", "idle"):
        with Program([sys.executable, "-m", "tests.bench.programs.stream_app", kind, mode]) as program:
            runs.append(program.finish(timeout=SECONDS * 10))
    streamed, idle = runs
    return Cost(streamed.cpu_seconds - idle.cpu_seconds, streamed.output_bytes - idle.output_bytes)


# The live preview: from a keystroke in a 4 kB template to the bytes that paint it in the preview.

_TYPED = 60
_PATIENCE = 5.0
_LETTERS = "bcdfghjklmnpqrstvwxz"
_PROSE = "Say what the word means here, which form it has and why the sentence wants that form. "
_EDITOR = """
import sys
from textual.app import App
from textual.widgets import TextArea

class Editor(App):
    def compose(self):
        yield TextArea(sys.argv[1])

Editor().run()
"""


def _template() -> str:
    """4 kB as people write them: prose with values, a branch and a loop; keys are pressed in its first line."""
    lines = [
        "Zug",
        "{% if context %}Around it: {{ context }}{% endif %}",
        "{% for letter in focus %}{{ letter }}{% endfor %}",
    ]
    lines += ["The word is {{ focus }} in: {{ sentence }} ({{ language }}, {{ source }})"] * 4
    while sum(map(len, lines)) < 4096:
        lines.append(_PROSE)
    return "\n".join(lines)


def measure_preview() -> list[Measured]:
    """Against the same keystroke in a bare ``TextArea`` with the same text, which shows it once; letters in turn."""
    text = _template()
    with tempfile.TemporaryDirectory() as directory:
        command = [LODE, "--home", directory, "template", "set", "--model", "lexicon:concordance", "--prompt", text]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with (
            Program([LODE], environ={"LODE_HOME": directory}) as program,
            Program([sys.executable, "-c", _EDITOR, text]) as bare,
        ):
            program.until("Transcripts")
            program.send("4")
            program.until("Zug")
            program.settle()
            program.send("\t\t\t")  # into the prompt
            program.settle()
            program.send("\x1b[1;5H")  # ctrl+home
            program.settle()
            bare.until("Zug")
            bare.settle()
            both = zip(_letter_seconds(program, 2), _letter_seconds(bare, 1), strict=True)
            figures, yardsticks = zip(*both, strict=True)
    return [Measured(percentile(figures, 0.95) * 1000, percentile(yardsticks, 0.95) * 1000)]


def _letter_seconds(program: Program, places: int) -> Iterator[float]:
    """Type words letter by letter at the start of the text; each letter has come when it stands in all places."""
    screen = pyte.Screen(*SIZE)
    feed = pyte.ByteStream(screen)
    feed.feed(bytes(program.output))
    typed = ""
    for number in range(_TYPED):
        letter = _LETTERS[number % len(_LETTERS)]
        if letter == _LETTERS[0]:  # a new word before the line wraps
            program.send("\x15")
            while data := program.read(0.3):
                feed.feed(data)
            typed = ""
        typed += letter
        pressed = time.monotonic()
        program.send(letter)
        while True:
            data = program.read(2.0)
            came = time.monotonic()
            if not data or came - pressed > _PATIENCE:
                raise TooSlow(f"{typed!r} does not stand in {places} places:\n" + "\n".join(screen.display))
            feed.feed(data)
            if "\n".join(screen.display).count(typed) >= places:
                break
        yield came - pressed
        while data := program.read(0.05):
            feed.feed(data)
