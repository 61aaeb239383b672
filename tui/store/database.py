"""One SQLite file, one connection per thread, short transactions, and every ``sqlite3.Error`` named in plain words.

Commits are durable (``synchronous=FULL``): what was acknowledged also outlives a power cut. A commit here is rare (a
clip saved, a file imported, some progress noted) and costs one more flush of the log, about a millisecond on an SSD.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from tui.errors import InvalidInput, StoreError
from tui.store.search import shadow

Access = Literal["write", "read", "frozen"]
"""``read`` never writes; ``frozen`` reads a file in a directory where SQLite can't even lay its index of the log."""


def explained(error: sqlite3.Error, path: Path) -> StoreError:
    """The cause and the next step for what SQLite says about the database at ``path``.

    The codes are the primary ones of https://sqlite.org/rescode.html.
    """
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            cause, hint = f"another program holds the database {path}", "close it there, or wait and try again"
        case sqlite3.SQLITE_READONLY:
            cause, hint = f"the database {path} is read-only", f"make it and {path.parent} writable"
        case sqlite3.SQLITE_FULL:
            cause, hint = f"the disk is full: {path} cannot grow", "make room and try again; nothing was lost"
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            cause = f"{path} is damaged or no Lode database ({error})"
            hint = f"move it away and put a backup in its place ({path.name}.before-… or one made with: lode backup)"
        case sqlite3.SQLITE_CANTOPEN:
            cause, hint = f"the database {path} cannot be opened", f"check that {path.parent} can be read and written"
        case sqlite3.SQLITE_IOERR:
            cause, hint = f"the disk failed or is full while {path} was used ({error})", "check the disk and try again"
        case _:
            cause, hint = f"the database {path} refused: {error}", ""
    return StoreError(cause, hint=hint)


class _Held:
    """A thread's connection, and the lock that keeps ``close`` away while it works."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.lock = threading.RLock()


class Connections:
    """The connections to one database file, made as threads ask for them."""

    def __init__(self, path: Path, access: Access, *, busy_seconds: float = 5.0) -> None:
        self.path = path
        self.access = access
        self._busy_seconds = busy_seconds
        self._held: dict[threading.Thread, _Held] = {}
        self._registry = threading.Lock()
        self._writing = threading.RLock()
        self._beginning = threading.local()
        self._closed = False

    def connect(self) -> sqlite3.Connection:
        """A new connection that the caller closes."""
        uri = self.path.absolute().as_uri()
        uri += {"write": "?mode=rwc", "read": "?mode=ro", "frozen": "?mode=ro&immutable=1"}[self.access]
        connection = sqlite3.connect(
            uri, uri=True, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("PRAGMA cache_size = -4000")
            connection.create_function("shadow", -1, shadow, deterministic=True)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A transaction that sees one state of the database throughout and writes nothing."""
        with self._mapped(), self._mine() as connection:
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction that holds the write lock; it is kept whole when the block ends, and not at all when it raises.

        Threads of this process queue at a lock of their own, which is fair and wakes at once; SQLite's only polls.
        """
        if self.access != "write":
            raise StoreError(
                f"the library {self.path} can only be read", hint=f"make the file and {self.path.parent} writable"
            )
        with self._mapped(), self._writing, self._mine() as connection:
            if connection.in_transaction:
                yield connection
                return
            first: Callable[[sqlite3.Connection], None] | None = getattr(self._beginning, "work", None)
            connection.execute("BEGIN IMMEDIATE")
            try:
                if first is not None:
                    first(connection)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            if first is not None:
                self._beginning.work = None

    @contextmanager
    def beginning_with(self, work: Callable[[sqlite3.Connection], None]) -> Iterator[None]:
        """In this block, this thread's write transactions begin with ``work``, until one of them was kept.

        What ``work`` raises ends the transaction before anything else is written.
        """
        outer = getattr(self._beginning, "work", None)
        self._beginning.work = work
        try:
            yield
        finally:
            self._beginning.work = outer

    def close(self) -> None:
        """Close every thread's connection once the call that it is in has ended; later calls raise ``StoreError``."""
        with self._registry:
            self._closed = True
            all_held = list(self._held.values())
            self._held.clear()
        for held in all_held:
            with held.lock:
                held.connection.close()

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise explained(error, self.path) from error
        except UnicodeEncodeError as error:
            raise InvalidInput(
                f"{error.object[error.start : error.end]!r} is not a character",
                hint="a text or a file's name holds bytes that are no valid Unicode",
            ) from error

    @contextmanager
    def _mine(self) -> Iterator[sqlite3.Connection]:
        held = self._held.get(threading.current_thread()) or self._open_mine()
        with held.lock:
            if self._closed:
                raise StoreError("the library is closed")
            yield held.connection

    def _open_mine(self) -> _Held:
        with self._registry:
            if self._closed:
                raise StoreError("the library is closed")
            for thread in [thread for thread in self._held if not thread.is_alive()]:
                self._held.pop(thread).connection.close()
            held = self._held[threading.current_thread()] = _Held(self.connect())
            return held
