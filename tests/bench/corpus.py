"""What Lode tells of the corpus beside the repository: the words that are meant, and encodings without a hint."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.bench.rows import Measured
from tests.importing.encoding.transcodings import tally, transcodings
from tests.word_accuracy import CORPUS, FREEDICT, measure_first_entries, opened
from tui.dictionaries.formats import open_dictionary

_PATH = Path("/usr/share/dictd/freedict-deu-eng.index")


def measure_words() -> list[Measured]:
    """Both in one library: the dictionary is added to it anew, and words are then looked up there."""
    if not _PATH.exists() or not CORPUS.exists():
        return [
            Measured(100.0, words={"count": "no corpus, or no FreeDict, here: no"}),
            Measured(99, 1, {"entries": 0}),
        ]
    start = time.process_time()
    with open_dictionary(_PATH) as dictionary:
        entries = sum(1 for _ in dictionary.rows(lambda share: None))
    yardstick = time.process_time() - start
    with tempfile.TemporaryDirectory() as place:
        start = time.process_time()
        dictionaries = opened(Path(place), {"de": FREEDICT["de"]})
        added = time.process_time() - start
        dictionaries._word_forms._lemmatiser.prepare("de")
        words = measure_first_entries(dictionaries, "de")
    return [
        Measured(100 - words.percent("first"), words={"count": f"{words.counted['first']:,}"}),
        Measured(added, yardstick, {"entries": f"{entries:,}"}),
    ]


def measure_encodings() -> list[Measured]:
    """Every text in every older encoding of its language that holds it."""
    counts = tally(transcodings())
    words = {"count": counts.total() or "the corpus is not here: no"}
    missing = 100.0 if not counts.total() else 100 * (1 - counts["right"] / counts.total())
    return [Measured(missing, words=words), Measured(counts["wrong"], words=words)]
