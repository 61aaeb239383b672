"""Key bindings that are active now, in groups: the focused widget's, the screen's, the app's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import declared_bindings, ordered_bindings


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """Action with its keys as they are shown, its short name, and a description.

    ``id`` is what ``[keys]`` calls it ("" for none); ``action`` runs on the group's node; ``shown``: the line below
    names it too.
    """

    keys: str
    name: str
    does: str
    id: str
    action: str
    shown: bool


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Group of the actions of one widget, a screen or the app."""

    title: str
    node: DOMNode
    entries: tuple[KeyEntry, ...]


def keys_of(screen: Screen[Any]) -> tuple[KeyGroup, ...]:
    """Described bindings that are active on ``screen`` now, the nearest to the focus first.

    What every text field, scroll bar and screen of Textual has is left out: nobody looks the arrow keys up.
    """
    groups: dict[DOMNode, dict[tuple[str, str], list[Binding]]] = {}
    for node, binding, enabled, _ in ordered_bindings(screen):
        does = binding.tooltip or binding.description
        if enabled and does and not binding.system and binding.action in _own_actions(type(node)):
            groups.setdefault(node, {}).setdefault((binding.action, does), []).append(binding)
    return tuple(
        KeyGroup(_title(node), node, tuple(_entry(screen.app, does, bindings) for (_, does), bindings in found.items()))
        for node, found in groups.items()
    )


def _entry(app: App[Any], does: str, bindings: Sequence[Binding]) -> KeyEntry:
    keys = {app.get_key_display(Binding(binding.key, binding.action)) for binding in bindings}
    return KeyEntry(
        " ".join(sorted(keys, key=lambda key: (len(key), key))),
        one_line(bindings[0].description or does),
        one_line(does),
        next((binding.id for binding in bindings if binding.id), ""),
        bindings[0].action,
        any(binding.show for binding in bindings),
    )


@cache
def _own_actions(node: type[DOMNode]) -> frozenset[str]:
    return frozenset(binding.action for binding in declared_bindings(node))


def _title(node: DOMNode) -> str:
    if isinstance(node, App):
        return "Everywhere"
    if node.BINDING_GROUP_TITLE:
        return node.BINDING_GROUP_TITLE
    if isinstance(node, Screen):
        return getattr(node, "SECTION", "this screen").capitalize()
    return "Here"
