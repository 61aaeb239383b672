"""Looks that the app keeps for this machine: order and columns of each list, width and spacing of texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textual.app import App

from tui.records.sorting import Sort
from tui.widgets.table.columns import Column

_OWN = Sort()


@dataclass(frozen=True, slots=True)
class ListLook:
    """Look of a list: its order, what its rows are grouped by, and its columns: the titles of those that are shown
    though they are not usual, and of those that are usual and not shown.
    """

    sort: Sort = _OWN
    turned: tuple[str, ...] = ()
    group: str = ""

    @classmethod
    def read(cls, kept: object) -> "ListLook":
        """Read a look that was kept; what is none is the usual one."""
        if not isinstance(kept, dict):
            return cls()
        sort, columns, group = (kept.get(name) for name in ("sort", "columns", "group"))
        name = sort if isinstance(sort, str) else ""
        titles = tuple(title for title in columns if isinstance(title, str)) if isinstance(columns, list) else ()
        order = Sort(name.removeprefix("-"), name.startswith("-"))
        return cls(order, titles, group if isinstance(group, str) else "")

    def shows(self, column: Column[Any]) -> bool:
        """Whether a column is wanted."""
        return column.usual != (column.title in self.turned)

    def as_json(self) -> dict[str, object]:
        return {"sort": str(self.sort), "columns": list(self.turned), "group": self.group}


def list_look(app: App[Any], name: str) -> ListLook:
    """The look that the app has of a list, the usual one where it has none."""
    looks: Mapping[str, ListLook] = getattr(app, "list_looks", {})
    return looks.get(name, ListLook())


@dataclass(frozen=True, slots=True)
class ReadingLook:
    """Look of texts in the reader: cells of a line at most (0: all that there are), and free lines between two."""

    text_width: int = 0
    line_spacing: int = 0


def reading_look(app: App[Any]) -> ReadingLook:
    """The look of texts that an app has, the usual one where it has none."""
    look = getattr(app, "reading_look", None)
    return look if isinstance(look, ReadingLook) else ReadingLook()
