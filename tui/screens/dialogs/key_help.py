"""Key help, the list that `?` shows: the basic keys, all of them behind `tab`, in groups, filtered with `/`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen

from tui.screens.dialogs.panels import TextPanel
from tui.text.cells import fit
from tui.text.sanitize import one_line
from tui.text.wrapping import wrap
from tui.widgets.chrome.key_line import declared_bindings, ordered_bindings
from tui.widgets.chrome.themes import MUTED
from tui.widgets.forms.text_fields import FilterBar

_GAP = 3
_LEAST = 30
"""Cells that a description must have before an id gets any."""
_FRAME = 7
"""Border, padding and scroll bar of the list."""
_BASIC = frozenset(
    {
        *("keys", "palette", "find.anything", "labels", "undo", "quit", "table.down", "table.up", "table.mark"),
        *("list.back", "filter.keep", "reader.next_cue", "reader.previous_cue", "reader.next_word"),
        *("reader.previous_word", "reader.play", "reader.back", "breakdown.back", "clip_form.back"),
        *("log.down", "log.up", "overview.down", "overview.up"),
    }
)
"""Ids of the basic keys that the line below does not name; those that it names are basic too."""


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

    @property
    def is_basic(self) -> bool:
        """Whether it is of the keys that one starts with."""
        return self.shown or self.id in _BASIC


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
        KeyGroup(
            _title(node), node, tuple(entry_of(screen.app, does, bindings) for (_, does), bindings in found.items())
        )
        for node, found in groups.items()
    )


def entry_of(app: App[Any], does: str, bindings: Sequence[Binding]) -> KeyEntry:
    """Make one entry of the bindings of one action."""
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


class KeysScreen(TextPanel[None]):
    """List of keys, at first the basic ones; `tab` shows all, `i` the ids for the settings.

    `/` filters all of them, as it does every list. enter goes on to the guides; esc, ? or q closes it. The frame keeps
    its size while it is filtered.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("question_mark,f1", "dismiss(None)", "close", show=False),
        Binding("slash", "filter", show=False, priority=True),
        Binding("tab,shift+tab", "all", show=False, priority=True),
        Binding("i", "ids", show=False),
        Binding("enter", "guides", show=False),
    ]

    def __init__(self, groups: Sequence[KeyGroup]) -> None:
        super().__init__()
        self._groups = groups
        self._q = ""
        self._has_ids = False
        self._has_all = False

    def on_resize(self, event: events.Resize) -> None:
        self.scroll.styles.height = "auto"
        self._write()

    def _write(self) -> None:
        width = self.app.size.width - _FRAME
        shown = _fitting(self._groups, self._q)
        if not self._q and not self._has_all:
            shown = _basic(self._groups)
        text = _lay_out(self._groups, shown, width, self._has_ids)
        self.write(text)
        # Not "auto": Textual adds the scroll bar in a second layout, and the frame would widen before one's eyes.
        self.scroll.styles.width = _widest(text.plain.split("\n")) + _FRAME
        rest = "fewer" if self._has_all else "all"
        self.scroll.border_subtitle = f"tab {rest} · / filter · i ids · ⏎ guides · esc closes"

    # The filter.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "filter":
            return not isinstance(self.focused, FilterBar)  # in the filter itself it is a letter
        return super().check_action(action, parameters)

    def action_filter(self) -> None:
        if not self.query(FilterBar):
            self.scroll.styles.height = self.scroll.outer_size.height
            self.scroll.mount(FilterBar(), before=0)
        self.set_focus(self.query_one(FilterBar))

    def on_filter_bar_filtered(self, event: FilterBar.Filtered) -> None:
        self._q = event.q
        self._write()
        self.scroll.scroll_home(animate=False)

    def on_filter_bar_closed(self) -> None:
        self.set_focus(self.scroll)
        if not self._q:
            self._remove_filter()

    def _remove_filter(self) -> None:
        self.query(FilterBar).remove()
        self.scroll.styles.height = "auto"
        self._q = ""
        self._write()

    def action_back(self) -> None:
        """Close the nearest thing: the filter, the list."""
        if self.query(FilterBar):
            self._remove_filter()
        else:
            self.dismiss(None)

    def action_guides(self) -> None:
        self.dismiss(None)
        self.app.call_later(self.app.run_action, "guides")

    def action_all(self) -> None:
        """Show all keys, or the basic ones again."""
        self._has_all = not self._has_all
        if not self.query(FilterBar):
            self.scroll.styles.height = "auto"
        self._write()
        self.scroll.scroll_home(animate=False)

    def action_ids(self) -> None:
        self._has_ids = not self._has_ids
        self._write()


def _basic(groups: Sequence[KeyGroup]) -> list[KeyGroup]:
    """Basic keys of each group that has some."""
    found = [replace(each, entries=tuple(entry for entry in each.entries if entry.is_basic)) for each in groups]
    return [each for each in found if each.entries]


def _fitting(groups: Sequence[KeyGroup], q: str) -> list[KeyGroup]:
    """Entries that have every word of ``q`` in their description, their keys, their id or their group's title."""
    words = q.casefold().split()
    found = []
    for group in groups:
        texts = {each: f"{group.title} {each.keys} {each.name} {each.does} {each.id}" for each in group.entries}
        entries = [each for each, text in texts.items() if all(word in text.casefold() for word in words)]
        if entries:
            found.append(replace(group, entries=tuple(entries)))
    return found


def _lay_out(every: Sequence[KeyGroup], groups: Sequence[KeyGroup], width: int, with_ids: bool) -> Content:
    """Text of ``groups`` in ``width`` cells, in the columns that ``every`` group needs.

    Keys, what they do and, where they are wanted, the ids: below it where they have no room beside it.
    """
    entries = [entry for group in every for entry in group.entries]
    keys = _widest(entry.keys for entry in entries) + _GAP
    ids = _widest(entry.id for entry in entries) if with_ids else 0
    does = _widest(entry.does for entry in entries)
    room = width - keys - _GAP - ids
    beside = bool(ids) and room >= min(does, _LEAST)
    does = min(does, room if beside else width - keys)
    lines: list[Content] = []
    for group in groups:
        if lines:
            lines.append(Content(""))
        lines.append(Content.styled(group.title, "bold $accent"))
        for entry in group.entries:
            for number, (first, last) in enumerate(wrap(entry.does, does)):
                line = Content.styled(fit("" if number else entry.keys, keys), "$foreground")
                line += Content.styled(fit(entry.does[first:last], does), MUTED)
                if beside and not number:
                    line += Content.styled(" " * _GAP + entry.id, "auto 38%")
                lines.append(line)
            if ids and not beside and entry.id:
                lines.append(Content.styled(" " * keys + fit(entry.id, does), "auto 38%"))
    if not groups:
        lines.append(Content.styled(fit("nothing matches, esc clears", keys + does), MUTED))
    if with_ids:
        lines += [Content(""), Content.styled(fit("ids: for [keys] in config.toml", keys + does), "auto 38%")]
    return Content("\n").join(lines)


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)
