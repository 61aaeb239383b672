"""Writers of tables: comma-separated values (.csv, RFC 4180) and tab-separated ones (.tsv), with a header.

A cell that a spreadsheet would take for a formula gets an apostrophe in front (``tui.text.spreadsheet_cells``). It is
put before "-heit" and "+ 1" as well: these are formulas to a spreadsheet, which would show an error or another number,
and behind the apostrophe they read as they were written. Numbers of Lode's own are left alone. Whoever needs every
character as it is takes .jsonl.

.csv is for spreadsheets: it begins with a byte order mark, without which Excel reads UTF-8 as the old code page of the
system. pandas and LibreOffice pass over it, Python does with ``encoding="utf-8-sig"``. .tsv is for programs and has
none.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from tui.records.clips import Clip, FocusWord
from tui.text.clip_fields import CLIP_FIELDS
from tui.text.sanitize import without_controls
from tui.text.spreadsheet_cells import guard_formula

_SHOWN = {field.name for field in CLIP_FIELDS}
_OF_FOCUS = tuple(field.name for field in fields(FocusWord) if field.name not in ("surface", "meanings"))
_OF_CLIP = tuple(field.name for field in fields(Clip) if field.name not in {*_SHOWN, *_OF_FOCUS, "id"})
COLUMNS = ("id", *(field.name for field in CLIP_FIELDS), *_OF_FOCUS, *_OF_CLIP)
"""Names in the header: the clip's id, its fields as people see them, what more is known of the word and of the clip."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of a table: their names, and the way from a clip to their values."""

    names: Sequence[str]
    values: Callable[[Clip], Iterable[object]]


def comma_separated(clips: Iterable[Clip], columns: Columns | None = None) -> Iterator[str]:
    yield "\ufeff"
    yield from _rows(clips, columns or _ALL, ",", "\r\n")


def tab_separated(clips: Iterable[Clip], columns: Columns | None = None) -> Iterator[str]:
    return _rows(clips, columns or _ALL, "\t", "\n")


def _rows(clips: Iterable[Clip], columns: Columns, delimiter: str, line_end: str) -> Iterator[str]:
    line = io.StringIO()
    writer = csv.writer(line, delimiter=delimiter, lineterminator=line_end)
    writer.writerow(map(_cell, columns.names))
    for clip in clips:
        yield line.getvalue()
        line.seek(0)
        line.truncate()
        writer.writerow(map(_cell, columns.values(clip)))
    yield line.getvalue()


def _values(clip: Clip) -> Iterator[object]:
    yield clip.id
    for field in CLIP_FIELDS:
        yield field.text(clip)
    for name in _OF_FOCUS:
        yield clip.language if name == "language" else clip.focus and getattr(clip.focus, name)
    for name in _OF_CLIP:
        yield getattr(clip, name)


_ALL = Columns(COLUMNS, _values)


def _cell(value: object) -> object:
    """The value as a cell: None is an empty one."""
    if not isinstance(value, str):
        return value
    return guard_formula(without_controls(value))
