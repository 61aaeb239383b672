"""Key bindings that move a cursor or a text by pages, the same in every list, reader and answer."""

from __future__ import annotations

from textual.binding import Binding


def page_keys(prefix: str, action: str) -> list[Binding]:
    """Bindings of ``action(pages)`` whose ids begin with ``prefix``."""
    keys = (
        ("ctrl+d", 0.5, "half a page down", "half_down"),
        ("ctrl+u", -0.5, "half a page up", "half_up"),
        ("pagedown", 1.0, "a page down", "page_down"),
        ("pageup", -1.0, "a page up", "page_up"),
    )
    return [
        Binding(key, f"{action}({pages})", does, show=False, id=f"{prefix}.{name}") for key, pages, does, name in keys
    ]
