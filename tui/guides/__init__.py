"""Guides: what users read, one Markdown file for each subject, shown by ``lode help`` and in the app.

A file begins with a title and a paragraph of one line that says what the guide is about. Its name is the topic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

    from tui.guides.key_list import KeyEntry

_FOLDER = Path(__file__).parent
KEYS_LINE = "<!-- keys -->"
"""Line of a guide in whose place ``write_keys`` is shown: keys are said once, where they are bound."""
_STYLES = {"STRONG": "1", "EMPHASIS": "3", "CODE": "1", "LINK": "4", "MUTED": "2"}
"""Name of a look → its SGR code. No colours: those of the terminal may be any."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide: ``summary`` is one line about it."""

    topic: str
    title: str
    summary: str


@cache
def list_guides() -> tuple[Guide, ...]:
    """All guides by their topics."""
    return tuple(_describe(path.stem) for path in sorted(_FOLDER.glob("*.md")))


def _describe(topic: str) -> Guide:
    title, _, summary = read_guide(topic).splitlines()[:3]
    return Guide(topic, title.removeprefix("# "), summary)


def read_guide(topic: str) -> str:
    """Markdown of a guide as it is stored, with ``KEYS_LINE`` where keys belong."""
    return (_FOLDER / f"{topic}.md").read_text("utf-8")


def write_keys(app: type[App[Any]], keys: Mapping[str, str]) -> str:
    """Markdown tables of all keys with what they do, as the ``[keys]`` of the settings have them.

    Imports every screen, so it belongs in a thread.
    """
    from tui.guides.key_list import list_keys

    by_place = groupby(list_keys(app, keys), key=lambda each: each.place)
    return "\n\n".join(_key_table(place, several) for place, several in by_place)


def _key_table(title: str, keys: Iterable[KeyEntry]) -> str:
    lines = [f"## {title}", "", "| key | what it does | id |", "|---|---|---|"]
    for each in keys:
        said = " ".join(f"`{key}`" for key in each.keys).replace("|", "\\|")
        lines.append(f"| {said} | {each.does} | {each.id} |")
    return "\n".join(lines)


def lay_out(text: str, width: int) -> str:
    """A Markdown text for a terminal: its lines, bold, underlined and dim, none wider than ``width`` cells."""
    from tui.widgets.markdown.lines import Look, markdown_lines, parser

    def style(piece: str, look: Look) -> str:
        codes = ";".join(code for name, code in _STYLES.items() if Look[name] in look)
        return f"\x1b[{codes}m{piece}\x1b[0m" if codes else piece

    lines = markdown_lines(parser().parse(text), width)
    return "\n".join("".join(style(piece, look) for piece, look in line) for line in lines) + "\n"
