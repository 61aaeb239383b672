"""Markup of a line that a model is to leave alone: tags, overrides of ASS, notes of songs, dashes of speakers.

Models drop it often. Where it stands at the ends of the rows of a line, as it nearly always does, there is one way to
put it back; within a row nobody knows where it belonged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

_INLINE = r"</?(?:i|b|u|s|c|v|font|lang|ruby|rt)\b[^<>\n]*>|\{\\[^{}\n]*\}|[♪♫♬♩]"
"""Pattern of tags of SRT and WebVTT, overrides of ASS, and notes."""
_DASH = r"[-–—―]+(?!\d)"
"""Pattern of a dash at the beginning of a row; before a digit it is a minus."""
_MARK = re.compile(_INLINE, re.IGNORECASE)
_PREFIX = re.compile(rf"(?:{_INLINE}|\s)*(?:{_DASH}\s*)?(?:{_INLINE}|\s)*", re.IGNORECASE)
_EDGE = re.compile(rf"{_INLINE}|\s+", re.IGNORECASE)


class _Row(NamedTuple):
    """A row of a line: its text, and the markup and white space at its ends."""

    prefix: str
    core: str
    suffix: str


def list_marks(text: str) -> list[str]:
    """List the markup of a line, in order; a dash at the beginning of a row is "-" whatever its length."""
    return [mark for row in text.split("\n") for mark in _list_marks_of_row(row)]


def restore_markup(before: str, after: str, *, is_translation: bool = False) -> str:
    """Put the markup and the line breaks of a line into its new text; as it was given where that is ambiguous.

    Markup that the line did not have is taken out on the way. A translation has its own line breaks.
    """
    if list_marks(before) == list_marks(after) and (is_translation or not _has_moved_breaks(before, after)):
        return after
    rows, new = [list(map(_split_row, text.split("\n"))) for text in (before, after)]
    if any(_MARK.search(row.core) for row in (*rows, *new)):
        return after
    cores = None if is_translation else _break_like(rows, new)
    cores = cores or [row.core for row in new]
    if len(cores) != len(rows):
        return after
    return "\n".join(f"{row.prefix}{core}{row.suffix}" for row, core in zip(rows, cores, strict=True))


def _has_moved_breaks(before: str, after: str) -> bool:
    """Whether the rows differ in number, or the same number of words stands in them in another way."""
    old, new = ([len(row.split()) for row in text.split("\n")] for text in (before, after))
    return len(old) != len(new) or (old != new and sum(old) == sum(new))


def _list_marks_of_row(row: str) -> Iterator[str]:
    prefix = _split_row(row).prefix
    if re.search(_DASH, _MARK.sub("", prefix)):
        yield "-"
    yield from (mark.lower() for mark in _MARK.findall(row))


def _split_row(row: str) -> _Row:
    prefix = _PREFIX.match(row)
    begin = end = behind = prefix.end() if prefix else 0
    # One pass from the left: a pattern that looks for the end of the row takes the square of a long run of notes.
    for edge in _EDGE.finditer(row, begin):
        if edge.start() != behind:
            end = edge.start()
        behind = edge.end()
    if behind != len(row):
        end = len(row)
    return _Row(row[:begin], row[begin:end], row[end:])


def _break_like(rows: Sequence[_Row], new: Sequence[_Row]) -> list[str] | None:
    """Break a new text into the rows of the old one; None unless it has as many words."""
    counts = [len(row.core.split()) for row in rows]
    words = [word for row in new for word in row.core.split()]
    if len(words) != sum(counts):
        return None
    left = iter(words)
    return [" ".join(islice(left, count)) for count in counts]
