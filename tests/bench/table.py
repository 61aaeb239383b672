"""From a cursor key to the last byte of the repaint: a million records against a ``DataTable`` with a thousand rows."""

from __future__ import annotations

import sys

from tests.bench.figures import Figure
from tests.bench.table_app import FEW, MANY
from tests.bench.terminal import Program, percentile

KEYS = 200
ROUNDS = 3
_PATTERN = "\x1b[B" * 60 + "\x1b[A" * 40


def key_seconds(command: list[str], until: str) -> list[float]:
    """The answer times of the arrow keys: 60 down (so that the list scrolls), 40 up, and so on."""
    with Program(command) as program:
        program.until(until)
        program.settle()
        arrows = [_PATTERN[at : at + 3] for at in range(0, len(_PATTERN), 3)]
        return [program.key(arrows[number % len(arrows)]) for number in range(KEYS)]


def measure() -> list[Figure]:
    """The rounds alternate, so that a machine whose speed drifts slows both."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        ours += key_seconds([sys.executable, "-m", "tests.bench.table_app", "records"], "Nummer 20 ")
        theirs += key_seconds([sys.executable, "-m", "tests.bench.table_app", "datatable"], "Nummer 20 ")
    value, yardstick = percentile(ours, 0.95), percentile(theirs, 0.95)
    return [
        Figure(
            name=f"cursor key in a list of {MANY:,}, p95 of {len(ours)}",
            value=f"{value * 1000:.1f} ms",
            yardstick=f"DataTable with {FEW:,} rows {yardstick * 1000:.1f} ms",
            ratio=value / yardstick,
            limit=1.2,
        )
    ]


if __name__ == "__main__":
    for measured in measure():
        print(measured.line())  # noqa: T201
