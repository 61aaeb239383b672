"""SQLite store: all that the service keeps; its calls block."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tui.store.store import Store

__all__ = ["Store"]


def __getattr__(name: str) -> Any:
    """Import the store when it is asked for: a shell that completes names reads some of a library without it."""
    if name == "Store":
        from tui.store.store import Store

        return Store
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
