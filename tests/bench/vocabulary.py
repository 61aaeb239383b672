"""Reading of the words out of an Anki collection of 20 000 notes, against opening it with ``anki`` and listing them."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from tests.bench.rows import Measured
from tui.records.vocabulary import VocabularyChoice
from tui.vocabulary.formats import open_vocabulary

NOTES = 20_000
_ROUNDS = 5


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory() as place:
        path = made_collection(Path(place) / "collection.anki2")
        yardstick = min(_listing(path) for _ in range(_ROUNDS))
        reading = min(_reading(path) for _ in range(_ROUNDS))
    return [Measured(1000 * reading, 1000 * yardstick)]


def made_collection(path: Path) -> Path:
    """Write a collection as sentences are mined: a word with its reading in a sentence, half of the cards in review."""
    from tests.vocabulary.anki_collections import Collection

    drawn = random.Random(13)
    collection = Collection(path)
    collection.note_type("Mining", "Expression", "Reading", "Meaning", "Sentence", "Audio")
    notes = [collection.col.new_note(collection.col.models.by_name("Mining")) for _ in range(NOTES)]
    deck = collection.col.decks.id("Mining")
    for number, note in enumerate(notes):
        sentence = f"Das <b>Wort{number}</b> steht in einem Satz, der nicht lang ist.<br>&nbsp;Und in noch einem."
        note.fields = [f"Wort{number}", " 決[き]まり", "a word; a term", sentence, f"[sound:{number}.mp3]"]
        collection.col.add_note(note, deck)
    days = [(drawn.randrange(1, 200), number) for number in range(0, NOTES, 2)]
    ids = collection.col.db.list("select id from cards order by id")
    collection.col.db.executemany(
        "update cards set type = 2, queue = 2, ivl = ? where id = ?", [(span, ids[number]) for span, number in days]
    )
    return collection.close()


def _listing(path: Path) -> float:
    from anki.collection import Collection

    start = time.perf_counter()
    collection = Collection(str(path))
    count = sum(1 for number in collection.find_notes("") if collection.get_note(number).fields)
    took = time.perf_counter() - start
    collection.close()
    assert count == NOTES
    return took


def _reading(path: Path) -> float:
    start = time.perf_counter()
    with open_vocabulary(path, path.parent) as file:
        count = sum(1 for _ in file.words(VocabularyChoice(), lambda share: None))
    assert count == NOTES
    return time.perf_counter() - start
