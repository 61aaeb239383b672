"""The yardstick of lists: an app with a ``DataTable`` of a thousand rows in it."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import DataTable, Footer

FEW = 1_000


def cells(number: int) -> tuple[str, str, str, str]:
    sentence = f"Hoffentlich fährt der Zug Nummer {number} überhaupt noch ab, sagte sie und sah auf die Uhr."
    return (f"fährt … ab {number % 97}", sentence, f"Story {number % 1000}", f"{number % 60} min")


class TableApp(App[None]):
    def compose(self) -> ComposeResult:
        yield DataTable(cursor_type="row")
        yield Footer()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns("Focus", "Sentence", "Source", "Age")
        table.add_rows(cells(number) for number in range(FEW))


if __name__ == "__main__":
    TableApp().run()
