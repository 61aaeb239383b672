"""Rows of all tables: reading and writing them, ids, timestamps, profiles, rows as records."""

import json
import os
import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tui.errors import InvalidInput, damaged, no_such
from tui.records.pages import ID_LENGTH

T = TypeVar("T")

PROFILE = "(SELECT seq FROM profiles WHERE name = ?)"
"""Number of the profile with a name, null where it has nothing yet."""
AMONG = "IN (SELECT value FROM json_each(?))"
"""Condition that a column has one of the values of a list (``as_json``)."""
MAX_INTEGER = 2**63 - 1
"""Largest integer of SQLite's."""
_CANDIDATES = 5
_LETTERS = b"abcdefghijklmnopqrstuvwxyz234567" * 8
"""Letter of an id, one of 32, for each of the 256 bytes."""


def new_id() -> str:
    """Make an id: 12 random letters of a-z and 2-7, 60 bits, so that two never meet in one library."""
    return os.urandom(ID_LENGTH).translate(_LETTERS).decode("ascii")


def now() -> str:
    return timestamp(datetime.now(UTC))


def timestamp(moment: datetime) -> str:
    """A UTC moment as RFC 3339 with milliseconds; such texts sort as the moments do."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def timestamp_after(before: str) -> str:
    """Timestamp of now, or a millisecond after ``before`` when the clock stands there still or was set back."""
    try:
        return max(now(), timestamp(datetime.fromisoformat(before) + timedelta(milliseconds=1)))
    except (ValueError, OverflowError) as error:
        raise damaged("a date in the library", error) from error


def as_json(values: Iterable[object]) -> str:
    """Format a list for ``json_each``, which takes any number of values in one parameter."""
    return json.dumps(list(values))


class Connection(sqlite3.Connection):
    """A connection to a database of Lode's; parameters of queries are given by position or by name."""

    def row(self, query: str, *given: object, **named: object) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self.execute(query, named or given).fetchone()
        return row

    def rows(self, query: str, *given: object, **named: object) -> list[sqlite3.Row]:
        return self.execute(query, named or given).fetchall()

    def value(self, query: str, *given: object, **named: object) -> Any:
        """The first column of the first row, None where there is no row."""
        row = self.row(query, *given, **named)
        return None if row is None else row[0]

    def column(self, query: str, *given: object, **named: object) -> list[Any]:
        """The first column of all rows."""
        return [row[0] for row in self.execute(query, named or given)]

    def insert(self, table: str, values: Mapping[str, object], *, replacing: bool = False) -> int:
        """Insert a row, or put it in the place of the one with its key; gives its number."""
        verb, places = "INSERT OR REPLACE" if replacing else "INSERT", ", ".join("?" * len(values))
        cursor = self.execute(f"{verb} INTO {table} ({', '.join(values)}) VALUES ({places})", tuple(values.values()))
        return int(cursor.lastrowid or 0)

    def update(self, table: str, key: str, value: str | int, changes: Mapping[str, object]) -> int:
        """Set columns of the rows whose column ``key`` has this value; gives how many there are."""
        columns = ", ".join(f"{name} = ?" for name in changes)
        return self.execute(f"UPDATE {table} SET {columns} WHERE {key} = ?", (*changes.values(), value)).rowcount

    def profile_seq(self, name: str) -> int | None:
        seq: int | None = self.value("SELECT seq FROM profiles WHERE name = ?", name)
        return seq

    def profile_for_writing(self, name: str) -> int:
        """The profile's number; the profile is created with the first thing written to it."""
        known = self.profile_seq(name)
        return self.insert("profiles", {"name": name, "created_at": now()}) if known is None else known

    def full_id(self, table: str, profile: str, given: str) -> str:
        """Find the id that ``given`` is an unambiguous prefix of, in this profile.

        ``table`` is the plural of what its ids name. Raises ``NotFound`` and, when several begin so, ``InvalidInput``.
        """
        wanted = given.strip().lower()
        found: list[str] = []
        seq = self.profile_seq(profile)
        if wanted and seq is not None:
            if self.row(f"SELECT 1 FROM {table} WHERE id = ? AND profile = ?", wanted, seq):
                return wanted
            query = f"SELECT id FROM {table} WHERE id > ? AND id < ? AND profile = ? LIMIT ?"
            found = self.column(query, wanted, wanted + "\x7f", seq, _CANDIDATES + 1)
        if not found:
            raise no_such(table, given, profile)
        if len(found) > 1:
            more = ", …" if len(found) > _CANDIDATES else ""
            kind = table.removesuffix("s")
            raise InvalidInput(
                f"{given[:40]!r} stands for more than one {kind}: {', '.join(found[:_CANDIDATES])}{more}",
                hint="give more of the id",
                code="ambiguous_id",
            )
        return found[0]

    def row_numbers(self, table: str, profile: str, given: Sequence[str]) -> list[int]:
        """The row numbers of the ids or prefixes, each once; raises as ``full_id`` does."""
        ids = {self.full_id(table, profile, each) for each in given}
        return self.column(f"SELECT seq FROM {table} WHERE id {AMONG} ORDER BY seq", as_json(ids))


def record(kind: type[T], row: sqlite3.Row, **read: object) -> T:
    """Build a record (a dataclass) from the columns named as its fields; ``read`` has those read in another way."""
    known = _fields(kind)  # type: ignore[arg-type] # mypy does not know that classes can be hashed
    try:
        values: dict[str, Any] = {name: row[name] for name in known.types if name not in read}
    except IndexError as error:
        raise damaged("the library", f"a column of {kind.__name__} is missing") from error
    # SQLite holds what it writes against the types of the columns, and never what it reads.
    types = tuple(map(type, values.values()))
    if types not in known.seen:
        for name, value in values.items():
            if type(value) not in known.types[name]:
                raise damaged(f"a {kind.__name__.lower()} of the library", f"its {name}")
        known.seen.add(types)
    for name, choices in known.choices:
        if values.get(name) is not None and values[name] not in choices:
            raise damaged(f"a {kind.__name__.lower()} of the library", f"its {name}")
    return kind(**values, **read)


@dataclass(frozen=True, slots=True)
class _Fields:
    """The types that each field may have, and for some the values; ``seen`` are types of whole rows that were right."""

    types: Mapping[str, frozenset[type]]
    choices: tuple[tuple[str, frozenset[str]], ...]
    seen: set[tuple[type, ...]]


@cache
def _fields(kind: type) -> _Fields:
    types, choices = {}, []
    for name, hint in get_type_hints(kind).items():
        parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        types[name] = frozenset(str if get_origin(part) is Literal else get_origin(part) or part for part in parts)
        if literals := [value for part in parts if get_origin(part) is Literal for value in get_args(part)]:
            choices.append((name, frozenset(literals)))
    return _Fields(types, tuple(choices), set())


def which_rows(column: str, selected: Sequence[int] | None) -> tuple[str, tuple[object, ...]]:
    """Condition of the rows with one of these numbers, None for all, and its parameters."""
    return ("true", ()) if selected is None else (f"{column} {AMONG}", (as_json(selected),))


def json_value(text: str) -> Any:
    """The value of a JSON text of Lode's own. Raises ``StoreError`` where it is none any more."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise damaged("something in the library", error) from error


to_text = json.JSONEncoder(ensure_ascii=False).encode
"""Function as ``json.dumps``, but without an encoder per value, which a million clips would notice."""


def word_key(word: str) -> str:
    """Key under which words of clips and answers are counted: the word without its case."""
    return unicodedata.normalize("NFC", word.strip().casefold())
