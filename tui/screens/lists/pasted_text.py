"""Texts that are pasted where paths are asked for: told from paths, with what they are and a title of their words."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import unquote, urlsplit

from textual import events
from textual.message import Message

from tui.text.sanitize import without_controls
from tui.widgets.forms.text_fields import LineField

_BEGINNINGS = ("/", "~", "./", "../", "'/", '"/', "'~", "file:", "http://", "https://")
"""What a path or an address begins with that is more than a name."""
_UNNAMED = "pasted text"


@dataclass(frozen=True, slots=True)
class PastedText:
    """A text to import; ``what`` says of what format it is, ``ending`` is that of its name."""

    text: str
    title: str
    what: str
    ending: str

    @property
    def lines(self) -> int:
        return self.text.count("\n") + 1

    @property
    def size(self) -> int:
        return len(self.text.encode())

    def name(self, title: str) -> str:
        """The name of its file under this title, which may have a language before its end: "Der Zug.de"."""
        return f"{title.replace('/', ' ').strip() or _UNNAMED}{self.ending}"


class PathField(LineField):
    """Field for paths; a text that is pasted and is no path is told as ``TextPasted`` and not written into it."""

    @dataclass
    class TextPasted(Message):
        text: str

    def on_paste(self, event: events.Paste) -> None:
        text = without_controls(event.text).strip("\n")
        if (paths := pasted_paths(text)) is None and not self.value.strip():
            event.prevent_default()
            event.stop()
            self.post_message(self.TextPasted(text))
        elif paths is not None and "\n" in text:
            event.prevent_default()
            event.stop()
            self.insert_text_at_cursor(paths)


def pasted_paths(text: str) -> str | None:
    """The line of paths that a pasted text is, as file managers copy them one below the other; None for any other.

    A single word may be a name, and is one.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        is_word = len(text.split()) < 2 and text.isascii()
        return text if not lines or is_word or lines[0].startswith(_BEGINNINGS) else None
    if not all(line.startswith(_BEGINNINGS) for line in lines):
        return None
    return " ".join(shlex.quote(_path(line)) for line in lines)


def _path(line: str) -> str:
    return unquote(urlsplit(line).path) if line.startswith("file:") else line.strip("'\"")


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # it is too long, or otherwise no name
        return False


def read_pasted(text: str) -> PastedText | None:
    """Read what a pasted text is, None where it is the name of a file that is there. Blocks."""
    from tui.importing.formats import find_format, name_content

    if "\n" not in text and _exists(text):
        return None
    form = find_format(text.lstrip("\n"), "")
    what = "a text" if form.kind == "text" else f"a subtitle ({form.name})"
    named = PurePath(name_content(text.encode(), _UNNAMED))
    return PastedText(text, named.stem if named.suffix == form.ending else str(named), what, form.ending)
