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
    """A widget with a place at which the terminal's cursor is to stand while it has the focus."""

    def place_cursor(self) -> None:
        """Put the terminal's cursor there."""


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


def show_cursor_at(widget: Widget, place: Offset) -> None:
    """Put the terminal's cursor at a place of a widget that has the focus: braille displays and readers follow it."""
    if widget.is_attached and widget.has_focus and widget.screen.is_current:
        widget.app.cursor_position = widget.content_region.offset + place
