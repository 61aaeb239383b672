"""Key line at the bottom: the keys of what has the focus, as many as fit, and always the one that lists all."""

from functools import cache
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import ActiveBinding, Binding
from textual.dom import DOMNode
from textual.reactive import reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tui.compat.app import chosen_keys
from tui.text.sanitize import one_line

_GAP = 3
_HELP = "show_keys"


def page_keys(prefix: str, action: str) -> list[Binding]:
    """Bindings of ``action(pages)`` whose ids begin with ``prefix``."""
    return [
        Binding("ctrl+d", f"{action}(0.5)", "half a page down", show=False, id=f"{prefix}.half_down"),
        Binding("ctrl+u", f"{action}(-0.5)", "half a page up", show=False, id=f"{prefix}.half_up"),
        Binding("pagedown", f"{action}(1.0)", "a page down", show=False, id=f"{prefix}.page_down"),
        Binding("pageup", f"{action}(-1.0)", "a page up", show=False, id=f"{prefix}.page_up"),
    ]


def in_editor() -> Binding:
    """Binding that opens a text in the editor of one's own; in text fields ctrl+e stays the end of the line."""
    does = "edit this text in the editor that $EDITOR names"
    return Binding("f3,ctrl+e", "app.edit_outside", "in $EDITOR", show=False, tooltip=does, id="edit_outside")


class KeyLine(Widget):
    """Line of the screen's active bindings with ``show=True``, the focused widget's first; a click presses the key.

    ``mode`` stands before them: a word for what the keys do at the moment beside their own ("" for nothing special).

    A Footer mounts a widget for each key and scrolls what does not fit; one line that is drawn costs nothing at
    start-up or when the focus moves, and `?` stays in sight in 60 columns.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-line--key", "key-line--mode"}
    DEFAULT_CSS = """
    KeyLine {
        dock: bottom; height: 1; background: $background; color: $text-muted;
        & > .key-line--key { color: $foreground; text-style: bold; }
        & > .key-line--mode { color: $accent; text-style: bold; }
    }
    """

    mode: reactive[str] = reactive("")

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        if screen is self.screen:
            self.refresh()

    @property
    def _start(self) -> int:
        """Column of the first key, in cells."""
        return 1 + (cell_len(self.mode) + _GAP if self.mode else 0)

    def entries(self) -> list[tuple[str, str, str]]:
        """Entries of the line at this width: key as shown, what it does, key to press."""
        shown: dict[str, tuple[str, str, str]] = {}
        for _, binding, enabled, _ in ordered_bindings(self.screen):
            if enabled and binding.show and binding.action not in shown:
                shown[binding.action] = (self.app.get_key_display(binding), one_line(binding.description), binding.key)
        last = shown.pop(_HELP, None)
        room = self.size.width - 1 - self._start - (_width(last) + _GAP if last else -_GAP)
        fitting = []
        for entry in shown.values():
            room -= _width(entry) + _GAP
            if room < -_GAP:
                break
            fitting.append(entry)
        return [*fitting, last] if last else fitting

    def render_line(self, y: int) -> Strip:
        plain = self.rich_style
        bold = self.get_component_rich_style("key-line--key")
        segments = [Segment(" ", plain)]
        if self.mode:
            mode = self.get_component_rich_style("key-line--mode")
            segments += [Segment(self.mode, mode), Segment(" " * _GAP, plain)]
        for place, (key, label, _) in enumerate(self.entries()):
            segments += [Segment(" " * _GAP if place else "", plain), Segment(key, bold), Segment(f" {label}", plain)]
        return Strip(segments).adjust_cell_length(self.size.width, plain)

    async def on_click(self, event: events.Click) -> None:
        x = self._start
        for entry in self.entries():
            if x <= event.x < x + _width(entry):
                self.app.simulate_key(entry[2])
                return
            x += _width(entry) + _GAP


def _width(entry: tuple[str, str, str]) -> int:
    return cell_len(entry[0]) + 1 + cell_len(entry[1])


def ordered_bindings(screen: Screen[object]) -> list[ActiveBinding]:
    """Active bindings, those nearest to the focus first, and of one node those of its own class first."""
    active = [one for one in screen.active_bindings.values() if not _is_refused(screen, one.binding.action)]
    chain = list(dict.fromkeys(binding.node for binding in active))
    ranks = {node: _ranks(type(node).__mro__) for node in chain}
    return sorted(active, key=lambda one: (chain.index(one.node), ranks[one.node].get(one.binding.action, 1000)))


def _is_refused(screen: Screen[object], action: str) -> bool:
    """Whether the screen has no use for an action of its own: Textual asks the topmost one, which may lie over it."""
    own = action.removeprefix("screen.")
    return own != action and screen.check_action(own, ()) is False


def shown_key(screen: Screen[Any], binding_id: str) -> str:
    """First key of a binding of ``screen`` or the app as it is shown, also where the settings changed it."""
    app = screen.app
    for node in (screen, app):
        for binding in declared_bindings(type(node)):
            if binding.id == binding_id:
                chosen = chosen_keys(app, binding_id).partition(",")[0]
                return app.get_key_display(Binding(chosen, "") if chosen else binding)
    return ""


@cache
def declared_bindings(node: type[DOMNode]) -> tuple[Binding, ...]:
    """Bindings that a class of ours and those of ours above it declare, each with one key.

    Textual's own keys (editing, scrolling) are left out: they give way, and nobody looks them up.
    """
    by_key: dict[str, list[Binding]] = {}
    for cls in reversed(node.__mro__):
        if cls.__module__.startswith("textual."):
            continue
        own: dict[str, list[Binding]] = {}
        for binding in Binding.make_bindings(cls.__dict__.get("BINDINGS", ())):
            own.setdefault(binding.key, []).append(binding)
        by_key |= own  # as Textual does it: a class's key takes the place of the same key above it
    return tuple(binding for bindings in by_key.values() for binding in bindings)


@cache
def _ranks(classes: tuple[type, ...]) -> dict[str, int]:
    """Order in which a node's class, then the classes above it, declare their actions."""
    actions: dict[str, int] = {}
    for cls in classes:
        for binding in cls.__dict__.get("BINDINGS", ()):
            action = binding.action if isinstance(binding, Binding) else binding[1]
            actions.setdefault(action, len(actions))
    return actions
