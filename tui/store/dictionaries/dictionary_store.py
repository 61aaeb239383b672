"""Store of dictionaries: a file of its own beside the library, shared by all profiles.

What it holds can be had again from the dictionaries' own files, so it is in no backup and in no undo. A dictionary is
seen once all of it is written: it is imported in many short transactions, and what an import that was broken off left
behind is removed by the next one.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from tui.errors import InvalidInput, NotFound, StoreError, damaged
from tui.language.scripts import is_word_of
from tui.language.tags import base_language
from tui.language.word import fold
from tui.records.dictionaries import Dictionary, DictionaryInfo, DictionaryRow, FoundRow, Match, TermFrequency
from tui.store.database import Connections
from tui.store.dictionaries.packing import keys, kind_of, pack, unpack
from tui.store.process_lock import ProcessLock
from tui.store.rows import AMONG, as_json, new_id, now, record

_VERSION = 1
_READY = "SELECT * FROM dictionaries WHERE state = 'ready' ORDER BY position, seq"
_SCHEMA = Path(__file__).with_name("schema.sql")
_AT_ONCE = 2_000
"""Number of rows in one transaction."""
_SORTED_TOGETHER = 100_000
"""Number of keys that are sorted and then written together: in their order they go to a few pages of the file."""
_DELETED_AT_ONCE = 20_000
_PAGES_AT_ONCE = 2_000
_ROOM = 32_000_000
"""Bytes of the disk that are left free: to write some rows, or to remove what an import that ends there has written."""
_DATE = re.compile(r"\s*[\[(]\d{4}[-.]\d\d[-.]\d\d[\])]\Z")
"""Date of a revision at the end of a title: "Jitendex.org [2025-06-01]"."""
_MAX_FOUND = 500
"""Maximum rows that one look-up gives: the words of a sentence have some dozens."""


class _Connections(Connections):
    @contextmanager
    def _explained_errors(self) -> Iterator[None]:
        try:
            with super()._explained_errors():
                yield
        except StoreError as error:
            if error.code != "library_damaged":
                raise
            raise StoreError(
                f"{self.path} is damaged",
                hint="remove it and add the dictionaries again; the library is another file",
                code="dictionaries_damaged",
            ) from error


class DictionaryStore:
    """The dictionaries of a data directory. All calls block; every method may raise ``StoreError``."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._owner = ProcessLock(connections.path.parent / "run")
        self._writing: set[int] = set()
        """Numbers of the dictionaries that this store is writing."""

    @classmethod
    def open(cls, directory: Path) -> DictionaryStore:
        """Open the dictionaries of this data directory, which may have none yet.

        Raises ``StoreError`` for a newer file, and where there is none and no room for one: none is begun then.
        """
        path = directory / "dictionaries.db"
        store = cls(_Connections(path, "write"))
        if not path.exists():
            store._check_room()
        version = store._connections.value("PRAGMA user_version")
        if version > _VERSION:
            raise StoreError(f"{path} is from a newer Lode", hint="update Lode")
        if version < _VERSION:
            with store._connections.connected() as connection:
                if trouble := store._connections.trouble:
                    raise StoreError(f"{path} cannot be made: {trouble}", hint="make room, and try it again")
                connection.executescript(_SCHEMA.read_text("utf-8"))
        store._connections.schema = _SCHEMA
        return store

    def close(self) -> None:
        self._owner.release()
        self._connections.close()

    def all(self) -> tuple[Dictionary, ...]:
        """The dictionaries in the order in which they are asked."""
        with self._connections.read() as connection:
            return tuple(record(Dictionary, row) for row in connection.execute(_READY))

    def get(self, given: str) -> Dictionary:
        """The dictionary with this id, a beginning of one, or this title; raises ``NotFound`` and ``InvalidInput``."""
        known = self.all()
        exact = [each for each in known if given in (each.id, each.title)]
        found = exact or [each for each in known if given and each.id.startswith(given)]
        if not found:
            raise NotFound(
                f"there is no dictionary {given[:40]!r}",
                hint="their ids are in: lode dictionaries list",
                code="dictionary_not_found",
            )
        if len(found) > 1:
            raise InvalidInput(
                f"{given[:40]!r} stands for more than one dictionary: {', '.join(each.id for each in found[:5])}",
                hint="give more of the id",
                code="ambiguous_id",
            )
        return found[0]

    def with_digest(self, digest: str) -> Dictionary | None:
        """The dictionary that was added from a file with this digest, None where there is none."""
        with self._connections.read() as connection:
            row = connection.row("SELECT * FROM dictionaries WHERE digest = ? AND state = 'ready'", digest)
        return None if row is None else record(Dictionary, row)

    def revisions_of(self, info: DictionaryInfo) -> tuple[Dictionary, ...]:
        """The dictionaries that are revisions of this one: of its language and title, but for a date in that."""
        wanted = _without_date(info.title), info.source_language
        return tuple(each for each in self.all() if (_without_date(each.title), each.source_language) == wanted)

    def add(
        self, info: DictionaryInfo, rows: Iterable[DictionaryRow], *, file_name: str = "", digest: str = ""
    ) -> Dictionary:
        """Write a dictionary, and let it take the place of other revisions of it; else it comes last.

        Whoever adds one has another file of it, so that is the one to keep: which is newer, revisions do not say, as
        each dictionary numbers them in a way of its own. After an error, ``rows``' own too, nothing of it stays. What a
        replaced one takes on the disk goes with the leftovers.
        """
        with self._connections.write() as connection:
            fields = asdict(info) | {"id": new_id(), "created_at": now(), "state": "new", "owner": self._owner.hold()}
            fields |= {"file_name": file_name, "digest": digest, "entry_count": 0, "size_bytes": 0, "position": 0}
            seq = connection.insert("dictionaries", fields)
            self._writing.add(seq)
        try:
            count, size = self._write_rows(seq, info.source_language, rows)
            with self._connections.write() as connection:
                ids = as_json(each.id for each in self.revisions_of(info))
                query = f"SELECT seq, position FROM dictionaries WHERE id {AMONG} ORDER BY position"
                older = connection.rows(query, ids)
                last = connection.value("SELECT coalesce(max(position), 0) FROM dictionaries")
                done = {"entry_count": count, "size_bytes": size, "state": "ready"}
                done["position"] = older[0]["position"] if older else last + 1
                connection.update("dictionaries", "seq", seq, done)
                for row in older:
                    connection.update("dictionaries", "seq", row["seq"], {"state": "deleted"})
        except BaseException:
            self._writing.discard(seq)
            with suppress(StoreError):  # what ended this one is told, and the next one tries it again
                self.remove_leftovers()
            raise
        self._writing.discard(seq)
        return self.get(str(fields["id"]))

    def _write_rows(self, dictionary: int, language: str | None, rows: Iterable[DictionaryRow]) -> tuple[int, int]:
        """Write the rows and their keys, some at a time; gives their number and how many bytes they take."""
        rest, count, size = iter(rows), 0, 0
        waiting: list[tuple[str, Match, int]] = []
        while some := [(kind_of(row), pack(row), tuple(keys(row, language))) for row in islice(rest, _AT_ONCE)]:
            self._check_room()
            first = _number(dictionary, count)
            for number, (_, data, found) in enumerate(some, first):
                size += len(data.encode())
                waiting += [(key, match, number) for key, match in dict.fromkeys(found) if key]
            with self._connections.write() as connection:
                connection.executemany(
                    "INSERT INTO rows (seq, kind, data) VALUES (?, ?, ?)",
                    [(number, kind, data) for number, (kind, data, _) in enumerate(some, first)],
                )
            count += len(some)
            if len(waiting) >= _SORTED_TOGETHER:
                size += self._write_keys(dictionary, waiting)
                waiting.clear()
        return count, size + self._write_keys(dictionary, waiting)

    def _check_room(self) -> None:
        """Raise ``StoreError`` while there is still room to remove again what was written: that takes some, too."""
        free = shutil.disk_usage(self._connections.path.parent).free
        if free < _ROOM:
            raise StoreError(
                f"the disk is full but for {free / 1e6:.0f} MB, and a dictionary must not take its last",
                hint="make room, and try it again",
                code="disk_full",
            )

    def _write_keys(self, dictionary: int, found: list[tuple[str, Match, int]]) -> int:
        found.sort()
        with self._connections.write() as connection:
            connection.executemany(
                "INSERT INTO terms (dictionary, key, match, row) VALUES (?, ?, ?, ?)",
                [(dictionary, *each) for each in found],
            )
        return sum(len(key.encode()) for key, _, _ in found)

    def reorder(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        """Let these be asked first, in this order; the others follow as before."""
        wanted = [self.get(each) for each in dictionary_ids]
        order = dict.fromkeys(each.id for each in (*wanted, *self.all()))
        with self._connections.write() as connection:
            for position, dictionary_id in enumerate(order, 1):
                connection.update("dictionaries", "id", dictionary_id, {"position": position})
        return self.all()

    def delete(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        """Delete dictionaries for good; gives what they were. What they take on the disk goes with the leftovers."""
        found = tuple({each.id: each for each in map(self.get, dictionary_ids)}.values())
        with self._connections.write() as connection:
            for dictionary in found:
                connection.update("dictionaries", "id", dictionary.id, {"state": "deleted"})
        return found

    def remove_leftovers(self) -> None:
        """Remove what is deleted, and what imports that ended in the middle had written, some rows at a time."""
        unseen = self._connections.rows("SELECT seq, state, owner FROM dictionaries WHERE state <> 'ready'")
        others = {
            row["seq"]
            for row in unseen
            if row["state"] == "new" and row["owner"] != self._owner.token and self._owner.is_held(row["owner"])
        }
        left = [row["seq"] for row in unseen if row["seq"] not in self._writing | others]
        for seq in left:
            while self._remove_some(seq):
                pass
        if left:
            self._give_room_back()

    def _give_room_back(self) -> None:
        """Let the file shrink by its free pages, some at a time, so that others can write in between."""

        def free() -> int:
            return int(connection.value("PRAGMA freelist_count"))

        with self._connections.connected() as connection:
            while before := free():
                # By ``execute`` it would be one page: that takes a statement without columns for done after a step.
                connection.executescript(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})")
                if free() >= before:
                    return

    def _remove_some(self, seq: int) -> bool:
        """Remove a part of a dictionary; False once nothing of it is left."""
        between = (_number(seq, 0), _number(seq + 1, 0))
        with self._connections.write() as connection:
            gone = connection.execute(
                "DELETE FROM rows WHERE seq IN (SELECT seq FROM rows WHERE seq >= ? AND seq < ? LIMIT ?)",
                (*between, _DELETED_AT_ONCE),
            ).rowcount
            gone += connection.execute(
                "DELETE FROM terms WHERE dictionary = ? AND key IN"
                " (SELECT key FROM terms WHERE dictionary = ? LIMIT ?)",
                (seq, seq, _DELETED_AT_ONCE),
            ).rowcount
            if not gone:
                connection.execute("DELETE FROM dictionaries WHERE seq = ?", (seq,))
        return bool(gone)

    def find(self, wanted: Sequence[str], language: str | None) -> tuple[FoundRow, ...]:
        """The rows with one of these keys, in the order of the dictionaries, those of other languages left out.

        ``language`` None asks all dictionaries, as does one that does not say what its language is. Descriptions of
        dictionaries are left out: they are longer than what is looked up.
        """
        base = base_language(language)
        with self._connections.read() as connection:
            known = {
                row["seq"]: record(Dictionary, row, description="")
                for row in connection.execute(_READY)
                if not (base and row["source_language"]) or base_language(row["source_language"]) == base
            }
            rows = connection.rows(
                # CROSS JOIN keeps the order: for each dictionary a look at each key, and never through all of either.
                "SELECT t.dictionary, t.key, t.match, r.kind, r.data"
                " FROM json_each(?) AS asked CROSS JOIN json_each(?) AS wanted"
                " CROSS JOIN terms AS t ON t.dictionary = asked.value AND t.key = wanted.value"
                " CROSS JOIN rows AS r ON r.seq = t.row LIMIT ?",
                *(as_json(known), as_json(dict.fromkeys(wanted)), _MAX_FOUND),
            )
            asked = {seq: (dictionary, number) for number, (seq, dictionary) in enumerate(known.items(), 1)}
            return tuple(FoundRow(*asked[row["dictionary"]], row["key"], row["match"], _unpacked(row)) for row in rows)

    def rows_of(self, dictionary_id: str, kind: str) -> Iterator[tuple[str, str]]:
        """Iterate over a dictionary's rows of one kind, as kind and data, which ``packing.unpack`` reads."""
        found = self._connections.value("SELECT seq FROM dictionaries WHERE id = ?", dictionary_id)
        if found is None:
            return
        last, end = _number(found, 0) - 1, _number(found + 1, 0)
        query = "SELECT seq, kind, data FROM rows WHERE seq > ? AND seq < ? ORDER BY seq LIMIT ?"
        while rows := self._connections.rows(query, last, end, _DELETED_AT_ONCE):
            yield from ((row["kind"], row["data"]) for row in rows if row["kind"] == kind)
            last = rows[-1]["seq"]


def _unpacked(row: sqlite3.Row) -> DictionaryRow:
    try:
        return unpack(row["kind"], row["data"])
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise damaged("a dictionary", error) from error


def _without_date(title: str) -> str:
    """The title without the date that some have at their end, and each of their revisions another one."""
    return _DATE.sub("", title)


def _number(dictionary: int, row: int) -> int:
    """Row number: each dictionary has a range of its own, so that it is written and removed in one piece."""
    return (dictionary << 32) + row


_SAMPLE = 50
_MAX_TERMS = 1_000_000
"""Maximum terms of a list that are ranked: nobody learns what comes behind."""


def frequency_dictionary(store: DictionaryStore, language: str) -> Dictionary | None:
    """The first dictionary with frequencies of this language, None where there is none.

    One that doesn't say its language is taken where its terms are written as the language is.
    """
    base = base_language(language)
    counting = [each for each in store.all() if each.frequency_mode is not None]
    named = (each for each in counting if each.source_language and base_language(each.source_language) == base)
    unnamed = (each for each in counting if not each.source_language and _looks_like(store, each, base))
    return next(named, None) or next(unnamed, None)


def ranked_terms(store: DictionaryStore, dictionary: Dictionary) -> list[TermFrequency]:
    """The terms of a list, the commonest first; those that have no number are left out.

    Takes some seconds for half a million.
    """
    rows = islice(_frequencies(store, dictionary), _MAX_TERMS)
    found = [row for row in rows if row.value is not None]
    is_rank = dictionary.frequency_mode == "rank-based"
    found.sort(key=lambda row: (row.value or 0) if is_rank else -(row.value or 0))
    return found


def ranks(terms: Iterable[TermFrequency], language: str) -> dict[tuple[str, str], int]:
    """Rank, from 1 on, of each folded term, and of each with the reading where one is given."""
    found: dict[tuple[str, str], int] = {}
    for term in terms:
        rank = len(found) + 1
        folded = fold(term.term, language)
        found.setdefault((folded, ""), rank)
        if term.reading:
            found.setdefault((folded, term.reading), rank)
    return found


def _looks_like(store: DictionaryStore, dictionary: Dictionary, language: str) -> bool:
    terms = [row.term for row in islice(_frequencies(store, dictionary), _SAMPLE)]
    return sum(is_word_of(language, term) for term in terms) > len(terms) / 2


def _frequencies(store: DictionaryStore, dictionary: Dictionary) -> Iterator[TermFrequency]:
    for kind, data in store.rows_of(dictionary.id, "frequency"):
        try:
            row = unpack(kind, data)
        except (TypeError, ValueError):
            continue
        if isinstance(row, TermFrequency):
            yield row
