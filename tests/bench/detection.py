"""Encodings told without a hint: the corpus beside the repository, in every older encoding that holds its texts."""

from __future__ import annotations

from tests.bench.rows import Measured
from tests.importing.encoding.transcodings import tally, transcodings


def measure() -> list[Measured]:
    counts = tally(transcodings())
    words = {"count": counts.total() or "the corpus is not here: no"}
    missing = 100.0 if not counts.total() else 100 * (1 - counts["right"] / counts.total())
    return [Measured(missing, words=words), Measured(counts["wrong"], words=words)]
