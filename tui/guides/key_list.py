"""All keys with what they do, as the settings have them, and what is wrong with those of the settings.

Imports every screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.keys import format_key
from textual.theme import BUILTIN_THEMES

from tui.config import Settings
from tui.screens.shell.keymap import key_problems, key_scopes, problems, rebind
from tui.widgets.chrome.key_line import declared_bindings
from tui.widgets.chrome.themes import DARK, LIGHT


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """Entry of the list of keys: what they do in a place, as people read them.

    ``id`` is what ``[keys]`` calls it, "" where it cannot.
    """

    place: str
    keys: tuple[str, ...]
    does: str
    id: str


def list_keys(app: type[App[Any]], keys: Mapping[str, str]) -> Iterator[KeyEntry]:
    """Iterate over all keys, place by place; ``keys`` are those of the settings."""
    yield from _entries("Everywhere", rebind(declared_bindings(app), keys))
    seen = set()
    for scope in key_scopes():
        for node in scope.nodes:
            if node not in seen:
                seen.add(node)
                place = node.BINDING_GROUP_TITLE or scope.name[:1].upper() + scope.name[1:]
                yield from _entries(place, rebind(declared_bindings(node), keys))


def _entries(place: str, bindings: Iterator[Binding]) -> Iterator[KeyEntry]:
    found: dict[tuple[str, str], list[str]] = {}
    for binding in bindings:
        does = binding.tooltip or binding.description
        if does and not binding.system:
            found.setdefault((does, binding.id or ""), []).append(format_key(binding.key))
    for (does, binding_id), shown in found.items():
        yield KeyEntry(place, tuple(dict.fromkeys(shown)), does, binding_id)


def setting_problems(settings: Settings, app: type[App[Any]]) -> Iterator[tuple[str, str]]:
    """Iterate over what is wrong with theme and keys: the name of a setting, and a sentence about it."""
    for said in problems(replace(settings, keys={}), {*BUILTIN_THEMES, DARK.name, LIGHT.name}, app):
        yield "theme", said
    left = dict.fromkeys(key_problems(settings.keys, app))
    so_far: dict[str, str] = {}
    for name, typed in settings.keys.items():
        so_far[name] = typed
        for said in key_problems(so_far, app):  # two of them may clash with each other: the later one is named
            if said in left:
                del left[said]
                yield f"keys.{name}", said
