"""The profiles of a library: each came into being with the first thing that was written to it."""

from __future__ import annotations

from tui.store.database import Connections


class Profiles:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def names(self) -> tuple[str, ...]:
        """Sorted."""
        with self._connections.read() as connection:
            return tuple(row[0] for row in connection.execute("SELECT name FROM profiles ORDER BY name"))
