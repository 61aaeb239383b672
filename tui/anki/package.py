"""Anki packages (.apkg, .colpkg): the collection in them, unpacked into a file, within bounds.

A package is a ZIP file with one collection under the name of its version (Anki's rslib/src/import_export/package/
meta.rs): ``collection.anki21b`` (schema 18, packed by zstd), ``collection.anki21`` or ``collection.anki2`` (schema 11,
as they are). The newer two come with a ``collection.anki2`` that holds one note, which tells an older Anki to be
updated. Media is not looked at.
"""

from __future__ import annotations

import errno
import io
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from tui import bounds
from tui.errors import ImportRefused, refused
from tui.system import regular_file
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise, lists_more_than

_COLLECTIONS = ("collection.anki21b", "collection.anki21", "collection.anki2")
"""Names of the collection in a package, the newest format first."""
_META = "meta"
_NEWEST_META = 3
_BOUNDS = bounds.ANKI_PACKAGE
LARGEST_COLLECTION = bounds.ANKI_COLLECTION.bytes_in
_LARGEST_WINDOW = 27
"""Largest window of zstd as a power of two: 128 MB, the largest that its own program unpacks unasked."""
_PIECE = 1 << 20
OLDER_FORMAT = "export it once more with 'Support older Anki versions'"


def unpack_collection(path: Path, target: Path, shown: str, progress: Callable[[float], None]) -> None:
    """Write the collection of a package to ``target``; raises ``ImportRefused`` for a file that is none."""
    with regular_file.open_file(path) as raw:
        file = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, raw), _PIECE))
        if lists_more_than(file, _BOUNDS.entries):
            raise refused(shown, f"holds more than {_BOUNDS.entries:,} files", "check that it is a package of Anki's")
        try:
            with zipfile.ZipFile(file) as package:
                _unpack(package, target, shown, progress)
        except ZIP_FAULTS as error:
            raise refused(shown, "is damaged, or its end is missing") from error


def _unpack(package: zipfile.ZipFile, target: Path, shown: str, progress: Callable[[float], None]) -> None:
    names = set(package.namelist())
    name = next((name for name in _COLLECTIONS if name in names), None)
    if name is None or (_META in names and _meta_version(package) > _NEWEST_META):
        if _META in names:
            raise refused(shown, "is a package of a newer Anki than this Lode knows", OLDER_FORMAT, "too_new")
        raise refused(shown, "is an archive without an Anki collection in it", "name an .apkg or a .colpkg")
    entry = package.getinfo(name)
    if entry.flag_bits & IS_ENCRYPTED:
        raise refused(shown, "is encrypted", "unpack it with its password, and name the collection in it")
    if is_packed_otherwise(entry):
        raise refused(shown, "is packed in a way that Anki never does", "export it from Anki once more")
    most = _BOUNDS.most_out(entry.compress_size)
    with package.open(entry) as member, writing(shown), target.open("wb") as file:
        written = 0
        for piece in _pieces(member, shown, is_zstd=name.endswith("b")):
            written += len(piece)
            if written > most:
                raise refused(shown, "unpacks to hundreds of times its size", "check that it is what you meant")
            file.write(piece)
            progress(min(member.tell() / max(entry.file_size, 1), 1.0))


@contextmanager
def writing(shown: str) -> Iterator[None]:
    """Tell of an ``OSError`` of the block that what is unpacked or copied cannot be written: it is not of the file."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise no_room(shown) from error
        reason = f"cannot be unpacked: {error.strerror or error}"
        raise refused(shown, reason, "check the disk that the library is on, and try again") from error


def no_room(shown: str) -> ImportRefused:
    """Make the error of a file that is whole, but whose copy does not fit on the disk."""
    return refused(shown, "cannot be unpacked: the disk is full", "make room and try again", "disk_full")


def _pieces(member: IO[bytes], shown: str, *, is_zstd: bool) -> Iterator[bytes]:
    try:
        if is_zstd:
            yield from _zstd_pieces(member, shown)
        else:
            while piece := member.read(_PIECE):
                yield piece
    except ZIP_FAULTS as error:
        raise refused(shown, "is damaged, or its end is missing") from error


def _zstd_pieces(member: IO[bytes], shown: str) -> Iterator[bytes]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    bounds: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _LARGEST_WINDOW}
    try:
        with zstd.ZstdFile(member, options=bounds) as file:
            while piece := file.read(_PIECE):
                yield piece
    except (zstd.ZstdError, EOFError) as error:
        raise refused(shown, "is damaged, or its end is missing") from error


def _meta_version(package: zipfile.ZipFile) -> int:
    """The version that a package says it is of: field 1 of a message of protocol buffers, a number."""
    if is_packed_otherwise(package.getinfo(_META)):
        return _NEWEST_META + 1
    with package.open(_META) as file:
        data = file.read(16)
    return data[1] if len(data) > 1 and data[0] == 0x08 else 0
