"""Names for contents that are in no file: what was pasted or piped is called after its first words."""

from __future__ import annotations

import re

from tui.errors import ImportRefused
from tui.importing.file_name import safe_name
from tui.importing.formats import Format, format_of
from tui.text.sanitize import one_line

_LONGEST = 48
_FIRST = 16_000
"""Bytes at the beginning by which the format and the first words are told."""
_NO_NAME = re.compile(r'[/\\:*?"<>|]+|\.(?=\S)')
"""Characters that some systems forbid in file names, and dots inside, behind which an ending would be read."""


def content_name(content: bytes, otherwise: str) -> str:
    """Make a file name of the first words and the format of contents; ``otherwise`` where they have no words.

    Blocks for as long as it takes to tell the format.
    """
    from tui.importing.encoding.decode import decode
    from tui.importing.encoding.text_lines import first_part

    try:
        beginning, _ = decode(first_part(content[:_FIRST]), encoding=None)
    except ImportRefused:
        return otherwise
    form = format_of(beginning.lstrip("\n"), "")
    words = first_words(beginning, form)
    return safe_name(words + form.ending) if words else otherwise


def first_words(text: str, form: Format) -> str:
    """The first words of a text, which may be a title; "" where the text has none."""
    first = ""
    try:
        first = next((cue.text for cue in form.read(text.split("\n"), None) if cue.text.strip()), "")
    except (ImportRefused, ValueError):  # it is cut off, and some formats are read whole
        pass
    line = " ".join(_NO_NAME.sub(" ", one_line(first)).split()).rstrip(" .,;:–—-")
    if len(line) <= _LONGEST:
        return line
    cut = line[:_LONGEST]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut).rstrip(" .,;:–—-")
