"""A zipped document that has been opened: what it names of itself, and its chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tui.importing.readers.documents.blocks import Block


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
