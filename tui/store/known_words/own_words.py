"""Table of own words: what people write of lemmas, with undo of every change, and found by the words of phrases."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tui.errors import damaged
from tui.records.deletion import Deletion
from tui.records.own_words import OwnPhrase, OwnWord
from tui.store.database import Table
from tui.store.rows import PROFILE, Connection, as_json, json_value, now, record
from tui.store.trash_entry import TrashEntry

_PLACE = ("profile", "language", "key")
"""Columns that tell where a word stands: there is one at most."""
_IS_THERE = " AND ".join(f"{name} = ?" for name in _PLACE)


class OwnWords(Table):
    """``key`` is a lemma as the caller folds it, ``language`` a tag without a country."""

    def all(self, profile: str, language: str | None = None) -> tuple[OwnWord, ...]:
        """The own words of a profile, in the order of the dictionary; those of all languages where it is None."""
        query = (
            f"SELECT * FROM own_words WHERE profile = {PROFILE} AND coalesce(language = ?, 1) ORDER BY language, key"
        )
        return tuple(map(_own_word, self._connections.rows(query, profile, language)))

    def get(self, profile: str, language: str, key: str) -> OwnWord | None:
        with self._connections.read() as connection:
            row = _row(connection, (connection.profile_seq(profile), language, key))
        return None if row is None else _own_word(row)

    def found(self, profile: str, language: str, keys: Sequence[str]) -> tuple[OwnWord, ...]:
        """The own words that have one of these keys, or a phrase with one of them."""
        query = (
            f"SELECT * FROM own_words WHERE profile = {PROFILE} AND language = ? AND EXISTS (SELECT 1 FROM json_each(?)"
            " WHERE value = own_words.key OR instr(found_by, ' ' || value || ' ')) ORDER BY key"
        )
        return tuple(map(_own_word, self._connections.rows(query, profile, language, as_json(keys))))

    def has_any(self, profile: str, language: str) -> bool:
        query = f"SELECT 1 FROM own_words WHERE profile = {PROFILE} AND language = ? LIMIT 1"
        return self._connections.row(query, profile, language) is not None

    def save(self, profile: str, key: str, word: OwnWord, found_by: Iterable[str]) -> None:
        """Put the word in the place of the one that has its key."""
        with self._connections.write() as connection:
            place = (connection.profile_for_writing(profile), word.language, key)
            before = _row(connection, place)
            if before is not None and _own_word(before) == word:
                return
            _remember(connection, place, before, f"{word.lemma}, as it was before it was written about", word.lemma)
            columns = dict(zip(_PLACE, place, strict=True))
            columns |= {"lemma": word.lemma, "meaning": word.meaning, "note": word.note, "updated_at": now()}
            columns["phrases"] = as_json([each.text, each.meaning] for each in word.phrases)
            columns["found_by"] = "".join(f" {each}" for each in dict.fromkeys(found_by)) + " "
            _delete(connection, place)
            connection.insert("own_words", columns)

    def delete(self, profile: str, language: str, key: str) -> Deletion:
        """Delete what is written of a word; of one that nothing is written of, nothing."""
        with self._connections.write() as connection:
            place = (connection.profile_seq(profile), language, key)
            row = _row(connection, place)
            if row is None:
                return Deletion(0)
            _remember(connection, place, row, f"what you wrote of {row['lemma']}", row["lemma"])
            _delete(connection, place)
        return Deletion(1)


def restore_own_word(connection: Connection, changed: Mapping[str, Any]) -> dict[str, Any]:
    """Undo a ``save`` or a ``delete``: the word is as it was before. Gives what does it again."""
    place = tuple(changed["place"])
    now_there = _row(connection, place)
    _delete(connection, place)
    if row := changed["row"]:
        connection.insert("own_words", row)
    return {"place": place, "row": None if now_there is None else dict(now_there)}


def _remember(
    connection: Connection, place: tuple[int | None, str, str], row: sqlite3.Row | None, summary: str, lemma: str
) -> None:
    """Keep how the word is now, for undo."""
    assert place[0] is not None
    entry = TrashEntry(undo={"own_word": {"place": place, "row": None if row is None else dict(row)}})
    entry.save(connection, place[0], "own_words", summary, subject=lemma)


def _row(connection: Connection, place: tuple[Any, ...]) -> sqlite3.Row | None:
    return connection.row(f"SELECT * FROM own_words WHERE {_IS_THERE}", *place)


def _delete(connection: Connection, place: tuple[Any, ...]) -> None:
    connection.execute(f"DELETE FROM own_words WHERE {_IS_THERE}", place)


def _own_word(row: sqlite3.Row) -> OwnWord:
    phrases = []
    for pair in json_value(row["phrases"]):
        match pair:
            case [str(text), str(meaning)]:
                phrases.append(OwnPhrase(text, meaning))
            case _:
                raise damaged("a word of your own", "its phrases")
    return record(OwnWord, row, phrases=tuple(phrases))
