"""Dialog of how a list is shown: what it is sorted by and, in further tabs, which columns and groups it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from tui.records.sorting import MAX_SORTED, Sort
from tui.screens.dialogs.questions import Dialog
from tui.screens.looks import ListLook
from tui.text.display import number
from tui.widgets.chrome.themes import MUTED
from tui.widgets.table.columns import Column

_TABS = ("Sort", "Columns", "Groups")
_GAP = 3
_HINTS = (
    "enter sorts, again turns it over · tab columns · esc closes",
    "space shows or hides · tab on · esc closes",
    "enter puts headings between the rows · tab sort · esc closes",
)


@dataclass(frozen=True, slots=True)
class SortEntry:
    """Order that can be chosen: its name, whether it goes down by itself, what comes first so and turned over, and why
    it can't be chosen ("": it can).
    """

    column: str
    title: str
    goes_down: bool
    first: tuple[str, str]
    refusal: str = ""


def first_of(column: Column[Any], *, goes_down: bool) -> tuple[str, str]:
    """Words for what comes first in a column's own order, and in that turned over."""
    if column.ages:
        return "newest first", "oldest first"
    if column.align == "right":
        return ("largest first", "smallest first") if goes_down else ("smallest first", "largest first")
    return "a to z", "z to a"


TOO_MANY = f"not of more than {number(MAX_SORTED)} rows"


class ListLookChoice(Dialog[ListLook]):
    """Dialog whose answer is how the list is to look, after esc too: what was hidden so far is hidden then."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "close", show=False),
        Binding("tab", "tab(1)", show=False, priority=True),
        Binding("shift+tab", "tab(-1)", show=False, priority=True),
        Binding("enter,s", "take", show=False, priority=True),
        Binding("space", "turn", show=False, priority=True),
        Binding("j,down", "step(1)", show=False, priority=True),
        Binding("k,up", "step(-1)", show=False, priority=True),
        Binding("g,home", "go(0)", show=False, priority=True),
        Binding("G,end", "go(-1)", show=False, priority=True),
    ]

    def __init__(
        self,
        look: ListLook,
        sort: Sort,
        orders: Sequence[SortEntry],
        columns: Sequence[Column[Any]],
        groups: Mapping[str, str],
    ) -> None:
        """``sort`` is the order that the list is in, ``groups`` are what its rows can be grouped by, each with the
        column that it is then sorted by.
        """
        super().__init__()
        self._look = look if look.group in groups else replace(look, group="")
        self._sort = sort
        self._orders = orders
        self._columns = columns
        self._groups = {"": "", **groups}
        self._tabs = _TABS if groups else _TABS[:2]
        self._tab = 0
        self._hint = _HINTS[0]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield Static(classes="dialog-question")
            entries = OptionList(markup=False, compact=True)
            entries.can_focus = False
            entries.styles.height = max(len(self._orders), len(self._columns))  # as high in every tab
            yield entries
            yield Static(Content(self._hint), classes="dialog-hint")

    def on_mount(self) -> None:
        places = (place for place, each in enumerate(self._orders) if each.column == self._sort.column)
        self._fill(next(places, 0))

    def _fill(self, highlighted: int) -> None:
        here = self._tabs[self._tab]
        tabs = [Content.styled(name, "bold $accent" if name == here else MUTED) for name in self._tabs]
        self.query_one(".dialog-question", Static).update(Content("   ").join(tabs))
        entries = self.query_one(OptionList)
        entries.set_options((self._sort_lines, self._column_lines, self._group_lines)[self._tab]())
        entries.highlighted = highlighted
        self._hint = _HINTS[self._tab]
        self.say("")

    def _sort_lines(self) -> list[Content]:
        width = max(cell_len(each.title) for each in self._orders) + _GAP
        lines = []
        for each in self._orders:
            is_chosen = each.column == self._sort.column
            is_turned = is_chosen and self._sort.is_turned
            sign = "" if not is_chosen else "●" if not each.column else "▼" if each.goes_down != is_turned else "▲"
            told = each.refusal or each.first[is_turned]
            title = each.title + " " * (width - cell_len(each.title))
            lines.append(Content(f"{sign:2}{title}") + Content.styled(told, MUTED))
        return lines

    def _column_lines(self) -> list[Content]:
        return [
            Content(f"✓ {each.title}") if self._look.shows(each) else Content.styled(f"  {each.title}", MUTED)
            for each in self._columns
        ]

    def _group_lines(self) -> list[Content]:
        return [Content(f"{'●' if each == self._look.group else ' '} {each or 'no groups'}") for each in self._groups]

    def action_step(self, step: int) -> None:
        entries = self.query_one(OptionList)
        if entries.option_count:
            entries.highlighted = ((entries.highlighted or 0) + step) % entries.option_count

    def action_go(self, place: int) -> None:
        entries = self.query_one(OptionList)
        entries.highlighted = place % max(1, entries.option_count)

    def action_tab(self, step: int) -> None:
        self._tab = (self._tab + step) % len(self._tabs)
        self._fill(list(self._groups).index(self._look.group) if self._tab == 2 else 0)

    def action_turn(self) -> None:
        place = self.query_one(OptionList).highlighted
        if self._tab == 2:
            self.action_take()
        if self._tab != 1 or place is None:
            return
        title, turned = self._columns[place].title, self._look.turned
        if place == 0:
            self.say(f"{title} stays: a row has to be told from another", error=True)
            return
        others = tuple(each for each in turned if each != title)
        self._look = replace(self._look, turned=others if title in turned else (*others, title))
        self._fill(place)

    def action_take(self) -> None:
        place = self.query_one(OptionList).highlighted
        if self._tab == 1 or place is None:
            self.action_close()
            return
        if self._tab == 2 and place and any(each.refusal for each in self._orders):
            self.say(f"groups: {TOO_MANY} · filter it first", error=True)
            return
        if self._tab == 2:
            group, column = list(self._groups.items())[place]
            sort = self._sort if column in ("", self._sort.column) else Sort(column)
            self.dismiss(replace(self._look, group=group, sort=sort))
            return
        entry = self._orders[place]
        if entry.refusal:
            self.say(f"{entry.title}: {entry.refusal} · filter it first", error=True)
            return
        is_again = bool(entry.column) and entry.column == self._sort.column
        sort = Sort(entry.column, is_again and not self._sort.is_turned)
        group = self._look.group if self._groups.get(self._look.group) == entry.column else ""
        self.dismiss(replace(self._look, sort=sort, group=group))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self._tab == 1:
            self.action_turn()
        else:
            self.action_take()

    def action_close(self) -> None:
        self.dismiss(self._look)
