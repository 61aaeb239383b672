"""Tar archives, also compressed, and single compressed files: the files in them and their bytes.

What is compressed is unpacked once, whole, to a temporary file without a name: its members can then be read in any
order. Nothing gets a name outside.
"""

import bz2
import gzip
import lzma
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO, BinaryIO, cast

from tui import bounds
from tui.errors import ImportRefused, StoreError
from tui.importing import archive_member

_PIECE = 256 * 1024
_IN_MEMORY = 4_000_000
_MAX_HEADER, _MAX_READS = bounds.TAR_HEADER.entry_bytes, bounds.TAR_HEADER.entries
"""Maximum bytes that ``tarfile`` may ask for at once while it lists members, and how often for one of them: names are a
thousand bytes long, and one of a film's pieces with holes in it is no subtitle."""
_MAX_NAMES = bounds.TAR_HEADER.bytes_in
"""Maximum bytes of all names, and of what is said of all members at once."""
_SIGNATURES = ((b"\x1f\x8b", ".gz"), (b"BZh", ".bz2"), (b"\xfd7zXZ\x00", ".xz"))
_TAR_SIGNATURE, _TAR_AT = b"ustar", 257
_FAULTS = (
    *(tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError),
    *(ValueError, OverflowError, MemoryError, RecursionError),
)
"""Exceptions that tarfile, zlib, gzip, bz2 and lzma raise for damaged files; ``OSError`` is that of bz2 and gzip."""


def find_compression(beginning: bytes) -> str:
    """The ending of a compressed file's format by its signature, "" for a file that is not compressed."""
    return next((ending for signature, ending in _SIGNATURES if beginning.startswith(signature)), "")


def is_tar(beginning: bytes) -> bool:
    return beginning.startswith(_TAR_SIGNATURE, _TAR_AT)


class TarArchive:
    """A tar archive that is open; raises ``ImportRefused`` where it is none that can be read."""

    def __init__(self, file: BinaryIO, shown: str) -> None:
        self._shown = shown
        self._file = file
        self._bounded = _Bounded(file)
        try:
            self._tar = tarfile.TarFile(fileobj=cast("BinaryIO", self._bounded), encoding="utf-8", errorlevel=2)
        except _FAULTS as error:
            raise archive_member.damaged_archive(shown, error) from error
        self.members = self._listed()

    def _listed(self) -> dict[str, archive_member.Member]:
        names: list[bytes] = []
        entries: list[tuple[int, int, str]] = []
        said = 0
        try:
            while (entry := self._tar.next()) is not None:
                self._bounded.reads = 0
                # It would hold all that is said of each member, which may be much.
                self._tar.members.clear()  # type: ignore[attr-defined]  # typeshed lacks it
                said += len(entry.name)
                if len(entries) == archive_member.MAX_MEMBERS or said > _MAX_NAMES:
                    raise archive_member.too_many(self._shown)
                if sum(map(len, self._tar.pax_headers.values())) > _MAX_NAMES:
                    raise tarfile.ReadError("what it says of all members has no end")
                if entry.isdir():
                    continue
                if entry.size < 0:
                    raise tarfile.ReadError("a member has a negative size")
                names.append(entry.name.encode("utf-8", "surrogateescape"))
                refusal = "" if entry.isreg() and not entry.issparse() else archive_member.NO_FILE
                entries.append((entry.offset_data, entry.size, refusal))
        except _FAULTS as error:
            raise archive_member.damaged_archive(self._shown, error) from error
        return archive_member.index_by_path(
            archive_member.make_member(name, size, refusal, start)
            for name, (start, size, refusal) in zip(archive_member.decode_names(names), entries, strict=True)
        )

    def read(self, member: archive_member.Member) -> bytes:
        self._file.seek(member.entry)
        data = self._file.read(member.size)
        if len(data) < member.size:
            raise archive_member.refused_member(member.path, self._shown, "the archive ends within it")
        return data

    def close(self) -> None:
        self._tar.close()
        self._file.close()


