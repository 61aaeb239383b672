"""Archives as directories: recognised by their content, their members named by paths that go on inside of them.

``/films/show.zip/Season 1/03.srt`` is a member of ``/films/show.zip``. Such a path can be kept and read later: it is
the source of the job that imports the member. An EPUB or a DOCX is a ZIP file too, but one document: no archive here.
"""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol, cast

from tui import bounds
from tui.errors import ImportRefused
from tui.importing.file_name import make_displayable
from tui.importing.formats import PLAIN_TEXT, SUBTITLES, is_taken
from tui.system import regular_file
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise, lists_more_than
from tui.text.sanitize import one_line

_BEGINNING = 512
_ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_UNREAD = ((b"7z\xbc\xaf\x27\x1c", "a 7z archive"), (b"Rar!\x1a\x07", "a RAR archive"))


def open_archive(path: Path) -> tuple[Archive, ExitStack] | None:
    """Open the archive at the path, None where its content is not one; the stack closes it.

    Raises ``OSError`` where the file cannot be read, and ``ImportRefused`` for an archive that cannot.
    """
    from tui.importing.tar_archive import TarArchive, find_compression, is_tar, open_compressed

    shown = one_line(make_displayable(path.name))
    with ExitStack() as stack:
        file = io.BufferedReader(cast(io.RawIOBase, stack.enter_context(regular_file.open_file(path))))
        beginning = file.read(_BEGINNING)
        file.seek(0)
        archive: Archive
        if beginning.startswith(_ZIP_SIGNATURES):
            archive = zipped = ZipArchive(file, shown)
            if zipped.is_document:
                return None
        elif ending := find_compression(beginning):
            if (size := os.fstat(file.fileno()).st_size) > MAX_PACKED:
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
        members = choose_wanted(archive.members.values(), one_line(make_displayable(path.name)))
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
        self._held: tuple[tuple[Path, int, int], Archive, ExitStack] | None = None

    def read(self, path: Path, most: int) -> bytes:
        """The bytes of a member by its path; raises ``OSError``, and ``ImportRefused`` for more than ``most`` too."""
        if (found := find_archive(path)) is None:
            raise FileNotFoundError(2, "there is no such file", str(path))
        place, name = found
        shown = one_line(make_displayable(place.name))
        with self._opened(place, shown) as archive:
            member = archive.members.get(name)
            if member is None:
                raise refused_member(name, shown, "it is no longer there")
            if member.refusal:
                raise refused_member(name, shown, member.refusal)
            if member.size > most:
                raise refused_member(name, shown, f"it has more than {most / 1e6:g} MB")
            return archive.read(member)

    @contextmanager
    def _opened(self, place: Path, shown: str) -> Iterator[Archive]:
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
            other, self._held = self._held, held
            if other is not None:
                other[2].close()

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
        if lists_more_than(file, MAX_MEMBERS):
            raise too_many(shown)
        try:
            self._zip = zipfile.ZipFile(file)
        except ZIP_FAULTS as error:
            raise damaged_archive(shown, error) from error
        entries = [entry for entry in self._zip.infolist() if not entry.is_dir()]
        self.is_document = any(entry.filename in _DOCUMENTS for entry in entries)
        self.members = index_by_path(
            make_member(name, entry.file_size, _refusal(entry), entry)
            for name, entry in zip(_names(entries), entries, strict=True)
        )

    def read(self, member: Member) -> bytes:
        try:
            with self._zip.open(member.entry) as file:
                return file.read(member.size + 1)
        except ZIP_FAULTS as error:
            raise refused_member(member.path, self._shown, f"it is damaged ({error})") from error

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
        return NO_FILE
    return ""


def _names(entries: Sequence[zipfile.ZipInfo]) -> list[str]:
    """The names as their author wrote them: without the flag for UTF-8 ``zipfile`` takes all for code page 437."""
    return decode_names(
        [
            entry.filename if entry.flag_bits & _UTF_8 else entry.orig_filename.partition("\0")[0].encode("cp437")
            for entry in entries
        ]
    )


MAX_MEMBERS = bounds.ZIP_ARCHIVE.entries
"""Maximum members of an archive: their list is held in memory."""
MAX_WANTED = 10_000
"""Maximum files of an archive that are imported at once, each by a job."""
MAX_PACKED = bounds.TAR_ARCHIVE.bytes_in
"""Maximum bytes of a compressed tar archive, which is unpacked whole to list it."""
MAX_UNPACKED = bounds.ZIP_ARCHIVE.bytes_out
"""Maximum bytes of all that an archive holds to import, unpacked; a thousand seasons of subtitles have a tenth."""
ARCHIVE_ENDINGS = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".7z", ".rar")
"""Endings of archives; those that are looked into when a directory is searched are ``READ_ENDINGS``."""
READ_ENDINGS = ARCHIVE_ENDINGS[:-2]
NOTHING_TO_IMPORT = "nothing_to_import"
"""Code of the refusal of an archive without anything to import."""
_MAX_NAME_LENGTH = 255
NO_FILE = "it is a link or a device, not a file"
_DRIVE = re.compile(r"[A-Za-z]:")
_RESOURCE_FORKS = "__MACOSX"
"""Directory in which macOS keeps what belongs to the files of an archive, under their names."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive.

    ``path`` is relative, with slashes, and leads nowhere else; ``refusal`` says why it cannot be imported ("its path
    leads out of the archive"), "" for one that can. ``entry`` is what the archive finds it by.
    """

    path: str
    size: int
    refusal: str = ""
    entry: Any = None

    @property
    def is_wanted(self) -> bool:
        """Whether it is to be imported, by its name, or named as what cannot be."""
        parts = PurePosixPath(self.path).parts
        if not parts or any(part.startswith(".") or part == _RESOURCE_FORKS for part in parts):
            return False
        return is_taken(parts[-1]) or parts[-1].lower().endswith(ARCHIVE_ENDINGS)


