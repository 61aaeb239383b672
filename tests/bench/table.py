"""From a cursor key to the last byte of the repaint: a million clips against a ``DataTable`` of a thousand rows."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.bench.library import SECOND_ROW, million_clips
from tests.bench.rows import Measured
from tests.bench.terminal import Program, percentile
from tests.server_process import LODE

KEYS = 200
ROUNDS = 3
_PATTERN = "\x1b[B" * 60 + "\x1b[A" * 40


def key_seconds(command: list[str], shown: str, home: Path | None = None) -> list[float]:
    """The answer times of the arrow keys: 60 down (so that the list scrolls), 40 up, and so on."""
    environ = {"LODE_HOME": str(home)} if home else {}
    with Program(command, environ=environ) as program:
        if home:
            program.until("Transcripts")
            program.send("3")
        program.until(shown)
        program.settle()
        arrows = [_PATTERN[at : at + 3] for at in range(0, len(_PATTERN), 3)]
        return [program.key(arrows[number % len(arrows)]) for number in range(KEYS)]


def measure() -> list[Measured]:
    """The rounds alternate, so that a machine whose speed drifts slows both."""
    home = million_clips()
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        ours += key_seconds([LODE], SECOND_ROW, home)
        theirs += key_seconds([sys.executable, "-m", "tests.bench.programs.table_app"], "Nummer 20 ")
    return [Measured(percentile(ours, 0.95) * 1000, percentile(theirs, 0.95) * 1000)]
