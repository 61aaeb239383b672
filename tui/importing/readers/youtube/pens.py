"""Ruby in YouTube's captions: pieces of text drawn by pens, of which some are for a base and some for its reading."""

from __future__ import annotations

from collections.abc import Iterable

from tui.importing.readers.ruby import marked

_BASE, _PARENTHESIS, _READINGS = 1, 2, (4, 5)
"""Values of ``rb``, taken from what YTSubConverter writes: above or below the base it is a reading either way."""

PenText = tuple[int, str]
"""The part of ruby that a pen is for, 0 for none, and a text that it draws."""


def text_of(pieces: Iterable[PenText]) -> str:
    """The text of the pieces, with marks for readings; parentheses, for players without ruby, are left out."""
    texts: list[str] = []
    base: str | None = None
    for part, text in pieces:
        if part == _BASE:
            texts.append(base or "")
            base = text
        elif part in _READINGS and base is not None:
            texts.append(marked(base, text))
            base = None
        elif part != _PARENTHESIS:
            texts += (base or "", text)
            base = None
    return "".join((*texts, base or ""))
