"""The target file of an export: what may be replaced there, and what to do about errors."""

from __future__ import annotations

import errno
import os
import shlex
import sqlite3
import zipfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from tui.errors import DeckError
from tui.temporary import TemporaryDirectory
from tui.text.sanitize import one_line

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_SQLITE_FULL = ("SQLITE_FULL", "SQLITE_IOERR_WRITE")
_COLLECTIONS = {"collection.anki2", "collection.anki21", "collection.anki21b"}
"""Names that Anki looks for in a package, in the order of its own versions."""


def checked_target(path: Path, *, overwrite: bool) -> Path:
    """Check a target; gives the path that is written, behind any symbolic link.

    Raises ``DeckError`` where no file can be and, with the code ``not_a_deck``, for a file that is no deck.
    """
    try:
        target = path.resolve()
        if target.is_dir():
            raise DeckError(
                f"{one_line(str(path))} is a directory", hint=f"name a file in it: {shlex.quote(f'{path}/lode.apkg')}"
            )
        if target.exists() and not target.is_file():
            raise DeckError(f"{one_line(str(path))} is not a file", hint="name a file, such as lode.apkg")
        if not overwrite and target.exists() and not _may_be_replaced(target):
            raise DeckError(
                f"{one_line(str(path))} exists and is no Anki deck",
                hint="name another file, or move that one away",
                code="not_a_deck",
            )
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name too long, a NUL in it
        raise DeckError(f"{one_line(str(path))} is no place for a file ({error})", hint="name another file") from error
    return target


def _may_be_replaced(path: Path) -> bool:
    """Whether the file is a deck, which another export replaces, or has nothing in it that could be lost."""
    if path.stat().st_size == 0:
        return True
    try:
        with zipfile.ZipFile(path) as archive:
            return not _COLLECTIONS.isdisjoint(archive.namelist())
    except (OSError, zipfile.BadZipFile, NotImplementedError):
        return False


def write_error(target: Path, error: OSError | sqlite3.Error) -> DeckError:
    """The error of a write that failed, and what to do about it."""
    directory = one_line(str(target.parent))
    if isinstance(error, sqlite3.Error):
        full = getattr(error, "sqlite_errorname", "") in _SQLITE_FULL
        reason = str(error)
    else:
        full = error.errno in _FULL
        reason = error.strerror or str(error)
        if error.errno == errno.ENOENT:
            return DeckError(f"there is no directory {directory}", hint=f"make it: mkdir -p {shlex.quote(directory)}")
        if error.errno == errno.ENOTDIR:
            return DeckError(f"{directory} is not a directory", hint="name a file in a directory")
        if error.errno in _FORBIDDEN:
            return DeckError(f"no right to write in {directory}", hint="choose a directory of your own")
    if full:
        return DeckError(
            f"no room left for the deck in {directory}", hint="free some room, or choose a directory on another disk"
        )
    return DeckError(f"{one_line(str(target))} cannot be written: {reason}", hint="choose another directory or name")


class DeckFile:
    """A deck on its way to its target: written to ``file`` beside it within the block; ``keep`` puts it there.

    ``directory`` has room for what it is made from, and goes with the block.
    Raises ``DeckError`` as ``checked_target`` does, and where it cannot be written; what was there stays until then.
    """

    def __init__(self, path: Path, *, overwrite: bool) -> None:
        self.target = checked_target(path, overwrite=overwrite)
        self._size = 0

    def __enter__(self) -> DeckFile:
        try:
            self._beside = TemporaryDirectory(self.target.parent)
            self.directory = self._beside.path
            try:
                self.file = (self.directory / "deck.apkg").open("wb")
            except OSError:
                self._beside.remove()
                raise
        except OSError as error:
            raise write_error(self.target, error) from error
        return self

    def write(self, piece: bytes) -> None:
        try:
            self._size += self.file.write(piece)
        except OSError as error:
            raise write_error(self.target, error) from error

    def keep(self) -> int:
        """Put the file in its place, safely on the disk; gives its size in bytes."""
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
            (self.directory / "deck.apkg").replace(self.target)
        except OSError as error:
            raise write_error(self.target, error) from error
        return self._size

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # what could not be written has been said already
            self.file.close()
        self._beside.remove()
