"""Check of the settings' keys and theme: problems are told once, after the first list stands."""

import asyncio
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pkgutil import resolve_name
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import Keys, format_key

from tui.config import Settings
from tui.screens.section import OVERLAYS, SECTIONS, SectionScreen
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import declared_bindings

_MODIFIERS = frozenset({"ctrl", "shift", "alt", "super", "hyper", "meta"})
_NAMED = frozenset(key.value for key in Keys)
_RENAMED = frozenset({"minus", "plus", "slash", "backslash", "at", "underscore"})
"""Names of keys that Textual shortens from their Unicode names."""

_MOST = 4
_READ_SECONDS = 12.0
"""Seconds that the toast stays, longer than others: it names two ids, and comes while the eye is on the list."""


@dataclass(frozen=True, slots=True)
class KeyScope:
    """Scope of key bindings: widgets whose keys work at the same time, from the focused one up to the screen."""

    name: str
    nodes: tuple[type[DOMNode], ...]


def key_scopes() -> tuple[KeyScope, ...]:
    """Scopes of the app that have keys of their own. Imports every screen, so it belongs in a thread."""
    from tui.widgets.forms.text_fields import FilterBar

    named = {**{name.capitalize(): path for name, path in SECTIONS.items()}, **OVERLAYS}
    screens: dict[str, type[SectionScreen]] = {name: resolve_name(path) for name, path in named.items()}
    return (
        *(KeyScope(name, (*screen.KEYED_WIDGETS, screen)) for name, screen in screens.items()),
        KeyScope("the filter", (FilterBar, screens["Files"])),
    )


def key_problems(keys: Mapping[str, str], app: type[App[Any]]) -> tuple[str, ...]:
    """Problems with ``keys`` (binding id → keys, apart by commas), a sentence each."""
    if not keys:
        return ()
    scopes = [KeyScope(scope.name, (*scope.nodes, app)) for scope in key_scopes()]
    known = {binding.id for scope in scopes for binding in _bindings(scope) if binding.id}
    problems = [_unknown(name, known) for name in keys if name not in known]
    problems += [said for name, typed in keys.items() for said in _unsendable(name, typed)]
    return (*problems, *_clashes(scopes, keys))


def _unknown(name: str, known: set[str]) -> str:
    close = get_close_matches(name, sorted(known), n=1)
    hint = f"did you mean {close[0]}?" if close else "? and then i shows the ids"
    return f"[keys] has {name!r}, which no key is called: {hint}"


def _unsendable(name: str, typed: str) -> Iterator[str]:
    for key in (part.strip() for part in typed.split(",")):
        *modifiers, last = key.split("+") if len(key) > 1 else [key]
        if "shift" in modifiers and len(last) == 1 and last.isalpha():
            yield f"[keys] {name} = {typed!r}: write a capital letter as itself, {last.upper()}"
        elif not set(modifiers) <= _MODIFIERS or not _is_key(last):
            yield f"[keys] {name} = {typed!r}: there is no key {key!r}"


def _is_key(name: str) -> bool:
    if len(name) == 1 or name in _NAMED or name in _RENAMED:
        return True
    try:
        unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return False
    return True


def _clashes(scopes: list[KeyScope], keys: Mapping[str, str]) -> tuple[str, ...]:
    """Clashes of two actions on one key in one scope; where they share a key by design too, the nearer one is meant."""
    found: dict[tuple[str, str, str], str] = {}
    for scope in scopes:
        bindings = _bindings(scope)
        by_design = {(one.key, one.action) for one in bindings}
        taken: dict[str, Binding] = {}
        for binding in sorted(rebind(bindings, keys), key=lambda one: one.id not in keys):
            other = taken.setdefault(binding.key, binding)
            if other.action == binding.action or other.id not in keys:
                continue
            shared = {key for key, action in by_design if action == other.action}
            if not any((key, binding.action) in by_design for key in shared):
                names = sorted((other.id or other.description, binding.id or binding.description))
                found.setdefault((binding.key, names[0], names[1]), scope.name)
    return tuple(
        f"[keys] {format_key(key)} is both {first} and {second} in {scope}"
        for (key, first, second), scope in found.items()
    )


def rebind(bindings: Iterable[Binding], keys: Mapping[str, str]) -> Iterator[Binding]:
    """Give bindings the keys of the settings in place of their own."""
    done = set()
    for binding in bindings:
        if binding.id is None or binding.id not in keys:
            yield binding
        elif binding.id not in done:
            done.add(binding.id)
            if typed := ",".join(filter(None, map(str.strip, keys[binding.id].split(",")))):
                yield from Binding.make_bindings([replace(binding, key=typed)])


def _bindings(scope: KeyScope) -> list[Binding]:
    """Bindings that Lode itself declares, with one entry per key.

    Not those of the terminal, ctrl+c and ctrl+z: Textual lets a key of the settings take their place.
    """
    return [binding for node in scope.nodes for binding in declared_bindings(node) if not binding.system]


async def notify_problems(app: App[Any], settings: Settings) -> None:
    """Notify of all problems at once; finding them happens in a thread, since it imports every screen."""
    found = await asyncio.to_thread(problems, settings, app.available_themes, type(app))
    if found:
        text = "\n".join(map(one_line, found[:_MOST]))
        rest = f"\nand {len(found) - _MOST} more" if len(found) > _MOST else ""
        app.notify(text + rest, severity="warning", markup=False, timeout=_READ_SECONDS)


def problems(settings: Settings, themes: Collection[str], app: type[App[Any]]) -> tuple[str, ...]:
    """Problems with the settings, a sentence each, the theme's first."""
    found: list[str] = []
    if settings.theme and settings.theme not in themes:
        close = get_close_matches(settings.theme, sorted(themes), n=1)
        hint = f"did you mean {close[0]}?" if close else "the palette lists them under Theme"
        found.append(f"there is no theme {settings.theme!r}: {hint}")
    return (*found, *key_problems(settings.keys, app))
