"""From the command to the first frame and the first rows, with a million clips, against a bare Textual app; a visit."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.bench.library import SECOND_ROW, million_clips
from tests.bench.rows import Measured
from tests.bench.terminal import Program
from tests.server_process import LODE
from tui.records.settings import ProfileSettings
from tui.store import Store

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


def measure() -> list[Measured]:
    home = million_clips()
    bare: list[float] = []
    frames: list[float] = []
    rows: list[float] = []
    for run in range(RUNS + 1):
        with Program([sys.executable, "-c", BARE]) as program:
            bare_first = program.until("nothing but this line")
        with Program([LODE], environ={"LODE_HOME": str(home)}) as program:
            first = program.until("Transcripts")
            program.send("3")
            seconds_to_rows = program.until(SECOND_ROW)
        if run:  # the first round warms the page cache
            bare.append(bare_first)
            frames.append(first)
            rows.append(seconds_to_rows)
    base, first_frame, first_rows = (statistics.median(seconds) * 1000 for seconds in (bare, frames, rows))
    first_visit = statistics.median(_visit_seconds() for _ in range(RUNS)) * 1000
    return [Measured(first_frame, base), Measured(first_rows, base), Measured(first_visit)]


def _visit_seconds() -> float:
    """From a section's key to its first frame on the first visit, right after the start."""
    with tempfile.TemporaryDirectory() as home:
        with closing(Store.open(Path(home))) as store:
            store.settings.save("default", ProfileSettings())  # else the start asks for them
        return _first_visit(home)


def _first_visit(home: str) -> float:
    with Program([LODE], environ={"LODE_HOME": home}) as program:
        program.until("Nothing here yet")
        program.send("4")
        program.until("Focus")
        program.settle()
        pressed = time.monotonic()
        program.send("5")
        return program.until("Nothing has been asked") + program.started - pressed
