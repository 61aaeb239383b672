"""A cursor key until the last byte of its repaint: every list of a large library and the reader, by a ``DataTable``."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from tests.bench.library import searched_library
from tests.bench.rows import Measured
from tests.bench.terminal import AnsweringProgram, percentile
from tests.server_process import LODE

_KEYS, _ROUNDS = 60, 3
_ARROWS = ("\x1b[B",) * 45 + ("\x1b[A",) * 45
"""So that all scroll, and the reader of fifty cues does not come to its end."""
_PLACES: Mapping[str, tuple[str, ...]] = {
    "files": ("1",),
    "transcripts": ("2",),
    "clips": ("3",),
    "jobs": ("6",),
    "words": ("7",),
    "bookmarks": ("'",),
    "answers": ("5", "H"),
    "reader": ("2", "\r"),
}
"""The keys to each, from any list; the rows of the group stand in this order."""


def measure() -> list[Measured]:
    """The yardstick is measured after each place, in a program that stays open: a drift of the machine slows both."""
    ours: dict[str, list[float]] = {place: [] for place in _PLACES}
    theirs: dict[str, list[float]] = {place: [] for place in _PLACES}
    with (
        AnsweringProgram([LODE], environ={"LODE_HOME": str(searched_library())}) as lode,
        AnsweringProgram([sys.executable, "-m", "tests.bench.programs.table_app"]) as table,
    ):
        lode.until("Transcripts")
        table.until("Nummer 20 ")
        for _ in range(_ROUNDS):
            for place, keys in _PLACES.items():
                for key in (*keys, "g"):
                    lode.send(key)
                    lode.settle(1.0)
                ours[place] += measure_arrows(lode)
                theirs[place] += measure_arrows(table)
                lode.send("\x1b")
                lode.settle()
    return [Measured(percentile(ours[place], 0.95) * 1000, percentile(theirs[place], 0.95) * 1000) for place in _PLACES]


def measure_arrows(program: AnsweringProgram) -> list[float]:
    """Seconds of arrow keys, each until its repaint is over."""
    program.settle()
    return [program.key(_ARROWS[number % len(_ARROWS)]) for number in range(_KEYS)]
