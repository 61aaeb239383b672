"""The SQLite store: what the service keeps, blocking and typed."""

from tui.store.store import Store

__all__ = ["Store"]
