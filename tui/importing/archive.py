"""Archives as directories: recognised by their content, their members named by paths that go on inside of them.

``/films/show.zip/Season 1/03.srt`` is a member of ``/films/show.zip``. Such a path can be kept and read later: it is
the source of the job that imports the member. An EPUB or a DOCX is a ZIP file too, but one document: no archive here.
"""

import io
import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from tui import bounds
from tui.errors import ImportRefused
from tui.importing import archive_member
from tui.importing.file_name import make_displayable
from tui.system import regular_file
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise, lists_more_than
from tui.text.sanitize import one_line

_BEGINNING = 512
_ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_UNREAD = ((b"7z\xbc\xaf\x27\x1c", "a 7z archive"), (b"Rar!\x1a\x07", "a RAR archive"))


def open_archive(path: Path) -> tuple[archive_member.Archive, ExitStack] | None:
    """Open the archive at the path, None where its content is not one; the stack closes it.

    Raises ``OSError`` where the file cannot be read, and ``ImportRefused`` for an archive that cannot.
    """
    from tui.importing.tar_archive import TarArchive, find_compression, is_tar, open_compressed

    shown = one_line(make_displayable(path.name))
    with ExitStack() as stack:
        file = io.BufferedReader(cast(io.RawIOBase, stack.enter_context(regular_file.open_file(path))))
        beginning = file.read(_BEGINNING)
        file.seek(0)
        archive: archive_member.Archive
        if beginning.startswith(_ZIP_SIGNATURES):
            archive = zipped = ZipArchive(file, shown)
            if zipped.is_document:
                return None
        elif ending := find_compression(beginning):
            if (size := os.fstat(file.fileno()).st_size) > archive_member.MAX_PACKED:
                raise ImportRefused(
                    f"the archive {shown} has {size / 1e6:.0f} MB, too much to look into",
                    hint="unpack it and add its files",
                    code="too_large",
                )
            archive = open_compressed(file, ending, make_displayable(path.name), shown)
        elif is_tar(beginning):
            archive = TarArchive(file, shown)
        else:
            if kind := next((kind for signature, kind in _UNREAD if beginning.startswith(signature)), ""):
                raise ImportRefused(f"{shown} is {kind}, which Lode does not read", hint="unpack it and add its files")
            return None
        stack.callback(archive.close)
        return archive, stack.pop_all()
    return None


def list_contents(path: Path) -> tuple[Path, ...] | None:
    """The paths of what an archive holds to import, None for a file that is no archive.

    Members that cannot be imported are among them where they look like files to import: their jobs say why they are
    not. Raises as ``open_archive`` does, and ``ImportRefused`` where nothing in it can be imported.
    """
    opened = open_archive(path)
    if opened is None:
        return None
    archive, stack = opened
    with stack:
        members = archive_member.choose_wanted(archive.members.values(), one_line(make_displayable(path.name)))
        return tuple(path / name for name in sorted(member.path for member in members))


def find_archive(path: Path) -> tuple[Path, str] | None:
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
        self._held: tuple[tuple[Path, int, int], archive_member.Archive, ExitStack] | None = None

    def read(self, path: Path, most: int) -> bytes:
        """The bytes of a member by its path; raises ``OSError``, and ``ImportRefused`` for more than ``most`` too."""
        if (found := find_archive(path)) is None:
            raise FileNotFoundError(2, "there is no such file", str(path))
        place, name = found
        shown = one_line(make_displayable(place.name))
        with self._opened(place, shown) as archive:
            member = archive.members.get(name)
            if member is None:
                raise archive_member.refused_member(name, shown, "it is no longer there")
            if member.refusal:
                raise archive_member.refused_member(name, shown, member.refusal)
            if member.size > most:
                raise archive_member.refused_member(name, shown, f"it has more than {most / 1e6:g} MB")
            return archive.read(member)

    @contextmanager
    def _opened(self, place: Path, shown: str) -> Iterator[archive_member.Archive]:
        """The archive, held open afterwards; meanwhile nobody else has it: a thread may be left behind with it."""
        seen = place.stat()
        key = (place, seen.st_mtime_ns, seen.st_size)
        held, self._held = self._held, None
        if held is None or held[0] != key:
            if held is not None:
                held[2].close()
            opened = open_archive(place)
            if opened is None:
                raise ImportRefused(f"{shown} is no archive any more", hint="add it again")
            held = (key, *opened)
        try:
            yield held[1]
        finally:
            self.close()  # one that was opened meanwhile
            self._held = held

    def close(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held[2].close()


_UTF_8 = 0x800
_PACKED_MOST, _LOOKED_AT = bounds.ZIP_ARCHIVE.ratio, bounds.ZIP_ARCHIVE.free_bytes
"""Maximum ratio of unpacked to packed bytes, and the bytes from which on it counts: a text has ten, one that repeats
itself thirty, and what has more was made to fill a disk."""
_DOCUMENTS = ("mimetype", "[Content_Types].xml", "META-INF/container.xml")
"""Members of ZIP files that are one document each: EPUB (OCF 3.3) and OpenDocument, Office Open XML."""


class ZipArchive:
    """A ZIP file that is open; raises ``ImportRefused`` where it is none that can be read."""

    def __init__(self, file: BinaryIO, shown: str) -> None:
        self._shown = shown
        if lists_more_than(file, archive_member.MAX_MEMBERS):
            raise archive_member.too_many(shown)
        try:
            self._zip = zipfile.ZipFile(file)
        except ZIP_FAULTS as error:
            raise archive_member.damaged_archive(shown, error) from error
        entries = [entry for entry in self._zip.infolist() if not entry.is_dir()]
        self.is_document = any(entry.filename in _DOCUMENTS for entry in entries)
        # Without the flag for UTF-8 ``zipfile`` takes all names for code page 437.
        names: list[str | bytes] = [
            entry.filename if entry.flag_bits & _UTF_8 else entry.orig_filename.partition("\0")[0].encode("cp437")
            for entry in entries
        ]
        self.members = archive_member.index_by_path(
            archive_member.make_member(name, entry.file_size, _refusal(entry), entry)
            for name, entry in zip(archive_member.decode_names(names), entries, strict=True)
        )

    def read(self, member: archive_member.Member) -> bytes:
        try:
            with self._zip.open(member.entry) as file:
                return file.read(member.size + 1)
        except ZIP_FAULTS as error:
            raise archive_member.refused_member(member.path, self._shown, f"it is damaged ({error})") from error

    def close(self) -> None:
        self._zip.close()


def _refusal(entry: zipfile.ZipInfo) -> str:
    if entry.flag_bits & IS_ENCRYPTED:
        return "it is encrypted: unpack it with its password"
    if is_packed_otherwise(entry):
        return "it is packed in a way that Lode does not unpack"
    if entry.file_size > _LOOKED_AT and entry.file_size > _PACKED_MOST * max(entry.compress_size, 1):
        return f"it unpacks to {entry.file_size // max(entry.compress_size, 1)} times its size"
    if entry.external_attr >> 28 not in (0, 0o10):  # the kind of file in Unix's mode: 0 where none was written
        return archive_member.NO_FILE
    return ""
