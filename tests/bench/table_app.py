"""An app with one list in it: ``python -m tests.bench.table_app (records|datatable)``; q quits."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass

from textual.app import App, ComposeResult
from textual.widgets import DataTable, Footer

from tui.records import Page
from tui.widgets.record_table import Column, RecordTable

MANY = 1_000_000
FEW = 1_000


@dataclass(frozen=True, slots=True)
class Entry:
    number: int

    @property
    def cells(self) -> tuple[str, str, str, str]:
        sentence = f"Hoffentlich fährt der Zug Nummer {self.number} überhaupt noch ab, sagte sie und sah auf die Uhr."
        return (f"fährt … ab {self.number % 97}", sentence, f"Story {self.number % 1000}", f"{self.number % 60} min")


async def fetch(offset: int, limit: int, q: str) -> Page[Entry]:
    await asyncio.sleep(0)
    return Page(tuple(Entry(number) for number in range(offset, min(offset + limit, MANY))), MANY, offset)


class TableApp(App[None]):
    BINDINGS = [("q", "quit", "quit")]  # noqa: RUF012

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def compose(self) -> ComposeResult:
        if self.kind == "records":
            columns: list[Column[Entry]] = [
                Column("Focus", lambda entry: entry.cells[0], width=16, style="strong"),
                Column("Sentence", lambda entry: entry.cells[1]),
                Column("Source", lambda entry: entry.cells[2], width=12, style="muted"),
                Column("Age", lambda entry: entry.cells[3], width=7, align="right", style="muted"),
            ]
            yield RecordTable(columns, fetch, key=lambda entry: str(entry.number))
        else:
            yield DataTable(cursor_type="row")
        yield Footer()

    def on_mount(self) -> None:
        for table in self.query(DataTable):
            table.add_columns("Focus", "Sentence", "Source", "Age")
            table.add_rows(Entry(number).cells for number in range(FEW))


if __name__ == "__main__":
    TableApp(sys.argv[1]).run()
