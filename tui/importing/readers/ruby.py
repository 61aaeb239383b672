"""Ruby annotations on their way out of a reader: marked in the text, until the text is as it is kept.

The marks are those that Unicode has for it, which no file should hold (Unicode Standard, 23.8, "Interlinear Annotation
Characters"): anchor, base text, separator, annotation, terminator.
"""

from __future__ import annotations

import re

from tui.records.transcripts import Cue, Ruby

ANCHOR, SEPARATOR, TERMINATOR = "\ufff9", "\ufffa", "\ufffb"
_ANNOTATED = re.compile(f"{ANCHOR}([^{ANCHOR}-{TERMINATOR}]*){SEPARATOR}([^{ANCHOR}-{TERMINATOR}]*){TERMINATOR}")
_MARKS = re.compile(f"[{ANCHOR}-{TERMINATOR}]")


def marked(base: str, reading: str) -> str:
    """The base text with a mark that carries its reading; just the base where one of them is blank."""
    if not base.strip() or not reading.strip():
        return base
    return f"{ANCHOR}{base}{SEPARATOR}{reading}{TERMINATOR}"


def unmarked(text: str) -> tuple[str, tuple[Ruby, ...]]:
    """The text without marks, and the readings at their places in it."""
    if not _MARKS.search(text):
        return text, ()
    pieces: list[str] = []
    ruby: list[Ruby] = []
    length = at = 0
    for found in _ANNOTATED.finditer(text):
        plain = _MARKS.sub("", text[at : found.start()])
        base, reading = found.group(1), " ".join(found.group(2).split())
        pieces += (plain, base)
        length += len(plain)
        if base and reading:
            ruby.append(Ruby(length, length + len(base), reading))
        length += len(base)
        at = found.end()
    pieces.append(_MARKS.sub("", text[at:]))
    return "".join(pieces), tuple(ruby)


def bracketed(cue: Cue) -> str:
    """The text of a cue with each reading in brackets behind what it belongs to."""
    text = cue.text
    for ruby in reversed(cue.ruby):
        text = f"{text[: ruby.end]}[{ruby.text}]{text[ruby.end :]}"
    return text
