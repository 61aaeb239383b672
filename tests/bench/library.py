"""A library with a million clips, made once and kept in ``.bench/``."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.store.many_clips import add_many
from tui.records.clips import FocusWord, NewClip
from tui.store import Store

CLIPS = 1_000_000
SECOND_ROW = f"meaning {(CLIPS - 2) % 977}"
"""Stands in the second row of the clips list, and nowhere else at first: the first is also shown beside the list."""
HOME = Path(".bench") / f"home-{CLIPS}"

_WORDS = [
    *("Zug", "fahren", "Bahnhof", "warten", "heute", "morgen", "Freund", "Schule", "letzte", "Stunde", "lange", "hier"),
    *("danach", "kommen", "gehen", "sehen", "Licht", "Fenster", "Koffer", "Winter", "Wasser", "Brot", "Straße"),
    *("reden", "lachen", "schlafen", "offen", "leise", "Abend", "Regen"),
]


def clips(count: int) -> Iterator[NewClip]:
    """Sentences of four to twelve words, the same in every run."""
    dice = random.Random(7)
    for number in range(count):
        sentence = " ".join(dice.choices(_WORDS, k=dice.randint(4, 12))) + "."
        word = sentence.split()[0].strip(".")
        yield NewClip(
            sentence=sentence,
            focus=FocusWord(word, lemma=word.lower(), meanings=(f"meaning {number % 977}",), language="de"),
            explanation=f"**{word}** stands at the beginning of this sentence.",
            model="lexicon:concordance",
            source=f"Story {number % 1000}",
            start_ms=number * 10,
            end_ms=number * 10 + 2000,
        )


def million_clips() -> Path:
    """The home directory of that library; it is made if it is not there yet (a minute or so)."""
    done = HOME / "complete"
    if not done.exists():
        print(f"making a library with {CLIPS:,} clips in {HOME} (once) …", file=sys.stderr)
        store = Store.open(HOME)
        add_many(store, "default", clips(CLIPS))
        store.close()
        done.touch()
    Store.open(HOME).close()  # one that an older Lode made is brought up to date before anything is measured
    return HOME.absolute()
