"""Reading files that somebody names: regular ones only, of a bounded size, opened without waiting for anybody.

A pipe, a terminal or a device has a path like a file: opening one can wait for ever, and reading one need not end.
What is refused is an ``OSError`` whose ``strerror`` says why, as for every other file that cannot be read.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_KINDS = (
    (stat.S_ISDIR, os.strerror(errno.EISDIR)),
    (stat.S_ISFIFO, "it is a pipe, not a file"),
    (stat.S_ISSOCK, "it is a socket, not a file"),
    (stat.S_ISCHR, "it is a device, not a file"),
    (stat.S_ISBLK, "it is a device, not a file"),
)
_NOBODY_THERE = (errno.ENXIO, errno.EOPNOTSUPP, errno.ENODEV)
"""Errors of opening a socket (by system), or a device that is not there: a terminal of a process that has none."""
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def named_path(typed: str | Path) -> Path:
    """The path that somebody types, with "~" as a home directory; a home that there is not stays as it is typed."""
    return Path(os.path.expanduser(typed))  # noqa: PTH111 - Path.expanduser raises for a home that there is not


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """The file, unbuffered; raises ``OSError`` where it cannot be opened or is no regular one."""
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        if error.errno in _NOBODY_THERE:  # what cannot be opened at all, a socket say, has a kind all the same
            _check(os.stat(path).st_mode, path)  # noqa: PTH116 - as it is typed
        raise
    with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123 - a descriptor
        _check(os.fstat(file.fileno()).st_mode, path)
        yield file


def _check(mode: int, path: Path) -> None:
    if not stat.S_ISREG(mode):
        said = next((said for is_one, said in _KINDS if is_one(mode)), "it is no regular file")
        raise OSError(errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL, said, str(path))


def read(path: Path, most: int) -> bytes:
    """All of the file; raises ``OSError`` for more than ``most`` bytes (``errno.EFBIG``), and as ``open_file`` does."""
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise _too_large(path, most)
        pieces: list[bytes] = []
        room = most + 1  # one more than it may have: it can grow, and what the kernel makes up has no size
        while room > 0 and (piece := piece_of(file, room)):
            pieces.append(piece)
            room -= len(piece)
    if room <= 0:
        raise _too_large(path, most)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def piece_of(file: BinaryIO, most: int) -> bytes:
    """The next bytes of an opened file, b"" at its end; raises ``OSError`` where there would have to be waited."""
    piece = file.read(most)
    if piece is None:  # what the kernel makes up, its log say, can have nothing at the moment
        raise OSError(errno.EAGAIN, "it would have to be waited for", file.name)
    return piece


def _too_large(path: Path, most: int) -> OSError:
    size = f"{most / 1e6:g} MB" if most >= 1e6 else f"{most / 1e3:g} kB"
    return OSError(errno.EFBIG, f"it has more than {size}", str(path))
