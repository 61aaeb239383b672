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
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

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
