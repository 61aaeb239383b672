"""Names of formats: each is the ending of its files too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import TypeVar

from tui.errors import InvalidInput
from tui.text.sanitize import one_line

F = TypeVar("F")


def endings(formats: Mapping[str, object]) -> str:
    """The endings as a list in a sentence: ".srt, .vtt or .txt"."""
    *first, last = (f".{name}" for name in formats)
    return f"{', '.join(first)} or {last}"


def format_named(formats: Mapping[str, F], name: str) -> F:
    """The format of this name. Raises ``InvalidInput`` (``unknown_format``)."""
    known = formats.get(name.lower())
    if known is None:
        raise InvalidInput(
            f"there is no format {one_line(name)[:40]!r} to export to",
            hint=f"there are {', '.join(formats)}",
            code="unknown_format",
            field="format",
        )
    return known


def format_of_ending(formats: Mapping[str, F], path: str | PurePath, *, otherwise: str = "") -> F:
    """The format that the ending of a path stands for; ``otherwise`` is what else can be done where it has none.

    Raises ``InvalidInput`` (``unknown_format``).
    """
    ending = PurePath(path).suffix.removeprefix(".")
    if not ending:
        raise InvalidInput(
            f"{one_line(str(path))} has no ending that says in which format to write",
            hint=f"end it in one of {', '.join(f'.{name}' for name in formats)}{otherwise}",
            code="unknown_format",
            field="format",
        )
    return format_named(formats, ending)
