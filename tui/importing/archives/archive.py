"""Archives as directories: recognised by their content, their members named by paths that go on inside of them.

``/films/show.zip/Season 1/03.srt`` is a member of ``/films/show.zip``. Such a path can be kept and read later: it is
the source of the job that imports the member. An EPUB or a DOCX is a ZIP file too, but one document: no archive here.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from tui.errors import ImportRefused
from tui.importing.archives.member import MOST_PACKED, Archive, refused_member, wanted
from tui.importing.file_name import displayable
from tui.system import regular_file
from tui.text.sanitize import one_line

_BEGINNING = 512
_ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_UNREAD = ((b"7z\xbc\xaf\x27\x1c", "a 7z archive"), (b"Rar!\x1a\x07", "a RAR archive"))


def opened_archive(path: Path) -> tuple[Archive, ExitStack] | None:
    """Open the archive at the path, None where its content is not one; the stack closes it.

    Raises ``OSError`` where the file cannot be read, and ``ImportRefused`` for an archive that cannot.
    """
    from tui.importing.archives.tar_archive import TarArchive, compression_of, is_tar, opened_compressed
    from tui.importing.archives.zip_archive import ZipArchive

    shown = one_line(displayable(path.name))
    with ExitStack() as stack:
        raw = stack.enter_context(regular_file.open_file(path))
        beginning = raw.read(_BEGINNING)
        raw.seek(0)
        archive: Archive
        if beginning.startswith(_ZIP_SIGNATURES):
            archive = zipped = ZipArchive(_buffered(raw), shown)
            stack.callback(archive.close)
            if zipped.is_document:
                return None
        elif ending := compression_of(beginning):
            if (size := os.fstat(raw.fileno()).st_size) > MOST_PACKED:
                raise ImportRefused(
                    f"the archive {shown} has {size / 1e6:.0f} MB, too much to look into",
                    hint="unpack it and add its files",
                    code="too_large",
                )
            archive = opened_compressed(_buffered(raw), ending, displayable(path.name), shown)
            stack.callback(archive.close)
        elif is_tar(beginning):
            archive = TarArchive(_buffered(raw), shown)
            stack.callback(archive.close)
        else:
            for signature, kind in _UNREAD:
                if beginning.startswith(signature):
                    raise ImportRefused(
                        f"{shown} is {kind}, which Lode does not read", hint="unpack it and add its files"
                    )
            return None
        return archive, stack.pop_all()
    return None


def contents(path: Path) -> tuple[Path, ...] | None:
    """The paths of what an archive holds to import, None for a file that is no archive.

    Members that cannot be imported are among them where they look like files to import: their jobs say why they are
    not. Raises as ``opened_archive`` does, and ``ImportRefused`` where nothing in it can be imported.
    """
    opened = opened_archive(path)
    if opened is None:
        return None
    archive, stack = opened
    with stack:
        members = wanted(archive.members.values(), one_line(displayable(path.name)))
        return tuple(path / name for name in sorted(member.path for member in members))


def archive_of(path: Path) -> tuple[Path, str] | None:
    """The archive that a path leads into and the member's path there; None where no file is on its way."""
    for parent in path.parents:
        try:
            mode = parent.stat().st_mode
        except OSError:
            continue
        if not stat.S_ISREG(mode):
            return None
        return parent, PurePosixPath(*path.parts[len(parent.parts) :]).as_posix()
    return None


class MemberReader:
    """Reads members of archives, and holds the last archive open: its list need not be read for each of them."""

    def __init__(self) -> None:
        self._held: tuple[tuple[Path, int, int], Archive, ExitStack] | None = None

    def read(self, path: Path, most: int) -> bytes:
        """The bytes of a member by its path; raises ``OSError``, and ``ImportRefused`` for more than ``most`` too."""
        found = archive_of(path)
        if found is None:
            raise FileNotFoundError(2, "there is no such file", str(path))
        place, name = found
        shown = one_line(displayable(place.name))
        with self._opened(place, shown) as archive:
            member = archive.members.get(name)
            if member is None:
                raise refused_member(name, shown, "it is no longer there")
            if member.refusal:
                raise refused_member(name, shown, member.refusal)
            if member.size > most:
                raise refused_member(name, shown, f"it has more than {most / 1e6:g} MB")
            return archive.read(name)

    @contextmanager
    def _opened(self, place: Path, shown: str) -> Iterator[Archive]:
        """The archive, held open afterwards; meanwhile nobody else has it: a thread may be left behind with it."""
        seen = place.stat()
        key = (place, seen.st_mtime_ns, seen.st_size)
        held, self._held = self._held, None
        if held is None or held[0] != key:
            if held is not None:
                held[2].close()
            opened = opened_archive(place)
            if opened is None:
                raise ImportRefused(f"{shown} is no archive any more", hint="add it again")
            held = (key, *opened)
        try:
            yield held[1]
        finally:
            other, self._held = self._held, held
            if other is not None:
                other[2].close()

    def close(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held[2].close()


def _buffered(raw: BinaryIO) -> BinaryIO:
    return io.BufferedReader(cast(io.RawIOBase, raw))
