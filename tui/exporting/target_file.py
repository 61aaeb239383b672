"""The target file of an export: written beside its place and then renamed, so that there is a whole file or none."""

import asyncio
import errno
import os
import shlex
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from tui.errors import InvalidInput, LodeError
from tui.system.temporary import TemporaryDirectory
from tui.text.sanitize import one_line

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


class TargetFile:
    """A file on its way to its target: written to ``file`` beside it within the block; ``keep`` puts it there.

    Another program may write it too, at ``path``.

    ``directory`` has room for what it is made from, and goes with the block. ``target`` is behind any symbolic link.
    Raises ``KIND`` where no file can be or cannot be written, with the code ``target_exists`` where one is that is not
    to be overwritten; what was there stays until ``keep``. Subclasses say what may be replaced all the same.
    """

    KIND: ClassVar[type[LodeError]] = InvalidInput
    NOUN: ClassVar[str] = "file"
    EXAMPLE: ClassVar[str] = "film.srt"

    def __init__(self, path: Path, *, overwrite: bool) -> None:
        shown = one_line(str(path))
        try:
            target = path.resolve()
            if target.is_dir():
                example = shlex.quote(f"{path}/{self.EXAMPLE}")
                raise self.KIND(f"{shown} is a directory", hint=f"name a file in it: {example}")
            if target.exists() and not target.is_file():
                raise self.KIND(f"{shown} is not a file", hint=f"name a file, such as {self.EXAMPLE}")
            if not overwrite and target.exists():
                self.check_replaceable(target, shown)
        except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name too long, a NUL in it
            raise self.KIND(f"{shown} is no place for a file ({error})", hint="name another file") from error
        self.target = target

    def check_replaceable(self, target: Path, shown: str) -> None:
        """Raise ``KIND`` unless the file at the target may be replaced without being asked for."""
        raise self.KIND(f"{shown} exists already", hint="name another file", code="target_exists")

    def failed(self, error: OSError) -> LodeError:
        """The error of a write that failed, and what to do about it."""
        directory = one_line(str(self.target.parent))
        if error.errno == errno.ENOENT:
            return self.KIND(f"there is no directory {directory}", hint=f"make it: mkdir -p {shlex.quote(directory)}")
        if error.errno == errno.ENOTDIR:
            return self.KIND(f"{directory} is not a directory", hint="name a file in a directory")
        if error.errno in _FORBIDDEN:
            return self.KIND(f"no right to write in {directory}", hint="choose a directory of your own")
        return self.unwritable(error.strerror or str(error), is_full=error.errno in _FULL)

    def unwritable(self, reason: str, *, is_full: bool) -> LodeError:
        """The error of a disk that takes no more, or of what else is the matter with it."""
        if is_full:
            return self.KIND(
                f"no room left for the {self.NOUN} in {one_line(str(self.target.parent))}",
                hint="free some room, or choose a directory on another disk",
            )
        return self.KIND(
            f"{one_line(str(self.target))} cannot be written: {reason}", hint="choose another directory or name"
        )

    def __enter__(self) -> Self:
        try:
            self._beside = TemporaryDirectory(self.target.parent)
            self.directory = self._beside.path
            self.path = self.directory / self.NOUN
            try:
                self.file = self.path.open("wb")
            except OSError:
                self._beside.remove()
                raise
        except OSError as error:
            raise self.failed(error) from error
        return self

    def write(self, piece: bytes) -> None:
        try:
            self.file.write(piece)
        except OSError as error:
            raise self.failed(error) from error

    async def write_all(self, pieces: AsyncIterator[bytes]) -> int:
        """Write the pieces as they come, in threads, and ``keep`` the file."""
        async for piece in pieces:
            await asyncio.to_thread(self.write, piece)
        return await asyncio.to_thread(self.keep)

    def keep(self) -> int:
        """Put the file in its place, safely on the disk; gives its size in bytes."""
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
            size = self.path.stat().st_size
            self.path.replace(self.target)
        except OSError as error:
            raise self.failed(error) from error
        return size

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # what could not be written has been said already
            self.file.close()
        self._beside.remove()
