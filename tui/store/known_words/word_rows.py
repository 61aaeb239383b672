"""Rows of words: a lemma of a language, as it is folded, and the reading where one tells two words apart."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tui.language.scripts import is_word_of
from tui.language.words import fold
from tui.store.rows import as_json

_FORMS_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class WordKey:
    """Key of a word: the primary subtag of its language, its folded lemma, and its reading, "" for whatever reading."""

    language: str
    folded: str
    reading: str = ""

    @classmethod
    def of(cls, language: str, lemma: str, reading: str = "") -> WordKey:
        """The key of a lemma; ``language`` is a primary subtag."""
        return cls(language, fold(lemma, language), reading)


def add_words(connection: sqlite3.Connection, words: Iterable[tuple[WordKey, str]]) -> None:
    """Add words with their lemmas as they are written.

    Those that are there stay as they are, unless a capital tells now how one that was folded is written ("Zug").
    """
    rows = [
        (key.language, key.folded, key.reading, lemma, int(not is_word_of(key.language, lemma))) for key, lemma in words
    ]
    connection.execute(
        "INSERT INTO words (language, folded, reading, lemma, ignored) SELECT value ->> 0, value ->> 1, value ->> 2,"
        " value ->> 3, value ->> 4 FROM json_each(?) WHERE true ON CONFLICT DO UPDATE SET lemma = excluded.lemma"
        " WHERE words.lemma = words.folded AND excluded.lemma <> words.lemma",
        (json.dumps(rows, ensure_ascii=False),),
    )


def word_numbers(connection: sqlite3.Connection, keys: Iterable[WordKey]) -> dict[WordKey, int]:
    """The numbers of words by their keys; those that are not there are left out."""
    rows = connection.execute(
        "SELECT w.language, w.folded, w.reading, w.seq FROM json_each(?) AS given CROSS JOIN words AS w"
        " ON w.language = given.value ->> 0 AND w.folded = given.value ->> 1 AND w.reading = given.value ->> 2",
        (json.dumps([(key.language, key.folded, key.reading) for key in keys], ensure_ascii=False),),
    )
    return {WordKey(language, folded, reading): seq for language, folded, reading, seq in rows}


def number_forms(connection: sqlite3.Connection) -> bool:
    """Give a batch of forms that have none the number of their word; whether more are left.

    The word is that of the form's lemma; a form without one stands for itself.
    """
    rows = connection.execute(
        "SELECT seq, language, form, lemma FROM forms WHERE word IS NULL LIMIT ?", (_FORMS_AT_ONCE,)
    ).fetchall()
    number_these(connection, rows)
    return len(rows) == _FORMS_AT_ONCE


def number_these(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> None:
    """Give these forms (``seq``, ``language``, ``form``, ``lemma``) the numbers of their words.

    Sums of occurrences that were made without them hold no longer.
    """
    if not rows:
        return
    keys = {row["seq"]: WordKey.of(row["language"], row["lemma"] or row["form"]) for row in rows}
    add_words(connection, {keys[row["seq"]]: row["lemma"] or row["form"] for row in rows}.items())
    numbers = word_numbers(connection, set(keys.values()))
    connection.executemany(
        "UPDATE forms SET word = ? WHERE seq = ?", [(numbers[key], seq) for seq, key in keys.items()]
    )
    connection.execute("DELETE FROM word_totals_revisions")


def unnumbered(connection: sqlite3.Connection) -> bool:
    """Whether any form has no number of a word yet."""
    return connection.execute("SELECT 1 FROM forms WHERE word IS NULL LIMIT 1").fetchone() is not None


def forms_waiting(connection: sqlite3.Connection, language: str, forms: Iterable[str]) -> list[sqlite3.Row]:
    """Those of these forms that have no number of a word yet."""
    return connection.execute(
        "SELECT f.seq, f.language, f.form, f.lemma FROM json_each(?) AS given CROSS JOIN forms AS f"
        " ON f.form = given.value AND f.language = ? WHERE f.word IS NULL",
        (as_json(forms), language),
    ).fetchall()
