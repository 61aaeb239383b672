"""Connections to the database: one per thread, short transactions, and SQLite's errors explained in plain words.

Commits are durable (``synchronous=FULL``): what was acknowledged also outlives a power cut. A commit here is rare (a
clip saved, a file imported, some progress noted) and costs one more flush of the log, about a millisecond on an SSD.
"""

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from tui.errors import InvalidInput, StoreError, damaged
from tui.store.rows import Connection
from tui.store.search import folded_words
from tui.store.sqlite_checks import found_damage, has_log, primary_code
from tui.store.write_ahead_log import Snapshot, configure_log, connect, log_bytes, open_snapshot, write_back_long_log

Access = Literal["write", "read", "frozen"]
"""Mode of access: ``read`` never writes; ``frozen`` reads a file that nobody else uses, and leaves no trace."""
_WITHOUT_INDEX = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
"""Codes of SQLite's where it cannot make its index of the log."""
_ASKED_WRONGLY = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE}
"""Codes of SQLite's for a statement that cannot be met: of a damaged database, or a wrong one of Lode's."""
_ROOM = 1_000_000
"""Bytes with which it is worth trying to use a library as usual again."""
_NO_ROOM = 40_000
"""Bytes that are too few for a change: it takes some pages of the log, and that an index."""
_FULL = "the disk is full: nothing can be saved"


def as_store_error(error: sqlite3.Error, path: Path, schema: Path | None = None) -> StoreError:
    """Explain an error of SQLite's about the database at ``path``: its cause and the next step.

    The codes are the primary ones of https://sqlite.org/rescode.html. Of a statement that failed nothing tells whether
    the database is damaged, so it is looked through; ``schema`` is as for ``found_damage``.
    """
    code = primary_code(error)
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR) and _free(path) < _ROOM:
        code = sqlite3.SQLITE_FULL
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            cause, hint = f"another program holds the database {path}", "close it there, or wait and try again"
        case sqlite3.SQLITE_READONLY:
            cause, hint = f"the database {path} is read-only", f"make it and {path.parent} writable"
        case sqlite3.SQLITE_FULL:
            cause, hint = f"the disk is full: {path} cannot grow", "make room and try again; nothing was lost"
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(str(path), error, state="damaged or no Lode database")
        case sqlite3.SQLITE_CANTOPEN:
            cause, hint = f"the database {path} cannot be opened", f"check that {path.parent} can be read and written"
        case sqlite3.SQLITE_IOERR:
            cause, hint = f"the disk failed or is full while {path} was used ({error})", "check the disk and try again"
        case _ if code in _ASKED_WRONGLY and (found := found_damage(path, schema)):
            return damaged(str(path), found)
        case _:
            if isinstance(error, sqlite3.OperationalError) and code == 0:
                return damaged(str(path), error)  # Python's own word for a text that is no UTF-8
            cause, hint = f"the database {path} refused: {error}", "try again; if it stays: lode doctor --full"
    return StoreError(cause, hint=hint)


def size_bytes(path: Path) -> int:
    """The size of a database and its log."""
    return (path.stat().st_size if path.exists() else 0) + log_bytes(path)


def _free(path: Path) -> int:
    """Bytes that are free on the disk."""
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return _ROOM


class _ThreadConnection:
    """A thread's connection, and the lock that keeps ``close`` away while it works."""

    def __init__(self, connection: Connection, snapshot: Snapshot | None) -> None:
        self.connection = connection
        self.snapshot = snapshot
        self.lock = threading.RLock()


def traceless_access(path: Path) -> Access:
    """Mode in which a database is read without a trace, as far as can be."""
    return "read" if has_log(path) else "frozen"


