"""The word that is meant in FreeDict's German dictionary, and what adding that costs beside reading it alone."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.bench.rows import Measured
from tests.word_accuracy import CORPUS, FREEDICT, measure_first_entries, opened
from tui.dictionaries.formats import open_dictionary

_PATH = Path("/usr/share/dictd/freedict-deu-eng.index")


def measure() -> list[Measured]:
    """Both in one library: the dictionary is added to it anew, and words are then looked up there."""
    if not _PATH.exists() or not CORPUS.exists():
        return [
            Measured(100.0, words={"count": "no corpus, or no FreeDict, here: no"}),
            Measured(99, 1, {"entries": 0}),
        ]
    yardstick, entries = _read()
    with tempfile.TemporaryDirectory() as place:
        start = time.process_time()
        dictionaries = opened(Path(place), {"de": FREEDICT["de"]})
        added = time.process_time() - start
        forms = dictionaries._word_forms._lemmatiser()
        forms.prepare("de")
        tally = measure_first_entries(dictionaries, "de")
    words = {"count": f"{tally.counted['first']:,}"}
    return [
        Measured(100 - tally.percent("first"), words=words),
        Measured(added, yardstick, {"entries": f"{entries:,}"}),
    ]


def _read() -> tuple[float, int]:
    """Seconds of CPU, and the number of entries."""
    start = time.process_time()
    with open_dictionary(_PATH) as dictionary:
        entries = sum(1 for _ in dictionary.rows(lambda share: None))
    return time.process_time() - start, entries
