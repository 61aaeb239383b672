"""Words: counts of 2 000 transcripts after the state of one has changed, and those of an Anki collection."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from tests.bench.library import keep_library
from tests.bench.rows import Measured
from tests.store.adding_files import add_file
from tui.language.cue_sentences import find_sentence_forms
from tui.records.transcripts import Cue
from tui.records.vocabulary import VocabularyChoice
from tui.records.word_states import WordState
from tui.records.words import WordMark
from tui.store import Store
from tui.vocabulary.formats import open_vocabulary

TRANSCRIPTS, CUES, WORDS = 2_000, 300, 7
VOCABULARY, KNOWN = 70_000, 50_000
_PROFILE = "default"
_CHANGES = 60
_STATES: tuple[WordState, ...] = ("known", "ignored")


def measure_counts() -> list[Measured]:
    store = Store.open(words_library())
    words = _vocabulary()
    ids = [transcript.id for transcript in store.transcripts.page(_PROFILE, 0, TRANSCRIPTS).items]
    store.word_states.mark(_PROFILE, [WordMark("de", word) for word in words[:KNOWN]], "user")
    started = time.process_time()
    _count(store, ids)
    whole = time.process_time() - started
    dice = random.Random(5)
    # Words as a reader meets and marks them: new ones, and some that are known already.
    changed = [dice.randrange(KNOWN, VOCABULARY) for _ in range(_CHANGES // 2)]
    changed += [int(KNOWN ** dice.uniform(0.5, 1.0)) for _ in range(_CHANGES // 2)]
    times = [_change(store, ids, words[number]) for number in changed]
    commonest = _change(store, ids, words[0])
    store.close()
    p95 = statistics.quantiles(times, n=20)[-1]
    return [
        Measured(
            p95 * 1000,
            words={
                "transcripts": f"{TRANSCRIPTS:,}",
                "known": f"{KNOWN:,}",
                "whole": whole * 1000,
                "median": statistics.median(times) * 1000,
                "commonest": commonest * 1000,
            },
        )
    ]


def words_library() -> Path:
    return keep_library(f"words-{TRANSCRIPTS}", f"{TRANSCRIPTS:,} transcripts", _fill)


def _change(store: Store, ids: list[str], word: str) -> float:
    """CPU seconds for the counts after this word's state has changed; it is what it was afterwards."""
    store.word_states.mark(_PROFILE, [WordMark("de", word, state="learning")], "user")
    started = time.process_time()
    _count(store, ids)
    took = time.process_time() - started
    store.trash.undo(_PROFILE)
    _count(store, ids)
    return took


def _count(store: Store, ids: list[str]) -> None:
    wanted = store.transcript_words.wanted(_PROFILE, ids)
    counts = store.transcript_words.counts(_PROFILE, wanted, _STATES)
    assert len(counts) == len(ids)


def _fill(store: Store) -> None:
    for number, cues in enumerate(_films()):
        _, film = add_file(store, f"film{number}.srt", cues, profile=_PROFILE)
        (cut,) = store.transcript_words.wanted(_PROFILE, [film.id])
        store.transcript_words.save(cut, find_sentence_forms(cues, "de"), cues, 0, has_lemmas=True)


def _films() -> Iterator[list[Cue]]:
    dice, words = random.Random(3), _vocabulary()
    weights = list(accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))
    for _ in range(TRANSCRIPTS):
        texts = (dice.choices(words, cum_weights=weights, k=WORDS) for _ in range(CUES))
        yield [
            Cue(index, index * 2000, index * 2000 + 1500, " ".join(text).capitalize() + ".")
            for index, text in enumerate(texts)
        ]


def _vocabulary() -> list[str]:
    """Words that a library could have, the commonest first."""
    dice = random.Random(2)
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        words.setdefault("".join(dice.choices("enisratdhulcgmobwfkzpvjyx", k=dice.randint(3, 9))))
    return list(words)


# Reading of the words out of an Anki collection of 20 000 notes, against opening it with ``anki`` and listing them.

_NOTES = 20_000
_ROUNDS = 5


def measure_anki() -> list[Measured]:
    with tempfile.TemporaryDirectory() as place:
        path = _make_collection(Path(place) / "collection.anki2")
        yardstick = min(_listing(path) for _ in range(_ROUNDS))
        reading = min(_reading(path) for _ in range(_ROUNDS))
    return [Measured(1000 * reading, 1000 * yardstick)]


def _make_collection(path: Path) -> Path:
    """Write a collection as sentences are mined: a word with its reading in a sentence, half of the cards in review."""
    from tests.vocabulary.anki_collections import Collection

    drawn = random.Random(13)
    collection = Collection(path)
    collection.note_type("Mining", "Expression", "Reading", "Meaning", "Sentence", "Audio")
    notes = [collection.col.new_note(collection.col.models.by_name("Mining")) for _ in range(_NOTES)]
    deck = collection.col.decks.id("Mining")
    for number, note in enumerate(notes):
        sentence = f"Das <b>Wort{number}</b> steht in einem Satz, der nicht lang ist.<br>&nbsp;Und in noch einem."
        note.fields = [f"Wort{number}", " 決[き]まり", "a word; a term", sentence, f"[sound:{number}.mp3]"]
        collection.col.add_note(note, deck)
    days = [(drawn.randrange(1, 200), number) for number in range(0, _NOTES, 2)]
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
    assert count == _NOTES
    return took


def _reading(path: Path) -> float:
    start = time.perf_counter()
    with open_vocabulary(path, path.parent) as file:
        count = sum(1 for _ in file.words(VocabularyChoice(), lambda share: None))
    assert count == _NOTES
    return time.perf_counter() - start
