"""A zipped document that has been opened: what it names of itself, and its chapters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tui.importing.readers.documents.blocks import Block


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter, or all of a document without any; ``title`` is "" where nothing tells it."""

    title: str
    blocks: list[Block]


@dataclass(frozen=True, slots=True)
class Document:
    """A document. ``chapters`` are read while they are iterated over, once, and raise ``Unreadable``.

    ``language`` and ``title`` are None where it does not name them; ``parts`` is about how many steps the reading has,
    of which each chapter is one or several.
    """

    title: str | None
    language: str | None
    chapters: Iterator[Chapter]
    parts: int = 1
