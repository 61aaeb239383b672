"""From the command to the first frame and to the first rows, with a million clips, against a bare Textual app."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.library import SECOND_ROW
from tests.bench.terminal import Program

RUNS = 9

BARE = """
from textual.app import App
from textual.widgets import Footer, Header, Static

class Bare(App):
    def compose(self):
        yield Header()
        yield Static("nothing but this line")
        yield Footer()

Bare().run()
"""


def measure(home: Path) -> list[Figure]:
    """``home`` holds the library with a million clips."""
    lode = str(Path(sys.executable).with_name("lode"))
    bare: list[float] = []
    frames: list[float] = []
    rows: list[float] = []
    for run in range(RUNS + 1):
        with Program([sys.executable, "-c", BARE]) as program:
            bare_first = program.until("nothing but this line")
        with Program([lode], environ={"LODE_HOME": str(home)}) as program:
            first = program.until("Transcripts")
            program.send("3")
            first_rows = program.until(SECOND_ROW)
        if run:  # the first round warms the page cache
            bare.append(bare_first)
            frames.append(first)
            rows.append(first_rows)
    base = statistics.median(bare)
    yardstick = f"bare Textual app, first frame {base * 1000:.0f} ms"
    return [
        Figure("first frame, 1 000 000 clips", _ms(frames), yardstick, statistics.median(frames) / base, 1.5),
        Figure("first rows of the clips list, same", _ms(rows), yardstick, statistics.median(rows) / base, 2.0),
    ]


def _ms(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.0f} ms"
