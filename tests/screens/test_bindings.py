"""Every binding of the app, generated from the keymap: it does something, says what, and shares no key by accident."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from textual.actions import parse
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from tui.app import LodeApp
from tui.screens.shell.keymap import KeyScope, key_scopes
from tui.widgets.chrome.key_line import declared_bindings


def nodes_of(scope: KeyScope) -> tuple[type[DOMNode], ...]:
    return (*scope.nodes, LodeApp)


SCOPES = {scope.name: scope for scope in key_scopes()}
EVERY = sorted(
    {
        (name, node.__name__, binding.key, binding.action)
        for name, scope in SCOPES.items()
        for node in nodes_of(scope)
        for binding in declared_bindings(node)
    }
)
NODES: dict[str, type[DOMNode]] = {node.__name__: node for scope in SCOPES.values() for node in nodes_of(scope)}
BY_DESIGN = {
    ("breakdown.back", "breakdown.stop"): "while an answer streams, esc stops it",
    ("breakdown.one", "breakdown.second"): "the second model comes and goes with one key",
    ("reader.mark", "reader.pause"): "space is the film's while one is followed",
    ("TemplateScreen.first_field", "template.next"): "before a field has the focus, tab goes to the first",
    ("concordance.back", "reader.back"): "esc closes the nearest thing",
    ("concordance.back", "word_places.back"): "likewise",
    ("filter.clear", "list.back"): "likewise",
}
"""Pairs of bindings that share a key, each with the reason; ``check_action`` or the focus tells which one is meant."""


def bindings(scope: KeyScope) -> Iterator[tuple[type[DOMNode], Binding]]:
    return ((node, binding) for node in nodes_of(scope) for binding in declared_bindings(node))


def name(node: type[DOMNode], binding: Binding) -> str:
    return binding.id or f"{node.__name__}.{binding.action}"


@pytest.mark.parametrize(("scope", "node", "key", "action"), EVERY)
def test_a_binding_does_something_where_it_is_shown_and_says_what(scope: str, node: str, key: str, action: str) -> None:
    place, does, _ = parse(action)
    target = {"": NODES[node], "app": LodeApp}.get(place)
    targets = [target] if target else [each for each in SCOPES[scope].nodes if issubclass(each, Screen)]
    assert any(hasattr(each, f"action_{does}") or hasattr(each, f"_action_{does}") for each in targets), action
    (binding,) = {
        (each.id, each.description or each.tooltip, each.system, each.show)
        for each in declared_bindings(NODES[node])
        if (each.key, each.action) == (key, action)
    }
    binding_id, said, is_system, is_shown = binding
    if not is_system:
        assert said or not is_shown, "the line below needs a word for it"
        assert binding_id is None or said, "what can be given another key is in the list of keys"


def test_no_screen_has_two_bindings_for_one_key_but_by_design() -> None:
    shared = {pair for scope in SCOPES.values() for chain in focus_chains(scope) for pair in shared_keys(chain)}
    assert shared == set(BY_DESIGN)


def focus_chains(scope: KeyScope) -> Iterator[tuple[type[DOMNode], ...]]:
    """The nodes that a key goes through, for each widget that may have the focus."""
    screens = [node for node in scope.nodes if issubclass(node, Screen)]
    for widget in [node for node in scope.nodes if node not in screens] or screens:
        yield tuple(dict.fromkeys((widget, *screens, LodeApp)))


def shared_keys(chain: Sequence[type[DOMNode]]) -> set[tuple[str, str]]:
    by_key: dict[str, dict[str, str]] = {}
    for node in chain:
        for binding in declared_bindings(node):
            if not binding.system:
                by_key.setdefault(binding.key, {}).setdefault(binding.action, name(node, binding))
    return {(first, second) for found in by_key.values() for first, second in combinations(sorted(found.values()), 2)}


def test_an_id_has_the_same_words_wherever_it_is() -> None:
    said: dict[str, set[str]] = {}
    for scope in SCOPES.values():
        for _, binding in bindings(scope):
            if binding.id:
                said.setdefault(binding.id, set()).add(binding.description)
    assert {each for each, words in said.items() if len(words) > 1} == set()
