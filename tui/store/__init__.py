"""SQLite store: all that the service keeps; its calls block."""

from tui.store.store import Store

__all__ = ["Store"]
