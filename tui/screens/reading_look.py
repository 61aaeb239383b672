"""Look of texts in the reader, as the app has it: how wide their lines are, and how far apart."""

from dataclasses import dataclass
from typing import Any

from textual.app import App


@dataclass(frozen=True, slots=True)
class ReadingLook:
    """Look of texts in the reader: cells of a line at most (0: all that there are), and free lines between two."""

    text_width: int = 0
    line_spacing: int = 0


def reading_look(app: App[Any]) -> ReadingLook:
    """The look of texts that an app has, the usual one where it has none."""
    look = getattr(app, "reading_look", None)
    return look if isinstance(look, ReadingLook) else ReadingLook()