class Archive(Protocol):
    """An archive that is open; ``members`` are its files by their paths. All methods block."""

    @property
    def members(self) -> dict[str, Member]: ...

    def read(self, member: Member) -> bytes:
        """The bytes of one of the ``members``; raises ``ImportRefused``."""

    def close(self) -> None: ...


def make_member(name: str, size: int, refusal: str = "", entry: Any = None) -> Member:
    """Make a member of the name as the archive has it, which may be anything."""
    slashed = name.replace("\\", "/")
    parts = [one_line(part) for part in _DRIVE.sub("", slashed, count=1).split("/")]
    path = "/".join(_shortened(part) for part in parts if part not in ("", ".", ".."))
    if max(map(len, parts)) > _MAX_NAME_LENGTH:
        refusal = "its name is longer than that of any file"
    elif ".." in parts or slashed.startswith("/") or _DRIVE.match(slashed):
        refusal = "its path leads out of the archive"
    elif not refusal and path.lower().endswith(ARCHIVE_ENDINGS):
        refusal = "it is an archive within an archive: unpack it and add it by itself"
    return Member(path, size, refusal, entry)


def _shortened(part: str) -> str:
    """Cut a part of a path to the longest name; its ending stays, as that decides whether the file is imported."""
    if len(part) <= _MAX_NAME_LENGTH:
        return part
    ending = PurePosixPath(part).suffix[:16]
    return part[: _MAX_NAME_LENGTH - len(ending)] + ending


def decode_names(names: Sequence[str | bytes]) -> list[str]:
    """The names of an archive's members, of which bytes are in the encoding of the system that made it.

    macOS and Linux write UTF-8, Windows the code page of the country, which is found out; all names are in the same
    one. Names that fit none are in code page 437, the ZIP format's own.
    """
    unknown = b"\n".join(name for name in names if isinstance(name, bytes) and not name.isascii())
    codec = "utf-8"
    try:
        unknown.decode(codec)
    except UnicodeDecodeError:
        from tui.importing.encoding.detection import find_fitting_encodings

        found = find_fitting_encodings(unknown, None)
        codec = found[0].codec if found else "cp437"
    return [name.decode(codec, "replace") if isinstance(name, bytes) else name for name in names]


def index_by_path(members: Iterable[Member]) -> dict[str, Member]:
    """Members by their paths; of several at the same one the last, as unpacking would leave it."""
    return {member.path: member for member in members}


def choose_wanted(members: Iterable[Member], shown: str) -> tuple[Member, ...]:
    """The members to import; raises ``ImportRefused`` where there is none, or more than can be taken at once."""
    members = tuple(members)
    if _is_dictionary({member.path for member in members}):
        raise ImportRefused(
            f"{shown} is a dictionary, not a text",
            hint="add it with: lode dictionaries add FILE (in the app: ctrl+p, Dictionaries)",
        )
    found = [member for member in members if member.is_wanted]
    if not found:
        raise ImportRefused(
            f"the archive {shown} holds no subtitles ({SUBTITLES}) or texts ({PLAIN_TEXT.ending})",
            hint="unpack it and name its files to import others",
            code=NOTHING_TO_IMPORT,
        )
    if len({member.refusal for member in found}) == 1 and found[0].refusal:
        raise ImportRefused(f"the archive {shown} cannot be imported: {found[0].refusal}", hint="look what is in it")
    if len(found) > MAX_WANTED:
        raise too_many(shown, MAX_WANTED)
    if sum(member.size for member in found if not member.refusal) > MAX_UNPACKED:
        raise too_much(shown)
    return tuple(found)


def _is_dictionary(paths: Container[str]) -> bool:
    """Whether these are the files of a dictionary for Yomitan."""
    return "index.json" in paths and any(f"{bank}_bank_1.json" in paths for bank in ("term", "term_meta"))


def too_much(shown: str) -> ImportRefused:
    """Error for an archive that unpacks to more than anyone's subtitles."""
    return ImportRefused(
        f"the archive {shown} unpacks to more than {MAX_UNPACKED / 1e9:g} GB",
        hint="check that it is the one you meant, or unpack it and add a part at a time",
        code="too_large",
    )


def too_many(shown: str, most: int = MAX_MEMBERS) -> ImportRefused:
    """Error for an archive with more members than can be listed or imported."""
    return ImportRefused(f"the archive {shown} holds more than {most} files", hint="unpack it and add a part at a time")


def damaged_archive(shown: str, cause: object) -> ImportRefused:
    """Error for an archive that cannot be read as what it says it is."""
    said = one_line(str(cause))[:200]
    return ImportRefused(
        f"the archive {shown} is damaged" + (f": {said}" if said else ""), hint="check that it was downloaded whole"
    )


def refused_member(path: str, shown: str, reason: str) -> ImportRefused:
    """Error for one member: the archive's others may be imported all the same."""
    return ImportRefused(
        f"{PurePosixPath(path).name} in {shown} cannot be imported: {reason}", hint="unpack the archive to look at it"
    )
