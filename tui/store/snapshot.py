"""Read-only snapshots of a library that SQLite cannot open as usual, because its index of the log has no place.

A database with a write-ahead log is read through a shared index beside it, which takes 32 kB: on a full disk, or in a
directory that cannot be written, it cannot be made (https://sqlite.org/wal.html#read_only_databases). Then

- where no log is left to be read, the file is read as it lies there (``immutable``), without locks, so that nobody is
  kept waiting;
- where one is, SQLite reads it with an index in its own memory, for one who has the library alone
  (https://sqlite.org/wal.html#noshm). That is held as long as it takes to bring the log into the database or, where
  that would have to grow, to copy both into memory.

Both are right as long as nobody changes the files, which is asked before and after whatever is read.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

_ATTEMPTS = 3
_State: TypeAlias = tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class FileStates:
    """States of the database and its logs, each by its inode, size and time of change; None for nothing in it."""

    database: _State
    log: _State
    journal: _State

    @classmethod
    def of(cls, path: Path) -> FileStates:
        return cls(*(_state(path.with_name(path.name + ending)) for ending in ("", "-wal", "-journal")))


class Snapshot:
    """The library as it was at one moment. ``is_current`` tells whether that is how it is still."""

    def __init__(self, path: Path, files: FileStates, memory: sqlite3.Connection | None, uri: str) -> None:
        self._path = path
        self._files = files
        self._memory = memory
        self._uri = uri

    def connect(self, busy_seconds: float) -> sqlite3.Connection:
        return _connect(self._uri, busy_seconds)

    def is_current(self) -> bool:
        return FileStates.of(self._path) == self._files

    def close(self) -> None:
        """Close the copy in memory; nobody connects any more, who is connected still may go on."""
        if self._memory is not None:
            self._memory.close()


def open_snapshot(path: Path, busy_seconds: float) -> Snapshot | None:
    """Open what can be read instead of the database; None where there is nothing that would be right.

    Raises ``sqlite3.Error`` where another program uses it, or it cannot be read.
    """
    for _ in range(_ATTEMPTS):
        files = FileStates.of(path)
        if files.journal is not None:
            return None
        if files.log is None:
            snapshot = Snapshot(path, files, None, f"{path.absolute().as_uri()}?mode=ro&immutable=1")
            with closing(snapshot.connect(busy_seconds)) as connection:
                connection.execute("SELECT 1 FROM sqlite_master").fetchone()
            return snapshot
        if found := _in_memory(path, busy_seconds):
            return found
    return None


def _in_memory(path: Path, busy_seconds: float) -> Snapshot | None:
    """Copy database and log into memory; None where the log went into the database, or was written to since."""
    uri = f"file:lode-{uuid4().hex}?mode=memory&cache=shared"
    with closing(_connect(f"{path.absolute().as_uri()}?mode=rw", busy_seconds)) as alone:
        alone.execute("PRAGMA locking_mode = EXCLUSIVE")
        alone.execute("SELECT 1 FROM sqlite_master").fetchone()
        with suppress(sqlite3.OperationalError):  # no room for what the log adds to the database
            if alone.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0:
                return None  # closing removes the log
        memory = _connect(uri, busy_seconds)
        try:
            alone.backup(memory)
            log = FileStates.of(path).log
        except BaseException:
            memory.close()
            raise
    files = FileStates.of(path)
    if files.log != log:
        memory.close()
        return None
    return Snapshot(path, files, memory, uri)


def _connect(uri: str, busy_seconds: float) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False)


def _state(path: Path) -> _State:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns) if found.st_size else None
