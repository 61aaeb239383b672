"""From a section's key to its first frame on the first visit: Breakdown from Template, right after the start."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.terminal import Program

RUNS = 9


def measure() -> list[Figure]:
    seconds = [_visit_seconds() for _ in range(RUNS)]
    value = statistics.median(seconds) * 1000
    return [
        Figure(
            name=f"first visit of Breakdown from Template, median of {RUNS}",
            value=f"{value:.0f} ms",
            yardstick="–",
            ratio=value,
            limit=80,
            unit=" ms",
        )
    ]


def _visit_seconds() -> float:
    lode = str(Path(sys.executable).with_name("lode"))
    with tempfile.TemporaryDirectory() as home, Program([lode], environ={"LODE_HOME": home}) as program:
        program.until("Nothing here yet")
        program.send("4")
        program.until("Focus")
        program.settle()
        pressed = time.monotonic()
        program.send("5")
        return program.until("Nothing has been asked") + program.started - pressed


if __name__ == "__main__":
    for measured in measure():
        print(measured.line())
