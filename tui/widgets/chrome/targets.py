"""Targets: what can be reached on a screen by the label that is laid over it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable

from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget


@dataclass(frozen=True, slots=True)
class Target:
    """Target at a place of the screen, in cells; ``go`` goes there. Those that are ``wanted`` get the short labels."""

    x: int
    y: int
    go: Callable[[], object]
    is_wanted: bool = False


@runtime_checkable
class HasTargets(Protocol):
    """A widget of which parts can be reached."""

    def targets(self) -> Iterator[Target]:
        """Its parts in sight, with their places within it."""


@runtime_checkable
class HasCursor(Protocol):
    """A widget with a place for the terminal's cursor; Textual's text fields have one."""

    @property
    def cursor_screen_offset(self) -> Offset:
        """Where the cursor stands on the screen."""


def targets_of(screen: Screen[object]) -> list[Target]:
    """All that can be reached on a screen: the parts of what can have the focus, or that itself."""
    found = []
    for widget in screen.focus_chain:
        corner = widget.content_region.offset
        if isinstance(widget, HasTargets):
            found += [
                Target(corner.x + each.x, corner.y + each.y, each.go, each.is_wanted) for each in widget.targets()
            ]
        elif widget.region and screen.region.contains_point(widget.region.offset):
            found.append(Target(widget.region.x, corner.y, partial(screen.set_focus, widget)))
    return found


def cursor_of(widget: Widget | None) -> Offset:
    """Where the terminal's cursor stands while a widget has the focus."""
    if isinstance(widget, HasCursor):
        return widget.cursor_screen_offset
    return Offset() if widget is None else widget.content_region.offset
