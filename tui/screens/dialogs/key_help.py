"""Key help, the list that `?` shows: in groups, filtered with `/`, with the ids of the bindings on request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.screens.input_queue import AnswersOnce
from tui.screens.key_groups import KeyGroup
from tui.text.cells import fit
from tui.text.wrapping import wrap
from tui.widgets.chrome.scroll_panel import ScrollPanel
from tui.widgets.chrome.themes import MUTED
from tui.widgets.forms.text_fields import FilterBar

_GAP = 3
_LEAST = 30
"""Cells that a description must have before an id gets any."""
_FRAME = 7
"""Border, padding and scroll bar of the list."""


class KeysScreen(ModalScreen[None], AnswersOnce[None]):
    """List of keys; `/` filters it as it does every list, `i` shows the ids for the settings.

    enter goes on to the guides; esc, ? or q closes it. The frame keeps its size while it is filtered.
    """

    DEFAULT_CSS = """
    KeysScreen {
        align: center middle;
        background: $background 60%;
        ScrollPanel {
            min-width: 58; max-width: 100%; height: auto; max-height: 100%;
            padding: 0 2; background: $surface; scrollbar-size-vertical: 1;
            border: round $foreground 35%; border-subtitle-color: $text-muted; border-subtitle-align: left;
        }
        ScrollPanel:focus { border: round $foreground 35%; }
        Static { width: auto; height: auto; }
        FilterBar { margin: 0 0 1 0; background: $surface; border-left: outer $surface; }
        FilterBar:focus { background: $surface; }
    }
    """
    AUTO_FOCUS = "ScrollPanel"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("question_mark,f1,q,ctrl+c", "dismiss(None)", "close", show=False),
        Binding("slash", "filter", show=False, priority=True),
        Binding("i", "ids", show=False),
        Binding("enter", "guides", show=False),
    ]

    def __init__(self, groups: Sequence[KeyGroup]) -> None:
        super().__init__()
        self._groups = groups
        self._q = ""
        self._has_ids = False

    def compose(self) -> ComposeResult:
        with ScrollPanel():
            yield Static()

    def on_resize(self, event: events.Resize) -> None:
        self._scroll.styles.height = "auto"
        self._write()

    @property
    def _scroll(self) -> ScrollPanel:
        return self.query_one(ScrollPanel)

    def _write(self) -> None:
        width = self.app.size.width - _FRAME
        text = _written(self._groups, _fitting(self._groups, self._q), width, self._has_ids)
        self.query_one(Static).update(text)
        # Not "auto": Textual adds the scroll bar in a second layout, and the frame would widen before one's eyes.
        self._scroll.styles.width = _widest(text.plain.split("\n")) + _FRAME
        ids = "hides the ids" if self._has_ids else "shows the ids"
        self._scroll.border_subtitle = f"/ filter · i {ids} · esc closes · ⏎ guides"

    # The filter.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "filter":
            return not isinstance(self.focused, FilterBar)  # in the filter itself it is a letter
        return super().check_action(action, parameters)

    def action_filter(self) -> None:
        bars = self.query(FilterBar)
        bar = bars.first() if bars else FilterBar()
        if not bars:
            self._scroll.styles.height = self._scroll.outer_size.height
            self._scroll.mount(bar, before=0)
        self.set_focus(bar)

    def on_filter_bar_filtered(self, event: FilterBar.Filtered) -> None:
        self._q = event.q
        self._write()
        self._scroll.scroll_home(animate=False)

    def on_filter_bar_closed(self, event: FilterBar.Closed) -> None:
        self.set_focus(self._scroll)
        if not event.kept:
            self._remove_filter()

    def _remove_filter(self) -> None:
        self.query(FilterBar).remove()
        self._scroll.styles.height = "auto"
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

    def action_ids(self) -> None:
        self._has_ids = not self._has_ids
        self._write()


def _fitting(groups: Sequence[KeyGroup], q: str) -> list[KeyGroup]:
    """Entries that have every word of ``q`` in their description, their keys, their id or their group's title."""
    words = q.casefold().split()
    found = []
    for group in groups:
        entries = tuple(
            entry
            for entry in group.entries
            if all(
                word in f"{group.title} {entry.keys} {entry.name} {entry.does} {entry.id}".casefold() for word in words
            )
        )
        if entries:
            found.append(replace(group, entries=entries))
    return found


def _written(every: Sequence[KeyGroup], groups: Sequence[KeyGroup], width: int, with_ids: bool) -> Content:
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
