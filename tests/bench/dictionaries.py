"""Reading of a Yomitan dictionary of 200 000 rows with structured content, against reading its JSON alone."""

from __future__ import annotations

import json
import random
import tempfile
import time
import zipfile
from pathlib import Path

from tests.bench.rows import Measured
from tests.dictionaries.making import structured, term_row, wiktionary_content, yomitan
from tui.dictionaries.formats import opened_dictionary

ROWS_OF_DICTIONARY = 200_000
_ROUNDS = 3
_WORDS = ("to", "the", "of", "house", "drive", "green", "long", "something", "person", "morning", "ship", "explanation")


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory() as place:
        path = made_dictionary(Path(place) / "wty-de-en.zip")
        yardstick = min(_parsing(path) for _ in range(_ROUNDS))
        reading = min(_reading(path) for _ in range(_ROUNDS))
    return [Measured(reading, yardstick)]


def made_dictionary(path: Path) -> Path:
    """Write a dictionary as wty makes them: a third has labels, half of the rows an example."""
    drawn = random.Random(13)
    rows = []
    for number in range(ROWS_OF_DICTIONARY):
        content = wiktionary_content(
            " ".join(drawn.choices(_WORDS, k=8)),
            tags=("transitive", "colloquial") if number % 3 == 0 else (),
            example="Der Zug fährt heute nicht mehr ab, sagt er." if number % 2 else "",
            translation="The train does not leave any more today, he says.",
        )
        rows.append(term_row(f"Wort{number}", structured(content), tags="n", rules="n"))
    return yomitan(path, rows, tags=[["n", "partOfSpeech", 0, "noun", 0]])


def _parsing(path: Path) -> float:
    start = time.process_time()
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            json.loads(archive.read(name))
    return time.process_time() - start


def _reading(path: Path) -> float:
    start = time.process_time()
    with opened_dictionary(path) as dictionary:
        count = sum(1 for _ in dictionary.rows(lambda share: None))
    assert count == ROWS_OF_DICTIONARY
    return time.process_time() - start
