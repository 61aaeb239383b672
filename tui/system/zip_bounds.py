"""ZIP files of strangers: what ``zipfile`` raises for damaged ones, and the size of the list that it reads whole."""

import lzma
import zipfile
import zlib
from struct import error as StructError
from struct import unpack_from
from typing import BinaryIO

ZIP_FAULTS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, StructError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError, MemoryError),
)
"""Exceptions that ``zipfile`` raises for damaged files and for features of the format that it does not know."""
IS_ENCRYPTED = 0x1
"""Flag of a member that needs a password."""
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LISTED = b"PK\x01\x02"
_PIECE = 1 << 20
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x06"
_END_BYTES, _LONGEST_COMMENT, _LOCATOR_BYTES, _END_64_BYTES = 22, 65_535, 20, 56
LISTED_BYTES = 120
"""Bytes of the list that a member usually has at most: 46, its name, and what comes with it."""


def is_packed_otherwise(member: zipfile.ZipInfo) -> bool:
    """Whether a member is neither stored nor deflated, as nearly all are.

    ``zipfile`` unpacks other ways of packing without a bound: a kilobyte of bzip2 becomes megabytes at once, and LZMA
    takes as much memory as the member says.
    """
    return member.compress_type not in _PACKINGS


def lists_more_than(file: BinaryIO, members: int) -> bool:
    """Whether the archive lists more members, for each of which ``zipfile`` holds half a kilobyte.

    Their number at the end of the archive is never looked at; counted are the beginnings in the list itself.
    """
    size = list_size(file)
    if size > LISTED_BYTES * members:
        return True
    length = size + _END_BYTES + _LONGEST_COMMENT + _LOCATOR_BYTES + _END_64_BYTES
    file.seek(max(file.seek(0, 2) - length, 0))
    count, end = 0, b""
    while count <= members and (piece := file.read(_PIECE)):
        count += (end + piece).count(_LISTED)
        end = piece[1 - len(_LISTED) :]
    file.seek(0)
    return count > members


def list_size(file: BinaryIO) -> int:
    """Bytes that the archive says its list of members has, which ``zipfile`` would read at once; 0 where it says none.

    It stands in the record at the end, or in the longer one before it for archives of more than 4 GB.
    """
    size = file.seek(0, 2)
    length = min(size, _END_BYTES + _LONGEST_COMMENT + _LOCATOR_BYTES + _END_64_BYTES)
    file.seek(size - length)
    tail = file.read(length)
    sizes = [0]
    for mark, place, form in ((_END, 12, "<L"), (_END_64, 40, "<Q")):
        at = tail.rfind(mark)
        if at >= 0 and at + place + 8 <= len(tail) + 4:
            value = unpack_from(form, tail.ljust(at + place + 8, b"\0"), at + place)[0]
            sizes.append(0 if (form, value) == ("<L", 0xFFFFFFFF) else value)
    file.seek(0)
    return max(sizes)
