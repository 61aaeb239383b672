"""Bundles of the trash that memory should not hold: Lode once put all cues of a deleted transcript into one.

Its JSON is read row by row, as ``json.dumps`` has written it: ``{"tables": {NAME: {"columns": [], "rows": [[], …]},
…}, "links": []}``, and before the last brace of a file that was read anew ``, "reading": {…}``.
"""

from __future__ import annotations

import codecs
import json
import sqlite3
from typing import Any

from tui.spool import Spool

LARGE = 4_000_000
"""Bytes from which on a bundle is read in this way."""
_PIECE = 262_144
_decoded = json.JSONDecoder().raw_decode


def read_large(connection: sqlite3.Connection, trash_seq: int) -> dict[str, Any]:
    """The bundle, the rows of its tables in spools; raises ``ValueError`` for what is not written as above."""
    with connection.blobopen("trash", "bundle", trash_seq, readonly=True) as blob:
        text = _Text(blob)
        tables: dict[str, Any] = {}
        text.skip('{"tables": {')
        while text.begins_with('"'):
            name = text.value()
            text.skip(': {"columns": ')
            columns, rows = text.value(), Spool()
            text.skip(', "rows": [')
            while text.begins_with("["):
                rows.append(text.value())
                if text.begins_with(", "):
                    text.skip(", ")
            text.skip("]}")
            tables[name] = {"columns": columns, "rows": rows}
            if text.begins_with(", "):
                text.skip(", ")
        text.skip('}, "links": ')
        links, reading = text.value(), None
        if text.begins_with(","):
            text.skip(', "reading": ')
            reading = text.value()
        return {"tables": tables, "links": links, "reading": reading}


class _Text:
    """Some of the text, from where it is read on, and more of it when it is asked for."""

    def __init__(self, blob: sqlite3.Blob) -> None:
        self._blob = blob
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text, self._at = "", 0

    def begins_with(self, wanted: str) -> bool:
        while len(self._text) - self._at < len(wanted):
            self._more()
        return self._text.startswith(wanted, self._at)

    def skip(self, wanted: str) -> None:
        if not self.begins_with(wanted):
            raise ValueError(f"{wanted} is missing")
        self._at += len(wanted)

    def value(self) -> Any:
        """The next list or text: what closes it says that it is whole."""
        while True:
            try:
                value, self._at = _decoded(self._text, self._at)
                return value
            except ValueError:
                self._more()

    def _more(self) -> None:
        piece = self._blob.read(_PIECE)
        if not piece:
            raise ValueError("the bundle ends too soon")
        self._text, self._at = self._text[self._at :] + self._decoder.decode(piece), 0
