"""Messages of a record table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.message import Message

from tui.errors import LodeError


@dataclass(eq=False)
class Opened(Message, namespace="record_table"):
    """Sent on enter, a second click or a double click on a record."""

    record: Any


@dataclass(eq=False)
class Highlighted(Message, namespace="record_table"):
    """Sent when the cursor stands on another record (None: there is none, or it has not been read yet)."""

    record: Any | None


class Marked(Message, namespace="record_table"):
    """Sent when the marks changed."""


@dataclass(eq=False)
class Loaded(Message, namespace="record_table"):
    """Sent when the list for ``q`` was read (again); ``total`` records match."""

    total: int
    q: str


class RowsRead(Message, namespace="record_table"):
    """Sent when more rows of the list were read."""


@dataclass(eq=False)
class LoadFailed(Message, namespace="record_table"):
    """Sent when the list could not be read; what was shown stays."""

    error: LodeError
