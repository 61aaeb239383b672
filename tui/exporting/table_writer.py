"""Writer of any records as a table (.csv, .tsv) or JSON Lines (.jsonl): their fields, as HTTP has them too.

What is nested stands in a cell as JSON. Cells are guarded as those of clips are.
"""

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from tui.errors import InvalidInput
from tui.exporting.clip_writers import write_cell
from tui.records.pages import to_json

_DELIMITERS: Mapping[str, tuple[str, str]] = {".csv": (",", "\r\n"), ".tsv": ("\t", "\n")}
TABLE_ENDINGS = (".csv", ".tsv", ".jsonl")


class TableWriter:
    """Writer of records of one kind for a file with this ending; the first has a header before it.

    Raises ``InvalidInput`` for an ending that is none of ``TABLE_ENDINGS``.
    """

    def __init__(self, ending: str) -> None:
        if ending not in TABLE_ENDINGS:
            raise InvalidInput(f"a table ends in {', '.join(TABLE_ENDINGS)}", hint="name the file so")
        self._ending = ending
        self._is_first = True

    def write(self, record: Any) -> bytes:
        """The lines of a record."""
        row: dict[str, Any] = to_json(record)
        if len(row) == 1:  # the row of a list around a record
            row = next(iter(row.values()))
        if self._ending == ".jsonl":
            return (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
        delimiter, line_end = _DELIMITERS[self._ending]
        line = io.StringIO()
        writer = csv.writer(line, delimiter=delimiter, lineterminator=line_end)
        if self._is_first:
            line.write("\ufeff" if self._ending == ".csv" else "")
            writer.writerow(row)
            self._is_first = False
        writer.writerow(map(_cell, row.values()))
        return line.getvalue().encode()


def _cell(value: Any) -> object:
    return write_cell(json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value)
