"""The app and the commands: starts with a million clips, keys in a list and in a template, what a stream costs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pyte

from tests.bench.library import SECOND_ROW, million_clips
from tests.bench.programs.stream_tokens import SECONDS, TOKENS_PER_SECOND, tokens
from tests.bench.rows import Measured
from tests.bench.terminal import Cost, Program, TooSlow, percentile
from tests.server_process import LODE
from tui.records.settings import ProfileSettings
from tui.store import Store

# From the command to the first frame and the first rows, against a bare Textual app; a section's first visit.

_STARTS = 9
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


def measure_startup() -> list[Measured]:
    home = million_clips()
    seconds: list[tuple[float, ...]] = []
    for run in range(_STARTS + 1):
        with Program([sys.executable, "-c", _BARE]) as program:
            bare = program.until("nothing but this line")
        with Program([LODE], environ={"LODE_HOME": str(home)}) as program:
            first_frame = program.until("Transcripts")
            program.send("3")
            took = (bare, first_frame, program.until(SECOND_ROW))
        if run:  # the first round warms the page cache
            seconds.append(took)
    base, *figures = (statistics.median(each) * 1000 for each in zip(*seconds, strict=True))
    first_visit = statistics.median(_visit_seconds() for _ in range(_STARTS)) * 1000
    return [*(Measured(figure, base) for figure in figures), Measured(first_visit)]


def _visit_seconds() -> float:
    """From a section's key to its first frame on the first visit, right after the start."""
    with tempfile.TemporaryDirectory() as home:
        with closing(Store.open(Path(home))) as store:
            store.settings.save("default", ProfileSettings())  # else the start asks for them
        with Program([LODE], environ={"LODE_HOME": home}) as program:
            program.until("Nothing here yet")
            program.send("4")
            program.until("Focus")
            program.settle()
            pressed = time.monotonic()
            program.send("5")
            return program.until("Nothing has been asked") + program.started - pressed


# Whole commands against ``python -c 'import click'``: what a person waits for at a prompt.

_RUNS = 15


def measure_commands() -> list[Measured]:
    """The commands are run in turn, so that a machine whose speed drifts slows all; the medians are compared."""
    environ = {**os.environ, "LODE_HOME": str(million_clips())}
    yardstick = [sys.executable, "-c", "import click"]
    commands = (yardstick, [LODE, "--version"], [LODE, "clips", "list", "--limit", "20", "--json"])
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
    with tempfile.TemporaryDirectory() as directory:
        command = [LODE, "--home", directory, "template", "set", "--model", "lexicon:concordance"]
        subprocess.run([*command, "--prompt", _template()], check=True, stdout=subprocess.DEVNULL)
        return [Measured(percentile(_letter_seconds(directory), 0.95) * 1000)]


def _letter_seconds(home: str) -> list[float]:
    """Type a word letter by letter at the start of the template; each letter has come when both sides show it."""
    screen = pyte.Screen(120, 40)
    feed = pyte.ByteStream(screen)
    seconds: list[float] = []
    with Program([LODE], environ={"LODE_HOME": home}) as program:
        program.until("Transcripts")
        program.send("4")
        program.until("Zug")
        program.settle()
        program.send("\t\t\t")  # into the prompt
        program.settle()
        program.send("\x1b[1;5H")  # ctrl+home
        program.settle()
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
                    raise TooSlow(f"the preview does not show {typed!r}:\n" + "\n".join(screen.display))
                feed.feed(data)
                if "\n".join(screen.display).count(typed) >= 2:
                    break
            seconds.append(came - pressed)
            while data := program.read(0.05):
                feed.feed(data)
    return seconds
