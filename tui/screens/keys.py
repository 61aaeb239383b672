"""Every key that works where you are, in groups: the thing with the focus, its screen, and everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from tui.controls import one_line
from tui.widgets.key_line import ordered_bindings


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Keys that belong together; each entry is the keys of one action and what it does."""

    title: str
    entries: tuple[tuple[str, str], ...]


def keys_of(screen: Screen[object]) -> tuple[KeyGroup, ...]:
    """The described bindings that are active on ``screen`` now, the nearest to the focus first."""
    groups: dict[str, dict[tuple[str, str], list[str]]] = {}
    for node, binding, enabled, _ in ordered_bindings(screen):
        if isinstance(node, Screen) and binding in Screen.BINDINGS:
            continue  # what every Textual screen has: moving the focus, copying a selection
        if enabled and not binding.system and (does := binding.tooltip or binding.description):
            actions = groups.setdefault(_title(node), {})
            shown = screen.app.get_key_display(Binding(binding.key, binding.action))
            actions.setdefault((binding.action, does), []).append(shown)
    return tuple(
        KeyGroup(title, tuple((" ".join(keys), one_line(does)) for (_, does), keys in actions.items()))
        for title, actions in groups.items()
    )


def _title(node: DOMNode) -> str:
    if isinstance(node, App):
        return "Everywhere"
    if node.BINDING_GROUP_TITLE:
        return node.BINDING_GROUP_TITLE
    if isinstance(node, Screen):
        return getattr(node, "SECTION", "this screen").capitalize()
    return "Here"


class KeysScreen(ModalScreen[None]):
    """The list of keys; esc, ? or q closes it, the usual keys scroll."""

    DEFAULT_CSS = """
    KeysScreen {
        align: center middle;
        VerticalScroll {
            width: auto; max-width: 90%; height: auto; max-height: 90%;
            padding: 1 3; background: $panel; scrollbar-size-vertical: 1;
        }
        Static { width: auto; height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q", "dismiss(None)", "close", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
    ]

    def __init__(self, groups: Sequence[KeyGroup]) -> None:
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(_written(self._groups))

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


def _written(groups: Sequence[KeyGroup]) -> Content:
    widest = max((cell_len(keys) for group in groups for keys, _ in group.entries), default=0)
    lines: list[Content] = []
    for group in groups:
        if lines:
            lines.append(Content(""))
        lines.append(Content.styled(group.title, "bold $accent"))
        for keys, does in group.entries:
            padding = " " * (widest - cell_len(keys) + 3)
            lines.append(Content.styled(keys, "$foreground") + Content.styled(padding + does, "$text-muted"))
    return Content("\n").join(lines)
