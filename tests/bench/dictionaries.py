"""Dictionaries: one of 200 000 rows read and added, against reading its JSON alone; look-ups in ten large ones."""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.rows import Measured
from tests.bench.served import run_lode
from tests.bench.terminal import percentile
from tests.dictionaries.making import structured, term_row, wiktionary_content, yomitan
from tui.config import Settings
from tui.dictionaries.formats import open_dictionary
from tui.language.lemmas import Lemmatiser
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, Example, Sense
from tui.service.local import LocalService
from tui.store.dictionaries.dictionary_store import DictionaryStore

ROWS_OF_DICTIONARY = 200_000
DICTIONARIES, ENTRIES = 10, 300_000
_ROUNDS = 3
_LOOK_UPS = 600
_WORDS = ("to", "the", "of", "house", "drive", "green", "long", "something", "person", "morning", "ship", "explanation")
_SYLLABLES = (
    *("an", "auf", "ber", "chen", "da", "der", "ei", "en", "ga", "gel", "hal", "her", "ja", "kel", "kom", "la", "lich"),
    *("ma", "mer", "na", "ren", "sa", "te", "ver", "wal", "zei"),
)
"""Syllables of the terms, so that their keys lie about in the index as those of a language do."""
_SHIFT = 32
"""Bits of the number of a row below that of its dictionary."""


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory() as place:
        path = made_dictionary(Path(place) / "wty-de-en.zip")
        yardstick = min(_parse(path) for _ in range(_ROUNDS))
        reading = min(_reading(path) for _ in range(_ROUNDS))
        return [Measured(reading, yardstick), *_adding(path, Path(place) / "home"), _looking_up(Path(place) / "ten")]


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


def _parse(path: Path, clock: Callable[[], float] = time.process_time) -> float:
    start = clock()
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            json.loads(archive.read(name))
    return clock() - start


def _reading(path: Path) -> float:
    start = time.process_time()
    with open_dictionary(path) as dictionary:
        count = sum(1 for _ in dictionary.rows(lambda share: None))
    assert count == ROWS_OF_DICTIONARY
    return time.process_time() - start


def _adding(path: Path, home: Path) -> list[Measured]:
    """One ``lode dictionaries add`` between two runs of the yardstick, by the clock: what is compared with it waits for
    the disk too. Memory is that of both of its processes.
    """
    before = _parse(path, time.perf_counter)
    ran = run_lode(home, "dictionaries", "add", str(path))
    yardstick = statistics.mean((before, _parse(path, time.perf_counter)))
    return [Measured(ran.seconds, yardstick), Measured(ran.peak / 1e6)]


def _looking_up(home: Path) -> Measured:
    """Words as they stand in sentences, each in all ten; every tenth is a compound, or in none."""
    home.mkdir()
    make_dictionaries(home)
    Lemmatiser(home / "lemmas").prepare("de")
    drawn = random.Random(7)
    words = [_term(drawn.randrange(ENTRIES)) for _ in range(_LOOK_UPS)]
    asked = [word + words[number - 1] if number % 10 == 0 else word for number, word in enumerate(words)]

    async def seconds() -> list[float]:
        service = LocalService(Settings(home=home, config_path=home / "config.toml"), environ={})
        taken = []
        try:
            await service.dictionaries.look_up("Zug", language="de")
            for number, word in enumerate(asked):
                sentence = f"Gestern {word} sie {words[number - 1]} noch lange {words[number - 2]} ab."
                start = time.perf_counter()
                found = await service.dictionaries.look_up(word, language="de", sentence=sentence)
                taken.append(time.perf_counter() - start)
                assert number % 10 == 0 or len(found.entries) >= DICTIONARIES, word
        finally:
            await service.close()
        return taken

    return Measured(percentile(asyncio.run(seconds()), 0.95) * 1000)


def _term(number: int) -> str:
    """A word for each number, of four syllables at most."""
    syllables: list[str] = []
    while number or not syllables:
        number, rest = divmod(number, len(_SYLLABLES))
        syllables.append(_SYLLABLES[rest])
    return "".join(syllables)


def make_dictionaries(home: Path) -> None:
    """Write one, and copy its rows under the numbers of the others: to write each would take minutes."""
    store = DictionaryStore.open(home)
    first = store.add(DictionaryInfo("Number 0", "yomitan", "1", "de", "en"), _entries())
    with store._connections.write() as connection:
        columns = [row["name"] for row in connection.execute("PRAGMA table_info(dictionaries)")]
        (seq,) = connection.execute("SELECT seq FROM dictionaries WHERE id = ?", (first.id,)).fetchone()
        for number in range(1, DICTIONARIES):
            changed = {"seq": str(seq + number), "id": f"'copy{number:08}'", "title": f"'Number {number}'"}
            values = ", ".join(changed.get(name, name) for name in columns)
            connection.execute(f"INSERT INTO dictionaries SELECT {values} FROM dictionaries WHERE seq = ?", (seq,))
            shift = number << _SHIFT
            connection.execute(
                "INSERT INTO rows SELECT seq + ?, kind, data FROM rows WHERE seq < ?", (shift, (seq + 1) << _SHIFT)
            )
            connection.execute(
                "INSERT INTO terms SELECT ?, key, match, row + ? FROM terms WHERE dictionary = ?",
                (seq + number, shift, seq),
            )
    store.close()


def _entries() -> Iterator[DictionaryEntry]:
    drawn = random.Random(3)
    for number in range(ENTRIES):
        glosses = tuple(" ".join(drawn.choices(_WORDS, k=3)) for _ in range(2))
        example = Example("Der Zug fährt heute nicht mehr ab.", "The train does not leave any more today.")
        sense = Sense(glosses, ("colloquial",), (example,) if number % 2 else ())
        yield DictionaryEntry(_term(number), part_of_speech=("noun",), senses=(sense,), forms=(f"{_term(number)}s",))
