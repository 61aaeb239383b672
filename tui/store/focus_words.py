"""Focus words in the database: as JSON, and counted by their keys."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from dataclasses import fields

from tui.errors import damaged
from tui.records.clips import FocusWord

_FIELDS = tuple(each.name for each in fields(FocusWord))
to_text = json.JSONEncoder(ensure_ascii=False).encode
"""Function as ``json.dumps``, but without an encoder per value, which a million clips would notice."""


def focus_to_text(focus: FocusWord | None) -> str | None:
    return None if focus is None else to_text({name: getattr(focus, name) for name in _FIELDS})


def focus_from_text(text: str | None) -> FocusWord | None:
    """Read a focus word; fields that this version does not know are passed over."""
    if text is None:
        return None
    try:
        known = {name: value for name, value in json.loads(text).items() if name in _FIELDS}
        return FocusWord(**{**known, "meanings": tuple(known.get("meanings", ()))})
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise damaged("a word in the library", error) from error


def count_with_word(
    connection: sqlite3.Connection, table: str, profile: int | None, word: str, condition: str = "true"
) -> int:
    """Count the rows with this word, or another form of this lemma, as their focus."""
    mine = f"SELECT count(*) FROM {table} WHERE profile = :profile AND {condition}"
    query = (
        f"SELECT ({mine} AND surface = :word AND surface <> '')"
        f" + ({mine} AND lemma = :word AND lemma <> '' AND surface <> :word)"
    )
    return int(connection.execute(query, {"profile": profile, "word": word_key(word)}).fetchone()[0])


def word_key(word: str) -> str:
    """Key under which words of clips and answers are counted: the word without its case."""
    return unicodedata.normalize("NFC", word.strip().casefold())
