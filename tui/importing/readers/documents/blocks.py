"""Blocks of a document: its paragraphs, headings, list items and cells, and the sentences in them as cues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tui import bounds
from tui.importing.readers.cue_text import LONGEST_CUE
from tui.importing.readers.plain_text import read_plain_text
from tui.language.joining import seam
from tui.records.transcripts import Cue
from tui.text.sanitize import without_controls

LINE_BREAK = "\u2028"
"""Character for a line that is broken on purpose while the text of a block is gathered; a line feed there is a space.
"""

_MOST_BLOCKS = bounds.TEXT.entries
"""Maximum blocks of a page or document, eight times the verses of the Bible."""
_SPACES = re.compile(r"[ \t]+")
_ENDS = re.compile(r"[\n\r\f\v]+")


class Unreadable(ValueError):
    """Raised for a document that cannot be read, or is not; ``reason`` goes on where its name ended ("is locked")."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.reason, self.hint = reason, hint


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


class Blocks(list[Block]):
    """The blocks of a page or document; raises ``Unreadable`` beyond as many as memory should hold."""

    def append(self, block: Block) -> None:
        if len(self) == _MOST_BLOCKS:
            raise Unreadable(
                f"has more than {_MOST_BLOCKS:,} paragraphs", "check that it is the file you meant, or split it"
            )
        super().append(block)


def block_text(pieces: Iterable[str]) -> str:
    """Join the pieces of a block: line ends become spaces, or nothing in Chinese, and ``LINE_BREAK`` a line end."""
    lines = (_one_line(line) for line in without_controls("".join(pieces)).replace("\u2029", " ").split(LINE_BREAK))
    return "\n".join(line for line in lines if line)


def sentences_of(blocks: Iterable[Block], language: str | None) -> Iterator[Cue]:
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
    for part in _ENDS.split(text[:LONGEST_CUE]):
        if part := _SPACES.sub(" ", part).strip(" "):
            if parts:
                parts.append(seam(parts[-1], part))
            parts.append(part)
    return "".join(parts)
