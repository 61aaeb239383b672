"""The write-ahead log is written back without SQLite's WAL-reset bug, and does not grow for ever."""

from __future__ import annotations

import _sqlite3
import ctypes
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tui.errors import StoreError
from tui.store import database, write_ahead_log
from tui.store.database import Connections
from tui.store.rows import Connection
from tui.store.write_ahead_log import can_lose_commits, log_bytes

RUNS = 100

# Pauses inside SQLite's checkpoints, where its WAL-reset bug needs them: the methods of an open file, replaced.
#
# A checkpoint locks out other checkpoints, reads how long the log is, tells the file's ``xUnfetch`` where that has
# changed, and goes on with what it read. What happens between is for the operating system to decide; here it is called.

_POINTER = ctypes.c_void_p
_SHM_LOCK = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_int, ctypes.c_int, ctypes.c_int)
_UNFETCH = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_int64, _POINTER)
_FILE_POINTER = 7
"""``SQLITE_FCNTL_FILE_POINTER`` of https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html."""
_CHECKPOINT_LOCK, _EXCLUSIVELY = 1, 2 | 8
"""The lock of the log's index that a checkpoint takes, and ``SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE``."""


class _FileMethods(ctypes.Structure):
    """``sqlite3_io_methods`` of https://sqlite.org/c3ref/io_methods.html, version 3."""

    _fields_ = [
        ("version", ctypes.c_int),
        *((f"method_{number}", _POINTER) for number in range(13)),
        ("shm_lock", _POINTER),
        *((name, _POINTER) for name in ("shm_barrier", "shm_unmap", "fetch", "unfetch")),
    ]


def can_pause() -> bool:
    """Whether the SQLite that Python uses lets itself be called: one that is built in may not."""
    return hasattr(ctypes.CDLL(_sqlite3.__file__), "sqlite3_file_control")


def pause_checkpoints(connection: sqlite3.Connection, before: Callable[[], None], within: Callable[[], None]) -> object:
    """Call ``before`` each checkpoint of the connection, and ``within`` it; gives what must be kept as long as it."""
    file = ctypes.POINTER(ctypes.POINTER(_FileMethods))()
    handle = _POINTER.from_address(id(connection) + object.__basicsize__)  # the first field of CPython's Connection
    library = ctypes.CDLL(_sqlite3.__file__)
    assert library.sqlite3_file_control(handle, b"main", _FILE_POINTER, ctypes.byref(file)) == 0
    methods = _FileMethods.from_buffer_copy(file[0].contents)
    lock, unfetch = _SHM_LOCK(methods.shm_lock), _UNFETCH(methods.unfetch)

    def lock_after_pause(opened: Any, first: int, count: int, flags: int) -> int:
        if (first, count, flags) == (_CHECKPOINT_LOCK, 1, _EXCLUSIVELY):
            before()
        return int(lock(opened, first, count, flags))

    def unfetch_after_pause(opened: Any, offset: int, page: Any) -> int:
        if not offset and not page:
            within()
        return int(unfetch(opened, offset, page))

    replaced = _SHM_LOCK(lock_after_pause), _UNFETCH(unfetch_after_pause)
    methods.shm_lock, methods.unfetch = (ctypes.cast(each, _POINTER).value for each in replaced)
    file[0] = ctypes.pointer(methods)
    return methods, replaced, lock, unfetch


def test_versions_with_the_fault_are_known() -> None:
    for version in ((3, 40, 1), (3, 44, 5), (3, 45, 0), (3, 50, 6), (3, 51, 2)):
        assert can_lose_commits(version), version
    for version in ((3, 44, 6), (3, 50, 7), (3, 51, 3), (3, 53, 0)):
        assert not can_lose_commits(version), version


