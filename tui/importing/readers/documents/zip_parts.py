"""Parts of a zipped document (EPUB, DOCX, ODT), read in memory and within bounds; nothing is ever unpacked to a disk.

Bounded are the number of parts, the size of each and of all that are read, and how much more they are than the file:
a bomb says its size wrongly, so that what comes out is counted.
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile
from collections.abc import Sequence
from urllib.parse import unquote

from tui import bounds
from tui.importing.encoding.codec_name import text_codec
from tui.importing.readers.documents.blocks import Unreadable
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise, lists_more_than

_BOUNDS = bounds.DOCUMENT
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"<\?xml[^<>]{0,200}?encoding\s{0,10}=\s{0,10}[\"']([A-Za-z0-9._-]{2,40})")


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin as those of a ZIP file with anything in it."""
    return data.startswith(b"PK\x03\x04")


class ZipParts:
    """The parts of a zipped document by their names. Raises ``Unreadable`` where there are too many, or no end."""

    def __init__(self, data: bytes) -> None:
        file = io.BytesIO(data)
        if lists_more_than(file, _BOUNDS.entries):
            raise Unreadable(f"has more than {_BOUNDS.entries:,} parts", "check that it is the document you meant")
        try:
            self._zip = zipfile.ZipFile(file)
        except ZIP_FAULTS as error:
            raise _damaged() from error
        self._parts = {info.filename: info for info in self._zip.filelist}
        self._left = _BOUNDS.most_out(len(data))

    def __contains__(self, name: str) -> bool:
        return name in self._parts

    def read(self, name: str) -> bytes:
        """The bytes of a part, b"" where there is none; raises ``Unreadable``."""
        info = self._parts.get(name)
        if info is None:
            return b""
        if info.flag_bits & IS_ENCRYPTED:
            raise Unreadable("is locked with a password", "save it without one and add that")
        if is_packed_otherwise(info):
            raise Unreadable("is packed in a way that no document is", "save it once more, and add that")
        most = min(self._left, _BOUNDS.entry_bytes)
        try:
            with self._zip.open(info) as part:
                data = part.read(most + 1)
        except ZIP_FAULTS as error:
            raise _damaged() from error
        if len(data) > most:
            raise Unreadable("holds more than a document of its size can", "check that it is the document you meant")
        self._left -= len(data)
        return data

    def text(self, name: str) -> Sequence[str]:
        """The lines of a part that is XML; what does not fit its encoding becomes U+FFFD."""
        data = self.read(name)
        codec = next((codec for mark, codec in _MARKS if data.startswith(mark)), None)
        if codec is None and (declared := _DECLARED.match(data[:300].lstrip())):
            codec = text_codec(declared[1].decode("ascii"))
        text = data.decode(codec or "utf-8", "replace")
        return text.removeprefix("\ufeff").split("\n")


def resolved(base: str, reference: str) -> tuple[str, str]:
    """The part that a reference in the part ``base`` leads to, and the place in it behind the ``#``."""
    path, _, fragment = reference.partition("#")
    steps = base.split("/")[:-1] if path else base.split("/")
    for step in unquote(path).split("/") if path else ():
        if step == "..":
            steps = steps[:-1]
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps), unquote(fragment)


def _damaged() -> Unreadable:
    return Unreadable("is damaged", "check that it was downloaded whole")
