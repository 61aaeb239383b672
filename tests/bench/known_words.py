"""Counts of the words of 2 000 transcripts, after the state of one word has changed."""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from tests.bench.rows import Measured
from tests.store.adding_files import add_file
from tui.language.cue_sentences import find_sentence_forms
from tui.records.transcripts import Cue
from tui.records.word_states import WordState
from tui.records.words import WordMark
from tui.store import Store

TRANSCRIPTS, CUES, WORDS = 2_000, 300, 7
VOCABULARY, KNOWN = 70_000, 50_000
HOME = Path(".bench") / f"words-{TRANSCRIPTS}"
_PROFILE = "default"
_CHANGES = 60
_STATES: tuple[WordState, ...] = ("known", "ignored")


def measure() -> list[Measured]:
    store = Store.open(_library())
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


def _library() -> Path:
    """The home directory of the library; it is made if it is not there yet (two minutes or so)."""
    done = HOME / "complete"
    if not done.exists():
        print(f"making a library with {TRANSCRIPTS:,} transcripts in {HOME} (once) …", file=sys.stderr)
        store = Store.open(HOME)
        for number, cues in enumerate(_films()):
            _, film = add_file(store, f"film{number}.srt", cues, profile=_PROFILE)
            (cut,) = store.transcript_words.wanted(_PROFILE, [film.id])
            store.transcript_words.save(cut, find_sentence_forms(cues, "de"), has_lemmas=True)
        store.close()
        done.touch()
    Store.open(HOME).close()  # one that an older Lode made is brought up to date before anything is measured
    return HOME.absolute()


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
