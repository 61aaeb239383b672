"""Pauses inside SQLite's checkpoints, where its WAL-reset bug needs them: the methods of an open file, replaced.

A checkpoint locks out other checkpoints, reads how long the log is, tells the file's ``xUnfetch`` where that has
changed, and goes on with what it read. What happens between is for the operating system to decide; here it is called.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import sqlite3
from collections.abc import Callable
from typing import Any

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