class Users:
    """Three users of a database, each with a connection of its own, one of which is paused when it checkpoints."""

    def __init__(self, path: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.paused, self.checkpointing, self.committing = (Connections(path, "write", busy_seconds=0) for _ in "123")
        self.acknowledged: set[int] = set()
        self.refused = 0
        self._number = 0
        self._kept: list[object] = []
        self._is_within = False
        with closing(self.paused.connect()) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT)")
        open_connection = self.paused._open_connection

        def open_paused() -> Connection:
            connection = open_connection()
            self._kept.append(pause_checkpoints(connection, self._before, self._within))
            return connection

        self.paused._open_connection = open_paused  # type: ignore[method-assign]

    def add(self, connections: Connections, rows: int) -> None:
        """Write some rows, or none: what begins a transaction may write back what the log holds."""
        numbers = range(self._number, self._number + rows)
        self._number += rows
        with connections.write() as connection:
            rowed = ((number, "x" * 3_000) for number in numbers)
            connection.executemany("INSERT INTO numbers VALUES (?, ?)", rowed)
        self.acknowledged.update(numbers)

    def live(self) -> None:
        """Write as three processes may; who finds the database in use is told so, and what it had is not kept."""
        self.add(self.committing, 1)
        for _ in range(2):
            self.add(self.paused, self.dice.randint(25, 60))
        for _ in range(30):
            self.add(self.checkpointing, self.dice.randint(1, 10))

    def _before(self) -> None:
        with self._intruding():
            self.add(self.checkpointing, self.dice.choice((0, 0, 1, 5)))

    def _within(self) -> None:
        with self._intruding():
            self.add(self.committing, self.dice.randint(1, 3))

    @contextmanager
    def _intruding(self) -> Iterator[None]:
        if self._is_within:
            return
        self._is_within = True
        try:
            yield
        except StoreError:
            self.refused += 1
        finally:
            self._is_within = False


def loses(path: Path, seed: int) -> tuple[bool, int]:
    """Whether acknowledged rows are gone or the database is damaged, and how many commits were refused."""
    users = Users(path, seed)
    try:
        users.live()
        for connections in (users.paused, users.checkpointing, users.committing):
            connections.close()
        with closing(sqlite3.connect(path)) as connection:
            there = {row[0] for row in connection.execute("SELECT number FROM numbers")}
            is_whole = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    except (StoreError, sqlite3.DatabaseError) as error:
        assert isinstance(error, sqlite3.Error) or "damaged" in str(error), error
        return True, users.refused
    return not is_whole or not users.acknowledged <= there, users.refused


pauses = pytest.mark.skipif(not can_pause(), reason="this Python's SQLite cannot be called from outside")


@pauses
@pytest.mark.skipif(not can_lose_commits(sqlite3.sqlite_version_info), reason="this SQLite has the fault mended")
def test_automatic_checkpoints_lose_what_was_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pauses are where they must be: else the test below would hold whatever it is given."""

    def configure(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA wal_autocheckpoint = 20")

    monkeypatch.setattr(database, "configure_log", configure)
    monkeypatch.setattr(write_ahead_log, "MAX_QUIET_LOG", 10**12)
    assert any(loses(tmp_path / f"{seed}.db", seed)[0] for seed in range(RUNS))


@pauses
@pytest.mark.exhaustive
def test_a_log_that_is_written_back_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_ahead_log, "MAX_QUIET_LOG", 80_000)
    found = [loses(tmp_path / f"{seed}.db", seed) for seed in range(RUNS // 2)]
    assert not any(is_lost for is_lost, _ in found)
    assert all(refused for _, refused in found), "somebody came in while the log was written back, and had to wait"


def test_the_log_starts_over_once_it_is_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_ahead_log, "MAX_QUIET_LOG", 200_000)
    path = tmp_path / "a.db"
    users = Users(path, 1)
    for _ in range(10):
        users.add(users.checkpointing, 40)
        users.add(users.committing, 10)
        assert log_bytes(path) < 600_000
    with users.checkpointing.read() as reading:  # who reads keeps the log from being started over
        reading.execute("SELECT count(*) FROM numbers").fetchone()
        for _ in range(3):
            users.add(users.committing, 200)
    assert log_bytes(path) > 1_500_000
    for _ in range(3):
        users.add(users.committing, 1)
    assert log_bytes(path) < 600_000
