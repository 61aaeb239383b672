"""Commands of the screens that are not in sight, for the palette: those of sections go there first."""

from collections.abc import Collection, Iterator
from functools import partial
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

from tui.compat.app import chosen_keys
from tui.screens.dialogs.key_help import KeyEntry, entry_of
from tui.screens.dialogs.palette_entries import Command, do_in
from tui.screens.section import OVERLAYS, SECTIONS
from tui.screens.shell.keymap import KeyScope, key_scopes, rebind
from tui.widgets.chrome.key_line import declared_bindings
from tui.widgets.table.record_table import RecordTable

_LISTS = "lists"


def elsewhere(app: App[Any], offered: Collection[str]) -> Iterator[Command]:
    """Commands of the screens that are not in sight: those of a section go there first, others say where they work.

    ``offered`` are actions of the app that need no second command. Imports every screen, which has been done by the
    time somebody looks for them.
    """
    here: set[type[DOMNode]] = {type(app), *(type(node) for node in (app.screen, *app.screen.walk_children(Widget)))}
    scopes = [scope for scope in key_scopes() if scope.name != "the filter"]
    seen = {binding.id for node in here for binding in declared_bindings(node)}
    places: dict[str, list[KeyScope]] = {}
    for scope in scopes:
        for binding in {binding.id for node in scope.nodes for binding in declared_bindings(node)}:
            places.setdefault(binding or "", []).append(scope)
    for scope in scopes:
        for node in scope.nodes:
            for name, bindings in _described(app, node).items():
                if name in seen or do_in(scope.name.lower(), bindings[1][0].action) in offered:
                    continue
                seen.add(name)
                yield _command(app, scope, node, entry_of(app, *bindings), is_of_many=len(places[name]) > 1)


def _described(app: App[Any], node: type[DOMNode]) -> dict[str, tuple[str, list[Binding]]]:
    """Bindings of a class by their ids, with what they do; those that close something are left out."""
    found: dict[str, tuple[str, list[Binding]]] = {}
    declared = declared_bindings(node)
    chosen = {each.id: keys for each in declared if each.id and (keys := chosen_keys(app, each.id))}
    for binding in rebind(declared, chosen):
        does = binding.tooltip or binding.description
        if binding.id and does and not binding.system and not binding.id.endswith((".back", ".clear", ".stop")):
            found.setdefault(binding.id, (does, []))[1].append(binding)
    return found


def _command(app: App[Any], scope: KeyScope, node: type[DOMNode], entry: KeyEntry, *, is_of_many: bool) -> Command:
    place = scope.name.removeprefix("the ")
    if is_of_many:
        title = node.BINDING_GROUP_TITLE if issubclass(node, Widget) and not issubclass(node, Screen) else None
        place = _LISTS if title in (None, "List") else str(title).lower()
    section = scope.name.lower() if not is_of_many and scope.name.capitalize() == scope.name else ""
    run = partial(_do_in, app, section, node, entry) if section in SECTIONS else partial(_say_where, app, scope, entry)
    does = "" if entry.does == entry.name else entry.does
    return Command(f"{place[:1].upper()}{place[1:]}: {entry.name}", does, entry.keys, run)


async def _do_in(app: App[Any], section: str, node: type[DOMNode], entry: KeyEntry) -> None:
    """Go to a section, and do there what the key does, on its screen or the widget that has the key."""
    await app.run_action(f"section('{section}')")
    screen = app.screen
    found = [screen, *screen.query(node if issubclass(node, Widget) else "*")]
    target = next((each for each in found if isinstance(each, node)), None)
    if getattr(screen, "SECTION", "") != section or target is None:
        return  # something unsaved kept it from being left, or something lies over it
    for table in screen.query(RecordTable):
        await table.until_read()  # what it is to be done with may be the first row
    if not await app.run_action(entry.action, target):
        app.notify(f"there is nothing to {entry.name} there yet", markup=False)


def _say_where(app: App[Any], scope: KeyScope, entry: KeyEntry) -> None:
    app.notify(f"{entry.keys.partition(' ')[0]} · {entry.name}: works in {_where(scope)}", markup=False)


def _where(scope: KeyScope) -> str:
    return scope.name if scope.name in OVERLAYS else "lists"