class Connections:
    """The connections to one database file, made as threads ask for them."""

    def __init__(self, path: Path, access: Access, *, busy_seconds: float = 5.0) -> None:
        self.path = path
        self.access = access
        self._busy_seconds = busy_seconds
        self._held: dict[threading.Thread, _ThreadConnection] = {}
        self._threads_lock = threading.Lock()
        self._write_lock = threading.RLock()
        self._closed = False
        self._snapshot_lock = threading.RLock()
        self._snapshot: Snapshot | None = None
        self._cause = ""
        self.schema: Path | None = None
        """File of the statements that a new database is made of, once this one is known to be like it."""
        self.damaged = False
        """Whether damage was found in it on the way."""

    @property
    def trouble(self) -> str:
        """Reason in a few words why a library that is usually written cannot be, or what is wrong; "" for none."""
        if self.damaged:
            return "the library is damaged: see lode doctor --full"
        if self.access != "write" or self._snapshot is not None:
            return self._cause
        return _FULL if _free(self.path) < _NO_ROOM else ""

    def connect(self) -> Connection:
        """Open a connection that the caller closes; only for reading where the library cannot be used as usual."""
        return self._connect()[0]

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """Open a connection without a transaction, for statements that want none."""
        with self._explained_errors():
            try:
                with closing(self.connect()) as connection:
                    yield connection
            except sqlite3.Error as error:
                raise as_store_error(error, self.path, self.schema) from error

    def _connect(self) -> tuple[Connection, Snapshot | None]:
        with self._snapshot_lock:
            if self._snapshot is None:
                try:
                    return self._open_connection(), None
                except sqlite3.OperationalError as error:
                    if self.access == "frozen" or primary_code(error) not in _WITHOUT_INDEX:
                        raise
                    with suppress(sqlite3.Error, OSError, UnicodeDecodeError):
                        self._snapshot = open_snapshot(self.path, self._busy_seconds)
                    if self._snapshot is None:
                        raise
                    if self.access == "write":
                        is_full = primary_code(error) == sqlite3.SQLITE_FULL or _free(self.path) < _ROOM
                        self._cause = _FULL if is_full else "the disk fails or is full: nothing can be saved"
            return self._configure(connect(self._snapshot.uri, self._busy_seconds)), self._snapshot

    def _open_connection(self) -> Connection:
        mode = {"write": "rwc", "read": "ro", "frozen": "ro&immutable=1"}[self.access]
        return self._configure(connect(f"{self.path.absolute().as_uri()}?mode={mode}", self._busy_seconds))

    def _leave_snapshot_if_possible(self) -> None:
        """Go back to the library itself. Raises ``sqlite3.Error`` where that is still impossible."""
        with self._snapshot_lock:
            if self._snapshot is not None:
                self._open_connection().close()
                self._drop_snapshot()

    def _drop_snapshot(self) -> None:
        with self._snapshot_lock:
            if self._snapshot is not None:
                self._snapshot.close()
                self._snapshot = None
                self._cause = ""

    def _refresh_snapshot(self) -> None:
        """Drop the snapshot once the library is no longer as it was then, or there is room again."""
        snapshot = self._snapshot
        if snapshot is None:
            return
        if not snapshot.is_current():
            self._drop_snapshot()
        elif self.access == "write" and _free(self.path) >= _ROOM:
            with suppress(sqlite3.OperationalError):
                self._leave_snapshot_if_possible()

    def check_unchanged(self, snapshot: Snapshot | None = None) -> None:
        """Raise ``StoreError`` where a snapshot is read and the library is no longer as it was then."""
        snapshot = snapshot or self._snapshot
        if snapshot is not None and not snapshot.is_current():
            raise StoreError(
                f"another program changed {self.path} while it was read without its index of the log", hint="try again"
            )

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that sees one state of the database throughout and writes nothing."""
        with self._explained_errors(), self._thread_connection() as connection:
            if connection.in_transaction:
                yield connection
                return
            snapshot = self._snapshot
            connection.execute("BEGIN")
            try:
                yield connection
            except sqlite3.Error:
                self.check_unchanged(snapshot)  # what looks like damage may be a page of another state
                raise
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            if snapshot is not None:
                self.check_unchanged(snapshot)

    def row(self, query: str, *given: object, **named: object) -> sqlite3.Row | None:
        """Read a row, in a transaction of its own or the one that is open; so do ``rows``, ``value`` and ``column``."""
        with self.read() as connection:
            return connection.row(query, *given, **named)

    def rows(self, query: str, *given: object, **named: object) -> list[sqlite3.Row]:
        with self.read() as connection:
            return connection.rows(query, *given, **named)

    def value(self, query: str, *given: object, **named: object) -> Any:
        with self.read() as connection:
            return connection.value(query, *given, **named)

    def column(self, query: str, *given: object, **named: object) -> list[Any]:
        with self.read() as connection:
            return connection.column(query, *given, **named)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction with the write lock; it is kept whole when the block ends, and not at all when it raises.

        One within another is a part of it.
        Threads of this process queue at a lock of their own, which is fair and wakes at once; SQLite's only polls.
        """
        if self.access != "write":
            raise StoreError(
                f"the library {self.path} can only be read", hint=f"make the file and {self.path.parent} writable"
            )
        with self._explained_errors(), self._write_lock:
            self._leave_snapshot_if_possible()
        with self._explained_errors(), self._write_lock, self._thread_connection() as connection:
            if connection.in_transaction:
                yield connection
                return
            write_back_long_log(self.path, connection, self._open_connection)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close every thread's connection once the call that it is in has ended; later calls raise ``StoreError``."""
        with self._threads_lock:
            self._closed = True
            all_held = list(self._held.values())
            self._held.clear()
        for held in all_held:
            with held.lock:
                held.connection.close()
        self._drop_snapshot()

    def _is_in_transaction(self) -> bool:
        held = self._held.get(threading.current_thread())
        return held is not None and not self._closed and held.connection.in_transaction

    @contextmanager
    def _explained_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            is_asked_wrongly = primary_code(error) in _ASKED_WRONGLY
            if is_asked_wrongly and self._is_in_transaction():
                raise  # the block around this one looks for damage, once nothing is locked any more
            explained = as_store_error(error, self.path, self.schema)
            if is_asked_wrongly and explained.code != "library_damaged":
                raise  # a defect of Lode's, which is reported as such
            raise explained from error
        except (UnicodeDecodeError, LookupError) as error:
            # Of a damaged database: SQLite's message quotes what is no text any more, or a row lacks a column.
            if not self._is_in_transaction() and (found := found_damage(self.path, self.schema)):
                raise damaged(str(self.path), found) from error
            raise
        except UnicodeEncodeError as error:
            raise InvalidInput(
                f"{error.object[error.start : error.end]!r} is not a character",
                hint="a text or a file's name holds bytes that are no valid Unicode",
            ) from error

    @contextmanager
    def _thread_connection(self) -> Iterator[Connection]:
        held = self._held.get(threading.current_thread())
        if held is None or not held.connection.in_transaction:
            self._refresh_snapshot()
            if held is not None and held.snapshot is not self._snapshot:
                self._close_thread_connection()
                held = None
        held = held or self._open_thread_connection()
        with held.lock:
            if self._closed:
                raise StoreError("the library is closed")
            yield held.connection

    def _open_thread_connection(self) -> _ThreadConnection:
        with self._threads_lock:
            if self._closed:
                raise StoreError("the library is closed")
            for thread in [thread for thread in self._held if not thread.is_alive()]:
                self._held.pop(thread).connection.close()
            held = self._held[threading.current_thread()] = _ThreadConnection(*self._connect())
            return held

    def _close_thread_connection(self) -> None:
        with self._threads_lock:
            held = self._held.pop(threading.current_thread(), None)
        if held is not None:
            with held.lock:
                held.connection.close()

    def _configure(self, connection: Connection) -> Connection:
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("PRAGMA cache_size = -4000")
            configure_log(connection)
            connection.create_function("folded_words", -1, folded_words, deterministic=True)
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # the first that needs the file and its index
        except UnicodeDecodeError as error:
            connection.close()
            raise damaged(str(self.path)) from error
        except BaseException:
            connection.close()
            raise
        return connection


class Table:
    """Base class of the tables, each over the connections of the store."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
