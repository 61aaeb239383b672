"""Write-ahead log: the one place where it is written back into its database while others may use it.

SQLite up to 3.51.2 can lose what it acknowledged when two connections write the log back (checkpoint it) while a third
begins it anew with a commit: the second one takes the old log's length for that of the new one, of which a later
checkpoint then leaves out the beginning (https://sqlite.org/wal.html#walresetbug). Python's own SQLite is older nearly
everywhere, and no package brings a mended one to every platform.

So nothing here is left to SQLite's automatic checkpoints, which follow a commit and hold no lock that keeps others from
committing. A writer that finds the log long takes the write lock on its own connection, and lets another connection
write back what the log holds: nobody can commit meanwhile, nobody else comes this far. The writer then lets go and
begins its transaction, which starts the log over, unless somebody still reads what stood in it before.

SQLite also writes the log back when the last connection is closed, and where a library is read with
``locking_mode = EXCLUSIVE``: alone in the file both times.

Read-only snapshots of a library that SQLite cannot open as usual, because its index of the log has no place.

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
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

from tui.store.rows import Connection

MAX_QUIET_LOG = 16_000_000
"""Bytes of the log up to which it is left alone; what changes often is by then one page of the database."""
_PATIENCE, _MAX_PATIENCE, _POLL = 0.05, 0.5, 0.002
"""Seconds that those who read an older state are given to end, for each time that the log is longer than that; the most
of it; and the time between two looks. Who keeps on reading for longer lets the log grow."""
_MENDED = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
"""Versions of SQLite that have the fault mended; so have all later ones of the same two numbers, or after the last."""


def can_lose_commits(version: tuple[int, ...]) -> bool:
    """Whether this version of SQLite loses commits when several connections checkpoint as they like."""
    return version < _MENDED[-1] and not any(version[:2] == mended[:2] and version >= mended for mended in _MENDED)


def configure_log(connection: sqlite3.Connection) -> None:
    """Leave writing the log back to ``write_back_long_log``; one that starts over shrinks to what is usual."""
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute(f"PRAGMA journal_size_limit = {MAX_QUIET_LOG}")


def log_bytes(path: Path) -> int:
    """The size of the log of the database at ``path``; 0 where there is none."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        return 0


def write_back_long_log(path: Path, writer: sqlite3.Connection, connect: Callable[[], sqlite3.Connection]) -> None:
    """Write a long log back into its database, before ``writer`` begins a transaction, while it holds the write lock.

    ``connect`` opens another connection to the same database. A disk without room, or one that fails, leaves the log as
    it is. Raises ``sqlite3.Error`` where the write lock can't be had.
    """
    excess = log_bytes(path) / MAX_QUIET_LOG - 1
    if excess <= 0:
        return
    writer.execute("BEGIN IMMEDIATE")
    try:
        with suppress(sqlite3.Error), closing(connect()) as other:
            deadline = time.monotonic() + min(excess * _PATIENCE, _MAX_PATIENCE)
            # A log of twice the length was written back before, and did not start over: somebody still read its end.
            while not (_write_back(other) and excess < 1) and time.monotonic() < deadline:
                time.sleep(_POLL)
    finally:
        writer.execute("ROLLBACK")


def _write_back(connection: sqlite3.Connection) -> bool:
    """Write back what nobody still needs as it was before; gives whether that is all of the log."""
    _, frames, done = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return bool(frames == done)


_ATTEMPTS = 3
_State: TypeAlias = tuple[int, int, int] | None
"""State of a file: its inode, size and time of change."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The library as it was at one moment: a file or a copy in ``memory``, at ``uri``."""

    path: Path
    files: Mapping[str, _State]
    memory: Connection | None
    uri: str

    def is_current(self) -> bool:
        """Whether that is how the library is still."""
        return _file_states(self.path) == self.files

    def close(self) -> None:
        """Close the copy in memory; nobody connects any more, who is connected still may go on."""
        if self.memory is not None:
            self.memory.close()


def open_snapshot(path: Path, busy_seconds: float) -> Snapshot | None:
    """Open what can be read instead of the database; None where there is nothing that would be right.

    Raises ``sqlite3.Error`` where another program uses it, or it cannot be read.
    """
    for _ in range(_ATTEMPTS):
        files = _file_states(path)
        if files["-journal"] is not None:
            return None
        if files["-wal"] is None:
            snapshot = Snapshot(path, files, None, f"{path.absolute().as_uri()}?mode=ro&immutable=1")
            with closing(connect(snapshot.uri, busy_seconds)) as connection:
                connection.execute("SELECT 1 FROM sqlite_master").fetchone()
            return snapshot
        if found := _in_memory(path, busy_seconds):
            return found
    return None


def _in_memory(path: Path, busy_seconds: float) -> Snapshot | None:
    """Copy database and log into memory; None where the log went into the database, or was written to since."""
    uri = f"file:lode-{uuid4().hex}?mode=memory&cache=shared"
    with closing(connect(f"{path.absolute().as_uri()}?mode=rw", busy_seconds)) as alone:
        alone.execute("PRAGMA locking_mode = EXCLUSIVE")
        alone.execute("SELECT 1 FROM sqlite_master").fetchone()
        with suppress(sqlite3.OperationalError):  # no room for what the log adds to the database
            if alone.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0:
                return None  # closing removes the log
        memory = connect(uri, busy_seconds)
        try:
            alone.backup(memory)
            log = _file_states(path)["-wal"]
        except BaseException:
            memory.close()
            raise
    files = _file_states(path)
    if files["-wal"] != log:
        memory.close()
        return None
    return Snapshot(path, files, memory, uri)


def connect(uri: str, busy_seconds: float) -> Connection:
    """Open a database; transactions are begun and ended by statements, from any thread."""
    return sqlite3.connect(
        uri, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False, factory=Connection
    )


def _file_states(path: Path) -> dict[str, _State]:
    """States of the database and its logs by the endings of their names; None for nothing in it."""
    return {ending: _state(path.with_name(path.name + ending)) for ending in ("", "-wal", "-journal")}


def _state(path: Path) -> _State:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns) if found.st_size else None
