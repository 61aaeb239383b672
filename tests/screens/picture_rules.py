"""Rules that every picture of the app keeps: what is read can be read, nothing is cut off or drawn over another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rich.color import Color
from rich.style import Style
from textual.geometry import Region, Size
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input

from tui.screens.section import SectionScreen
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.chrome.top_line import TopLine

LEAST_CONTRAST = 3.0
"""Of the letters of a line against what is behind them, as WCAG 2 counts it (1.4.3, large text)."""


def faults(screen: Screen[object], size: Size) -> list[str]:
    """What is wrong with a screen as it stands there."""
    return [*_lines(screen, size), *_pale(screen), *_places(screen), *_overlaps(screen), *_focus(screen, size)]


def _shown(screen: Screen[object]) -> Iterator[Widget]:
    """The widgets of a screen that have a place, but for the screen itself."""
    return (
        widget
        for widget in screen.walk_children(Widget)
        if widget.display and widget.visible and widget.region.area and widget.is_attached
    )


def _lines(screen: Screen[object], size: Size) -> Iterator[str]:
    if not isinstance(screen, SectionScreen):
        return
    for kind, row in ((TopLine, 0), (KeyLine, size.height - 1)):
        line = screen.query_one(kind)
        if line.region != Region(0, row, size.width, 1):
            yield f"{kind.__name__} stands at {line.region}"
    last = screen._compositor.render_strips()[-1].text
    if not last.rstrip().endswith("keys"):
        yield f"the last line does not end in the key that lists all: {last!r}"


def _pale(screen: Screen[object]) -> Iterator[str]:
    """Texts that can hardly be read. What lies behind a dialog is not meant to be."""
    regions = [widget.region for widget in screen.children] if isinstance(screen, ModalScreen) else [screen.region]
    for y, strip in enumerate(screen._compositor.render_strips()):
        x = 0
        for segment in strip:
            width = segment.cell_length
            is_read = any(region.contains(x, y) for region in regions) and any(map(str.isalnum, segment.text))
            if is_read and segment.style is not None and (ratio := _contrast(segment.style)) < LEAST_CONTRAST:
                yield f"line {y}: {segment.text.strip()!r} has a contrast of {ratio:.1f}"
            x += width


def _contrast(style: Style) -> float:
    if style.color is None or style.bgcolor is None or style.color.is_default or style.bgcolor.is_default:
        return 21.0
    lights = sorted(map(_luminance, (style.color, style.bgcolor)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(colour: Color) -> float:
    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.03928 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = map(linear, colour.get_truecolor())
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _places(screen: Screen[object]) -> Iterator[str]:
    """Widgets that reach over the right edge, or below the screen where nothing scrolls."""
    for widget in _shown(screen):
        ways = [each for each in widget.ancestors if isinstance(each, Widget)]
        scrolls = any(each.is_scrollable and each.max_scroll_y for each in ways)
        room = screen.region
        if widget.region.right > room.right or widget.region.x < 0:
            yield f"{widget!r} reaches from {widget.region.x} to {widget.region.right} of {room.width}"
        if not scrolls and (widget.region.bottom > room.bottom or widget.region.y < 0):
            yield f"{widget!r} reaches from {widget.region.y} to {widget.region.bottom} of {room.height}"
        parent = widget.parent
        is_inside = not isinstance(parent, Widget) or parent.region.contains_region(widget.region)
        if not is_inside and not scrolls and parent is not screen:
            yield f"{widget!r} at {widget.region} is cut off by {parent!r}"


def _overlaps(screen: Screen[object]) -> Iterator[str]:
    """Neighbours in one layer that are drawn over each other."""
    for parent in (screen, *_shown(screen)):
        there = [each for each in parent.children if each.display and each.visible and each.region.area]
        for one, other in combinations(there, 2):
            is_meant = one.layer != other.layer or "overlay" in (one.styles.overlay, other.styles.overlay)
            if (
                not is_meant
                and one.region.overlaps(other.region)
                and "screen" not in (one.styles.overlay, other.styles.overlay)
            ):
                yield f"{one!r} at {one.region} lies over {other!r} at {other.region}"


def _focus(screen: Screen[object], size: Size) -> Iterator[str]:
    focused = screen.focused
    if focused is not None:
        seen = screen.region.intersection(focused.region)
        for ancestor in focused.ancestors:
            if isinstance(ancestor, Widget):
                seen = seen.intersection(ancestor.region)
        if not seen.area:
            yield f"{focused!r} has the focus and is not to be seen"
        elif isinstance(focused, Input) and seen.height < focused.region.height:
            yield f"{focused!r} has the focus and is to be seen in part"
    x, y = screen.app.cursor_position
    if not (0 <= x < size.width and 0 <= y < size.height):
        yield f"the cursor stands at {x}, {y}"
    if isinstance(focused, Input) and not focused.region.contains(x, y):
        yield f"the cursor stands at {x}, {y}, and not in {focused!r} at {focused.region}"
