"""Ids and names of records for a shell that completes them: read from a library that there is, without a trace in it.

Plain SQLite, since a person waits between two keys: the store's own imports take longer than this.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

_WAIT_SECONDS = 0.1
_OF_PROFILE = "profile = (SELECT seq FROM profiles WHERE name = :profile)"


@dataclass(frozen=True, slots=True)
class RecordName:
    """A record that has this id; ``name`` is one that it goes by too, "" for none, ``about`` tells which it is."""

    id: str
    name: str
    about: str


_RECORDS: Mapping[str, str] = {
    "transcripts": f"SELECT id, title, coalesce(language, ''), seq FROM transcripts WHERE {_OF_PROFILE}",
    "files": f"SELECT id, name, coalesce(language, ''), seq FROM files WHERE {_OF_PROFILE}",
    "clips": f"SELECT id, '', surface || ' · ' || sentence, seq FROM clips WHERE {_OF_PROFILE}",
    "history": f"SELECT id, '', focus || ' · ' || sentence, seq FROM answers WHERE {_OF_PROFILE}",
    "bookmarks": (
        "SELECT b.id, '', coalesce(nullif(b.name, '') || ' · ', '') || 'line ' || (b.cue + 1) || ' of ' || t.title,"
        f" b.seq FROM bookmarks AS b JOIN transcripts AS t ON t.id = b.transcript_id WHERE b.{_OF_PROFILE}"
    ),
    "jobs": f"SELECT id, '', state || ' · ' || source, seq FROM jobs WHERE {_OF_PROFILE}",
    "dictionaries": "SELECT id, '', title, seq FROM dictionaries",
    "review": f"SELECT id, '', title, seq FROM reviews WHERE {_OF_PROFILE}",
    "undo": f"SELECT CAST(seq AS TEXT), '', summary, seq FROM trash WHERE undone = 0 AND {_OF_PROFILE}",
}
"""Kind of record → its id, the name that it goes by, what else tells it, and its number: the newest has the highest."""
_VALUES: Mapping[str, str] = {
    "profiles": "SELECT name FROM profiles",
    "languages": f"SELECT DISTINCT language FROM transcripts WHERE language <> '' AND {_OF_PROFILE}",
    "models": (
        f"SELECT model FROM templates WHERE model <> '' AND {_OF_PROFILE} UNION SELECT model FROM"
        f" (SELECT model FROM answers WHERE model <> '' AND {_OF_PROFILE} ORDER BY seq DESC LIMIT 500)"
    ),
    "views": f"SELECT name FROM views WHERE {_OF_PROFILE}",
    "tags": (
        "SELECT DISTINCT value FROM"
        f" (SELECT tags FROM clips WHERE tags <> '[]' AND {_OF_PROFILE} ORDER BY seq DESC LIMIT 2000), json_each(tags)"
    ),
}
KINDS = frozenset({*_RECORDS, *_VALUES})


def read_records(directory: Path, profile: str, kind: str, begin: str, limit: int) -> tuple[RecordName, ...]:
    """The newest records whose id or name begins so, names in any case. Raises ``sqlite3.Error``."""
    columns = f"WITH named (id, name, about, seq) AS ({_RECORDS[kind]}) SELECT id, name, about FROM named"
    fits = "(id >= :begin AND id < :begin || char(1114111)) OR name LIKE :like ESCAPE '\\'"
    like = "".join(f"\\{char}" if char in "%_\\" else char for char in begin) + "%"
    given = {"profile": profile, "begin": begin, "like": like, "limit": limit}
    query = f"{columns} WHERE {fits} ORDER BY seq DESC LIMIT :limit"
    return tuple(RecordName(*row) for row in _rows(directory / _file(kind), query, given))


def read_values(directory: Path, profile: str, kind: str) -> tuple[str, ...]:
    """Values that a library has of tags, views, models, languages or profiles. Raises ``sqlite3.Error``."""
    return tuple(str(row[0]) for row in _rows(directory / _file(kind), _VALUES[kind], {"profile": profile}))


def _file(kind: str) -> str:
    return "dictionaries.db" if kind == "dictionaries" else "lode.db"


def _rows(path: Path, query: str, given: Mapping[str, object]) -> list[tuple[str, ...]]:
    if not path.is_file() or not path.stat().st_size:
        return []
    # Nobody uses one without a log: as a file that does not change it is read without making one.
    is_used = path.with_name(f"{path.name}-wal").exists()
    address = f"file:{quote(str(path.absolute()))}?mode=ro{'' if is_used else '&immutable=1'}"
    with closing(sqlite3.connect(address, uri=True, timeout=_WAIT_SECONDS)) as connection:
        return connection.execute(query, given).fetchall()
