"""Which profile of the library is worked in: one of those there are, or a new one by its name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.cells import cell_len
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from tui.cells import fit
from tui.config import check_profile
from tui.controls import one_line
from tui.errors import InvalidInput, LodeError
from tui.formats import count_of
from tui.records import ProfileSummary
from tui.screens.dialogs import Dialog
from tui.service.protocol import Service
from tui.widgets.text_fields import LineField
from tui.widgets.themes import MUTED

_MOST = 200
"""Entries listed at once: every one is measured."""
_NAME_CELLS = 28
_HINT = "enter goes there · another name makes a new one · esc stays"


class ProfileChoice(Dialog[str | None]):
    """The name of a profile, None after esc; that of ``service`` is marked, ``visited`` are listed even while empty.

    A profile comes into being with the first thing that is written to it, so a name that nothing has is one too.
    """

    DEFAULT_CSS = """
    ProfileChoice OptionList {
        height: 8; margin: 1 0; padding: 0; border: none; background: $surface;
        scrollbar-size-vertical: 1; text-wrap: nowrap; text-overflow: ellipsis;
        & > .option-list--option-highlighted { color: $background; background: $accent; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "dismiss(None)", show=False),
        Binding("down", "highlight(1)", show=False, priority=True),
        Binding("up", "highlight(-1)", show=False, priority=True),
        Binding("pagedown", "highlight(8)", show=False, priority=True),
        Binding("pageup", "highlight(-8)", show=False, priority=True),
    ]

    def __init__(self, service: Service, visited: Iterable[str] = ()) -> None:
        super().__init__()
        self._service = service
        self._profiles = {name: ProfileSummary(name, 0, 0, 0) for name in (*visited, service.profile)}
        self._listed: list[str] = []
        self._is_read = False
        self._entered = False
        """Enter was pressed before the list was there, which says what the letters before it mean."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield Static(Content("Profiles"), classes="dialog-question")
            yield LineField(placeholder="type to narrow the list, or a new name", classes="dialog-field")
            choices = OptionList(markup=False, compact=True)
            choices.can_focus = False
            yield choices
            yield Static(Content(_HINT), classes="dialog-hint")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(LineField))  # at once: what is typed ahead must find it
        self.read_profiles()

    @work(exclusive=True, group="profiles", exit_on_error=False)
    async def read_profiles(self) -> None:
        try:
            found = await self._service.profiles()
        except LodeError as error:
            self._say(f"{error.message} · {error.hint}" if error.hint else error.message, error=True)
        else:
            self._profiles |= {each.name: each for each in found}
        self._is_read = True
        self._list()
        if self._entered:
            self._choose()

    # The list.

    def _list(self) -> None:
        typed = self.query_one(Input).value.strip()
        low = typed.casefold()
        found = [each for each in self._profiles.values() if low in each.name.casefold()]
        found.sort(
            key=lambda each: (each.name != typed, not each.name.casefold().startswith(low), each.name.casefold())
        )
        left_out = len(found) - _MOST
        found = found[:_MOST]
        self._listed = [each.name for each in found]
        widest = min(_NAME_CELLS, max((cell_len(one_line(each.name)) for each in found), default=0))
        entries = [self._entry(each, widest) for each in found]
        if left_out > 0:
            entries.append(Content.styled(f"  … and {left_out} more: type to narrow the list", MUTED))
        elif typed and typed not in self._listed and _is_name(typed):
            self._listed.append(typed)
            entries.append(Content(f"+ {typed}") + Content.styled("  a new profile", MUTED))
        choices = self.query_one(OptionList)
        choices.set_options(entries)
        here = self._service.profile
        first = self._listed.index(here) if not typed and here in self._listed else 0
        choices.highlighted = first if self._listed else None

    def _entry(self, profile: ProfileSummary, widest: int) -> Content:
        name = one_line(profile.name)
        has = (
            (profile.files, "file"),
            (profile.transcripts, "transcript"),
            (profile.clips, "clip"),
        )
        counts = " · ".join(count_of(count, noun) for count, noun in has if count) or "empty"
        mark = "● " if profile.name == self._service.profile else "  "
        padded = name if cell_len(name) > widest else fit(name, widest)
        return Content(f"{mark}{padded}  ") + Content.styled(counts, MUTED)

    def action_highlight(self, step: int) -> None:
        choices = self.query_one(OptionList)
        if not self._listed:
            return
        last = len(self._listed) - 1
        here = choices.highlighted or 0
        choices.highlighted = (here + step) % (last + 1) if abs(step) == 1 else min(max(0, here + step), last)

    def _say(self, message: str, *, error: bool = False) -> None:
        hint = self.query_one(".dialog-hint", Static)
        hint.update(Content(one_line(message)))
        hint.set_class(error, "-error")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._is_read:
            self._list()
            self._say(_HINT)

    # The answer.

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._is_read:
            self._choose()
        else:
            self._entered = True

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_index < len(self._listed):
            self.dismiss(self._listed[event.option_index])

    def _choose(self) -> None:
        self._entered = False
        highlighted = self.query_one(OptionList).highlighted
        if highlighted is not None and highlighted < len(self._listed):
            self.dismiss(self._listed[highlighted])
            return
        try:
            check_profile(self.query_one(Input).value.strip())
        except InvalidInput as error:
            self._say(f"{error.message}: {error.hint}", error=True)


def _is_name(typed: str) -> bool:
    try:
        check_profile(typed)
    except InvalidInput:
        return False
    return True
