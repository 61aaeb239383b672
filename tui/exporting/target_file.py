"""Files of an export: the target, written beside its place and then renamed, and the folder of its sounds and pictures.

There is a whole file at the target, or none.
"""

import asyncio
import errno
import os
import re
import shlex
import zipfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shutil import copyfileobj
from typing import IO, ClassVar, Self

from tui.errors import InvalidInput, LodeError
from tui.records.clips import Clip
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

    def __exit__(self, *raised: object) -> None:
        with suppress(OSError):  # what could not be written has been said already
            self.file.close()
        self._beside.remove()


# Folder beside a file of clips with their sounds and pictures: ``words.csv`` has ``words.media``.
#
# Where the file is to go elsewhere, both travel in one ZIP file.

FOLDER_ENDING = ".media"
_NAME = re.compile(r"[\w-]+\.(mp3|jpg)", re.ASCII)


def find_media_folder(path: Path) -> Path:
    """The folder of the sounds and pictures of a file of clips."""
    return path.with_suffix(FOLDER_ENDING)


def write_files(
    clips: Iterable[Clip],
    folder: Path,
    content: Callable[[str], bytes | None],
    name: Callable[[str, str], str],
    called: str = "",
) -> Iterator[Clip]:
    """Write the sounds and pictures of clips into a folder, and name them in the clips.

    The folder is made with the first of them. ``content`` gives the bytes by SHA-256, ``name`` a file's name by that
    and its ending. A clip then has paths from where the folder lies, in which it is ``called`` as it will be once it
    is there; None for what there is no file of. Raises ``InvalidInput`` where they cannot be written.
    """
    called = called or folder.name

    def write(sha256: str | None, ending: str) -> str | None:
        data = content(sha256) if sha256 else None
        if sha256 is None or not data:
            return None
        target = folder / name(sha256, ending)
        _write(target, data)
        return f"{called}/{target.name}"

    for clip in clips:
        yield replace(clip, audio=write(clip.audio, "mp3"), picture=write(clip.picture, "jpg"))


def pack(file: Path, packed: Path) -> None:
    """Write a file and what its folder has into a ZIP file. Raises ``OSError``."""
    folder = find_media_folder(file)
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(file, file.name, zipfile.ZIP_DEFLATED)
        for each in sorted(folder.iterdir()) if folder.is_dir() else ():
            archive.write(each, f"{folder.name}/{each.name}")


def unpack(packed: Path, file: IO[bytes], folder: Path) -> None:
    """Read what ``pack`` wrote: into an open file, and into a folder, whatever they are called in there.

    Raises ``ZIP_FAULTS`` for what is none, or not of ``pack``, and ``InvalidInput`` where the folder cannot be written.
    """
    with zipfile.ZipFile(packed) as archive:
        for entry in archive.infolist():
            if "/" in entry.filename:
                name = entry.filename.rpartition("/")[2]
                if entry.compress_type != zipfile.ZIP_STORED or not _NAME.fullmatch(name):
                    raise zipfile.BadZipFile(f"{name[:80]!r} is no sound or picture of a clip")
                _write(folder / name, archive.read(entry))
            else:
                with archive.open(entry) as text:
                    copyfileobj(text, file)


def _write(target: Path, data: bytes) -> None:
    """Write a file unless it is there: its name says what is in it."""
    folder = target.parent
    try:
        if not target.is_file() or target.stat().st_size != len(data):
            folder.mkdir(exist_ok=True)
            try:
                target.write_bytes(data)
            except OSError:
                target.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise InvalidInput(
            f"{folder} cannot be written: {error.strerror or error}",
            hint="name another place, or move what is there away",
            code="target_exists",
        ) from error
