"""Reader of CSV and TSV (.csv, .tsv) with cues: a row each, its columns named in the header under any usual name.

The delimiter is the one under which the header has the most columns that are known, which is surer than what
``csv.Sniffer`` makes of texts full of commas and quotes. Without a header the first two columns are start and end and
the third the text, as in Audacity's labels. Quotes are read as spreadsheets write them; in tab-separated files, where
most programs write them as they are, only those that stand around a whole cell.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from tui.importing.readers.cue_text import CueTooLong
from tui.importing.readers.tables.columns import Column, Row, column_of, columns_of, cues_of, row_of, time_of
from tui.records.transcripts import Cue

_DELIMITERS = ("\t", ",", ";", "|")
_LONGEST_HEADER = 4000
_WITHOUT_HEADER = ("start", "end", "text")


def is_csv_cues(text: str) -> bool:
    """Whether the first line names the columns of cues, a start and a text at least."""
    delimiter = _delimiter(_first_line(text))
    return delimiter is not None and {"start", "text"} <= columns_of(_cells(_first_line(text), delimiter)).keys()


def read_csv_cues(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order; raises ``CueTooLong``."""
    return cues_of(_rows(line for line in lines if line.strip()))


def _rows(lines: Iterator[str]) -> Iterator[Row]:
    first = "".join(islice(lines, 1))
    delimiter = _delimiter(first[:_LONGEST_HEADER])
    if delimiter is None:
        return
    header = _cells(first, delimiter)
    if _are_times(header):
        header, lines = list(_WITHOUT_HEADER), chain((first,), lines)
    columns = columns_of(header)
    for cells in _records(lines, delimiter):
        row = row_of(dict(zip(header, cells, strict=False)), columns)
        if row is not None:
            yield row


def _records(lines: Iterable[str], delimiter: str) -> Iterator[Sequence[str]]:
    if delimiter == "\t":
        yield from (_cells(line, delimiter) for line in lines)
        return
    try:
        yield from csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    except csv.Error as error:  # a cell of more than 131 072 characters, most often a quote that is never closed
        raise CueTooLong from error


def _delimiter(header: str) -> str | None:
    """The delimiter of the table whose first line this is, None where it is no table of cues."""

    def known(delimiter: str) -> int:
        cells = _cells(header, delimiter)
        return 3 if _are_times(cells) else len({column.kind for cell in cells if (column := _known(cell))})

    best = max(_DELIMITERS, key=known)
    return best if known(best) and (known(best) > 1 or "text" in columns_of(_cells(header, best))) else None


def _known(cell: str) -> Column | None:
    return column_of(cell.strip())


def _are_times(cells: Sequence[str]) -> bool:
    return len(cells) > 2 and time_of(cells[0], None) is not None and time_of(cells[1], None) is not None


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == "\t":
        return [_unquoted(cell) for cell in line.split("\t")]
    try:
        return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []


def _unquoted(cell: str) -> str:
    cell = cell.strip(" ")
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _first_line(text: str) -> str:
    return text.lstrip("\n")[:_LONGEST_HEADER].partition("\n")[0]
