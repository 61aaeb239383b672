"""What a record table says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.message import Message

from tui.errors import LodeError

if TYPE_CHECKING:
    from tui.widgets.table.record_table import RecordTable


@dataclass(eq=False)
class FromTable(Message, namespace="record_table"):
    """What a table says; ``control`` lets ``@on`` select by the table's id."""

    table: RecordTable[Any]

    @property
    def control(self) -> RecordTable[Any]:
        return self.table


@dataclass(eq=False)
class Opened(FromTable, namespace="record_table"):
    """Enter, a second click or a double click on a record."""

    record: Any


@dataclass(eq=False)
class Highlighted(FromTable, namespace="record_table"):
    """The cursor stands on another record (None: there is none, or it has not been read yet)."""

    record: Any | None


@dataclass(eq=False)
class Marked(FromTable, namespace="record_table"):
    """The marks changed; ``marked`` are the ids in the order of marking."""

    marked: tuple[str, ...]


@dataclass(eq=False)
class Loaded(FromTable, namespace="record_table"):
    """The list for ``q`` was read (again); ``total`` records match."""

    total: int
    q: str


@dataclass(eq=False)
class LoadFailed(FromTable, namespace="record_table"):
    """The list could not be read; what was shown stays."""

    error: LodeError
