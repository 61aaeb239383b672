"""ZIP archives: the files in them, with names in whatever encoding, and their bytes (PKWARE's APPNOTE.TXT)."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from typing import BinaryIO

from tui import bounds
from tui.importing.archives.member import (
    MOST_MEMBERS,
    NO_FILE,
    by_path,
    damaged_archive,
    decoded_names,
    made_member,
    refused_member,
    too_many,
)
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise, lists_more_than

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
        if lists_more_than(file, MOST_MEMBERS):
            raise too_many(shown)
        try:
            self._zip = zipfile.ZipFile(file)
        except ZIP_FAULTS as error:
            raise damaged_archive(shown, error) from error
        entries = [entry for entry in self._zip.infolist() if not entry.is_dir()]
        if len(entries) > MOST_MEMBERS:
            raise too_many(shown)
        self.is_document = any(entry.filename in _DOCUMENTS for entry in entries)
        made = [
            made_member(name, entry.file_size, _refusal(entry))
            for name, entry in zip(_names(entries), entries, strict=True)
        ]
        self.members = by_path(made)
        self._entries = {member.path: entry for member, entry in zip(made, entries, strict=True)}

    def read(self, path: str) -> bytes:
        entry = self._entries[path]
        try:
            with self._zip.open(entry) as file:
                return file.read(entry.file_size + 1)
        except ZIP_FAULTS as error:
            raise refused_member(path, self._shown, f"it is damaged ({error})") from error

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
    return decoded_names(
        [
            entry.filename if entry.flag_bits & _UTF_8 else entry.orig_filename.partition("\0")[0].encode("cp437")
            for entry in entries
        ]
    )
