"""Every key that works where you are, in groups: the thing with the focus, its screen, and everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from tui.cells import fit
from tui.controls import one_line
from tui.screens.keymap import declared
from tui.widgets.key_line import ordered_bindings
from tui.widgets.themes import MUTED
from tui.widgets.wrapping import wrap

_GAP = 3
_LEAST = 30
"""So many cells what a key does must have before its id gets any."""
_FRAME = 7
"""Border, padding and scroll bar of the list."""


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """The keys of one action as they are shown, what it does, and the id by which ``[keys]`` names it ("" for none)."""

    keys: str
    does: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Keys that belong together."""

    title: str
    entries: tuple[KeyEntry, ...]


def keys_of(screen: Screen[object]) -> tuple[KeyGroup, ...]:
    """The described bindings that are active on ``screen`` now, the nearest to the focus first.

    What every text field, scroll bar and screen of Textual has is left out: nobody looks the arrow keys up.
    """
    groups: dict[str, dict[tuple[str, str], list[Binding]]] = {}
    for node, binding, enabled, _ in ordered_bindings(screen):
        does = binding.tooltip or binding.description
        if enabled and does and not binding.system and binding.action in _own_actions(type(node)):
            groups.setdefault(_title(node), {}).setdefault((binding.action, does), []).append(binding)
    return tuple(
        KeyGroup(title, tuple(_entry(screen.app, one_line(does), bindings) for (_, does), bindings in actions.items()))
        for title, actions in groups.items()
    )


def _entry(app: App[Any], does: str, bindings: Sequence[Binding]) -> KeyEntry:
    keys = {app.get_key_display(Binding(binding.key, binding.action)) for binding in bindings}
    return KeyEntry(
        " ".join(sorted(keys, key=lambda key: (len(key), key))),
        does,
        next((binding.id for binding in bindings if binding.id), ""),
    )


@cache
def _own_actions(node: type[DOMNode]) -> frozenset[str]:
    return frozenset(binding.action for binding in declared(node))


def _title(node: DOMNode) -> str:
    if isinstance(node, App):
        return "Everywhere"
    if node.BINDING_GROUP_TITLE:
        return node.BINDING_GROUP_TITLE
    if isinstance(node, Screen):
        return getattr(node, "SECTION", "this screen").capitalize()
    return "Here"


class KeysScreen(ModalScreen[None]):
    """The list of keys; esc, ? or q closes it, the usual keys scroll.

    Beside each key stands its id for the settings, where the terminal has the width.
    """

    DEFAULT_CSS = """
    KeysScreen {
        align: center middle;
        background: $background 60%;
        VerticalScroll {
            width: auto; max-width: 100%; height: auto; max-height: 100%;
            padding: 0 2; background: $surface; border: round $foreground 35%; scrollbar-size-vertical: 1;
        }
        Static { width: auto; height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q,ctrl+c", "dismiss(None)", "close", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("ctrl+d,pagedown,space", "page(1)", show=False),
        Binding("ctrl+u,pageup", "page(-1)", show=False),
        Binding("g,home", "end(-1)", show=False),
        Binding("G,end", "end(1)", show=False),
    ]

    def __init__(self, groups: Sequence[KeyGroup]) -> None:
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static()

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(Static).update(_written(self._groups, event.size.width - _FRAME))

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_relative(y=pages * max(1, scroll.size.height - 1), animate=False)

    def action_end(self, direction: int) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_to(y=scroll.max_scroll_y if direction > 0 else 0, animate=False)


def _written(groups: Sequence[KeyGroup], width: int) -> Content:
    """The groups in ``width`` cells: keys, what they do and, if that leaves enough room, the ids."""
    entries = [entry for group in groups for entry in group.entries]
    keys = _widest(entry.keys for entry in entries) + _GAP
    ids = _widest(entry.id for entry in entries)
    does = _widest(entry.does for entry in entries)
    room = width - keys - _GAP - ids
    has_ids = bool(ids) and room >= min(does, _LEAST)
    does = min(does, room if has_ids else width - keys)
    lines: list[Content] = []
    for group in groups:
        if lines:
            lines.append(Content(""))
        lines.append(Content.styled(group.title, "bold $accent"))
        for entry in group.entries:
            for number, (first, last) in enumerate(wrap(entry.does, does)):
                line = Content.styled(fit("" if number else entry.keys, keys), "$foreground")
                line += Content.styled(fit(entry.does[first:last], does), MUTED)
                if has_ids and not number:
                    line += Content.styled(" " * _GAP + entry.id, "$text-disabled")
                lines.append(line)
    if has_ids:
        lines += [Content(""), Content.styled("At the right: ids for [keys] in config.toml", "$text-disabled")]
    return Content("\n").join(lines)


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)