class CompressedFile:
    """A single compressed file, as an archive of one member that is called as the archive without its last ending."""

    def __init__(self, unpacked: BinaryIO, name: str) -> None:
        self._unpacked = unpacked
        self.members = archive_member.index_by_path((archive_member.make_member(name, unpacked.seek(0, 2)),))

    def read(self, member: archive_member.Member) -> bytes:
        self._unpacked.seek(0)
        return self._unpacked.read()

    def close(self) -> None:
        self._unpacked.close()


def open_compressed(file: BinaryIO, ending: str, name: str, shown: str) -> TarArchive | CompressedFile:
    """Open a compressed tar archive or a compressed single file; ``ending`` is as ``find_compression`` gives it."""
    unpacked = _unpack(_pieces(file, ending, shown), shown)
    try:
        beginning = unpacked.read(_TAR_AT + len(_TAR_SIGNATURE))
        unpacked.seek(0)
        path = PurePosixPath(name)
        if is_tar(beginning):
            return TarArchive(unpacked, shown)
        return CompressedFile(unpacked, path.stem if path.suffix.lower() == ending else name)
    except ImportRefused:
        unpacked.close()
        raise


def _pieces(file: BinaryIO, ending: str, shown: str) -> Iterator[bytes]:
    """The bytes of a compressed file, unpacked piece by piece; raises ``ImportRefused`` for a damaged one."""
    try:
        if ending == ".xz":
            yield from _xz_pieces(file)
            return
        unpacking = cast("IO[bytes]", gzip.GzipFile(fileobj=file) if ending == ".gz" else bz2.BZ2File(file))
        while piece := unpacking.read(_PIECE):
            yield piece
    except _FAULTS as error:
        raise archive_member.damaged_archive(shown, error) from error


def _xz_pieces(file: BinaryIO) -> Iterator[bytes]:
    """The same of xz, of whose file objects none has a bound for memory."""
    packed = file.read(_PIECE)
    while packed.strip(b"\0"):  # a stream may follow another, with padding between them
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, bounds.XZ_MEMORY)
        while not unpacker.eof:
            if not packed and unpacker.needs_input and not (packed := file.read(_PIECE)):
                raise EOFError("its end is missing")
            yield unpacker.decompress(packed, _PIECE)
            packed = b""
        packed = unpacker.unused_data.lstrip(b"\0") or file.read(_PIECE).lstrip(b"\0")


def _unpack(pieces: Iterator[bytes], shown: str) -> BinaryIO:
    """Unpack the stream into a temporary file; raises ``ImportRefused`` beyond ``MAX_UNPACKED`` bytes."""
    # no block: it stays open
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
    try:
        for piece in pieces:
            if file.tell() + len(piece) > archive_member.MAX_UNPACKED:
                raise archive_member.too_much(shown)
            try:
                file.write(piece)
            except OSError as error:
                raise StoreError(
                    f"{shown} cannot be unpacked: {error.strerror or error}",
                    hint=f"make room in {tempfile.gettempdir()}, or name another place in TMPDIR",
                ) from error
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file  # type: ignore[return-value]  # from Python 3.11 on it is a BinaryIO in all but name


class _Bounded:
    """The file as ``tarfile`` gets it: a header that claims gigabytes is not read into memory."""

    def __init__(self, file: BinaryIO) -> None:
        self.seek = file.seek
        self.tell = file.tell
        self._read = file.read
        self.reads = 0
        self._all_reads = 0

    def read(self, size: int = -1) -> bytes:
        self.reads += 1
        self._all_reads += 1  # a header that leads back to an earlier one would be read for ever
        if not 0 <= size <= _MAX_HEADER or self.reads > _MAX_READS or self._all_reads > 8 * archive_member.MAX_MEMBERS:
            raise tarfile.ReadError("a header in it has no end")
        return self._read(size)
