"""Libraries that are made once and kept in ``.bench/``, and the one with a million clips."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from tests.store.many_clips import add_many
from tui.records.clips import FocusWord, NewClip
from tui.store import Store

CLIPS = 1_000_000
SECOND_ROW = f"meaning {(CLIPS - 2) % 977}"
"""Stands in the second row of the clips list, and nowhere else at first: the first is also shown beside the list."""
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


def keep_library(name: str, what: str, make: Callable[[Store], object]) -> Path:
    """The home directory ``name`` of a library that is made once (minutes), and then kept in ``.bench/``."""
    home = Path(".bench") / name
    done = home / "complete"
    # One that an older Lode made is brought up to date before anything is measured.
    with closing(Store.open(home)) as store:
        if not done.exists():
            print(f"making a library with {what} in {home} (once) …", file=sys.stderr)
            make(store)
            done.touch()
    return home.absolute()


def million_clips() -> Path:
    return keep_library(f"home-{CLIPS}", f"{CLIPS:,} clips", lambda store: add_many(store, "default", clips(CLIPS)))
