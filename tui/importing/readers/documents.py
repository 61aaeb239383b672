"""Documents: what one names of itself, its chapters and their blocks, and the parts of the ZIP file that it is."""

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from tui import bounds
from tui.importing.encoding.decode import MARKS, find_text_codec
from tui.importing.readers.cue_text import MAX_CUE_LENGTH, Unreadable
from tui.importing.readers.plain_text import read_plain_text
from tui.language.scripts import seam
from tui.records.transcripts import Cue
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise, lists_more_than
from tui.text.sanitize import without_controls


@dataclass(frozen=True, slots=True)
class Block:
    """A block of text without markup; lines that are broken on purpose are apart in it, readings are marked.

    ``container`` is the number of the element that it stands in, ``linked`` how many of its characters are links, and
    ``is_aside`` says that it stands beside the text: navigation, advertising, notes.
    """

    text: str
    is_heading: bool = False
    is_aside: bool = False
    linked: int = 0
    container: int = 0


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter, or all of a document without any; ``title`` is "" where nothing tells it."""

    title: str
    blocks: list[Block]


@dataclass(frozen=True, slots=True)
class Document:
    """A document; ``language`` and ``title`` are None where it does not name them.

    ``chapters`` reads them while they are iterated over, and raises ``Unreadable``. It tells what it is given how much
    of the document has been read, from 0 to 1; what that raises ends the reading.
    """

    title: str | None
    language: str | None
    chapters: Callable[[Callable[[float], None]], Iterator[Chapter]]


LINE_BREAK = "\u2028"
"""Character for a line that is broken on purpose while the text of a block is gathered; a line feed there is a space.
"""

_MAX_BLOCKS = bounds.TEXT.entries
"""Maximum blocks of a page or document, eight times the verses of the Bible."""
_SPACES = re.compile(r"[ \t]+")
_ENDS = re.compile(r"[\n\r\f\v]+")


class Blocks(list[Block]):
    """The blocks of a page or document; raises ``Unreadable`` beyond as many as memory should hold."""

    def __init__(self, blocks: Iterable[Block] = ()) -> None:
        for block in blocks:
            self.append(block)

    def append(self, block: Block) -> None:
        if len(self) == _MAX_BLOCKS:
            raise Unreadable(
                f"has more than {_MAX_BLOCKS:,} paragraphs", "check that it is the file you meant, or split it"
            )
        super().append(block)


def join_block_text(pieces: Iterable[str]) -> str:
    """Join the pieces of a block: line ends become spaces, or nothing in Chinese, and ``LINE_BREAK`` a line end."""
    lines = (_one_line(line) for line in without_controls("".join(pieces)).replace("\u2029", " ").split(LINE_BREAK))
    return "\n".join(line for line in lines if line)


def cut_into_sentences(blocks: Iterable[Block], language: str | None) -> Iterator[Cue]:
    """The sentences of the blocks as cues without times; the blocks are iterated over twice."""
    return read_plain_text(_Paragraphs(blocks), language)


class _Paragraphs:
    """The lines of the blocks, with a blank one behind each block, as often as they are asked for."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = blocks

    def __iter__(self) -> Iterator[str]:
        for block in self._blocks:
            yield from block.text.split("\n")
            yield ""


def _one_line(text: str) -> str:
    parts: list[str] = []
    for part in _ENDS.split(text[:MAX_CUE_LENGTH]):
        if part := _SPACES.sub(" ", part).strip(" "):
            if parts:
                parts.append(seam(parts[-1], part))
            parts.append(part)
    return "".join(parts)


# Parts of a zipped document (EPUB, DOCX, ODT), read in memory and within bounds; nothing is ever unpacked to a disk.
#
# Bounded are the number of parts, the size of each and of all that are read, and how much more they are than the file:
# a bomb says its size wrongly, so that what comes out is counted.

_BOUNDS = bounds.DOCUMENT
_DAMAGED = Unreadable("is damaged", "check that it was downloaded whole")
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
            raise _DAMAGED from error
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
            raise _DAMAGED from error
        if len(data) > most:
            raise Unreadable("holds more than a document of its size can", "check that it is the document you meant")
        self._left -= len(data)
        return data

    def text(self, name: str) -> Sequence[str]:
        """The lines of a part that is XML; what does not fit its encoding becomes U+FFFD."""
        data = self.read(name)
        codec = next((codec for mark, codec in MARKS if data.startswith(mark)), None)
        if codec is None and (declared := _DECLARED.match(data[:300].lstrip())):
            codec = find_text_codec(declared[1].decode("ascii"))
        text = data.decode(codec or "utf-8", "replace")
        return text.removeprefix("\ufeff").split("\n")


def resolve_reference(base: str, reference: str) -> tuple[str, str]:
    """The part that a reference in the part ``base`` leads to, and the place in it behind the ``#``."""
    path, _, fragment = reference.partition("#")
    part = posixpath.normpath(f"/{posixpath.dirname(base)}/{unquote(path)}").lstrip("/") if path else base
    return part, unquote(fragment)
