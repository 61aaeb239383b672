"""Libraries that are made once and kept in ``.bench/``: one with a million clips, one with a million cues as well."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from tests.store.adding_files import add_file
from tests.store.many_clips import add_many
from tui.records.answers import NewAnswer
from tui.records.clips import FocusWord, NewClip
from tui.records.sorting import MAX_SORTED
from tui.records.transcripts import Cue
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


_TRANSCRIPTS, _CUES = 20_000, 50
_BOOKMARKS_OF_THOUSAND = 100
_HAN = "経済学者政府問題日本人時間電車食事会社員先生学校天気明日今日昨日東京駅前新聞記事読書勉強生活"
_KANA = "はがをにでともかしたいるあなる"
_SPOKEN = [
    "der",
    "die",
    "das",
    "und",
    "ich",
    "nicht",
    "ist",
    "es",
    "sie",
    "ein",
    "zu",
    "wir",
    "in",
    "den",
    "von",
    "mit",
    "Zug",
    "fahren",
    "Bahnhof",
    "warten",
    "heute",
    "morgen",
]


def searched_library() -> Path:
    """The library that lists, searches and keys are measured in."""
    what = f"{CLIPS:,} clips and {_TRANSCRIPTS:,} transcripts of {_CUES} cues"
    home = keep_library("home-search", what, _fill)
    with closing(Store.open(home)) as store:
        _add_answers(store)
    return home


def _add_answers(store: Store) -> None:
    """Add answers, jobs and bookmarks, once: more takes minutes."""
    if store.bookmarks.page("default", limit=1).total == 0:
        after = None
        while (page := store.transcripts.page("default", limit=1000, after=after)).items:
            for number, transcript in enumerate(page.items[:_BOOKMARKS_OF_THOUSAND]):
                store.bookmarks.put("default", transcript.id, number % 50, f"place {number % 97}")
            if (after := page.next) is None:
                break
    there = store.answers.page("default", limit=1).total
    for number in range(there, MAX_SORTED):
        asked = NewAnswer("breakdown", f"ollama:m{number % 7}", f"Der Zug {number % 977} wartet.", "Zug", "", "p", "s")
        answer = store.answers.begin("default", asked)
        store.answers.finish(answer.id, "complete", output_tokens=number % 311, duration_ms=number % 9001)
        store.jobs.add("default", "import", f"/films/film-{number % 977}-{number}.srt")


def _fill(store: Store) -> None:
    add_many(store, "default", clips(CLIPS))
    dice = random.Random(7)
    for number in range(_TRANSCRIPTS):
        language = "ja" if number % 5 == 0 else "de"
        texts = _texts(dice, language)
        cues = [Cue(place, place * 3000, place * 3000 + 2500, next(texts)) for place in range(_CUES)]
        name = f"film-{number:05}.{language}.srt"
        add_file(store, name, cues, profile="default", language=language, title=f"Film {number:05}")


def _texts(dice: random.Random, language: str) -> Iterator[str]:
    while True:
        if language == "ja":
            yield "".join("".join(dice.choices(_HAN, k=2)) + dice.choice(_KANA) for _ in range(dice.randint(3, 7)))
        else:
            yield " ".join(dice.choices(_SPOKEN, k=dice.randint(4, 12))).capitalize() + "."
