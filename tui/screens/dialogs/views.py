"""Dialogs of views: save the filter of a list under a name, go to one that was saved, rename it, delete it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Literal

from rich.cells import cell_len
from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content

from tui.errors import LodeError, in_one_line
from tui.records.search import MAX_VIEW_NAME, View
from tui.records.search_fields import ViewList
from tui.screens.dialogs.list_choice import ListChoice
from tui.screens.dialogs.palette_entries import Command
from tui.screens.dialogs.questions import TextPrompt, ask_until_taken
from tui.screens.messages import OpenView
from tui.screens.section import SectionScreen
from tui.service.protocol import Service
from tui.text.cells import cut
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.themes import MUTED
from tui.widgets.forms.text_fields import LineField

_GAP = 2
Wish = tuple[Literal["open", "rename", "delete"], View]


def about(view: View) -> str:
    """Describe what a view shows: "clips · tag:verb state:new"."""
    return " · ".join(filter(None, (view.list, one_line(view.q), view.sort and f"by {one_line(view.sort)}")))


class ViewChoice(ListChoice[Wish]):
    """Dialog whose answer is a view and what is to become of it, None after esc; ``begin_at`` is the name of one."""

    WIDTH = 78
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "wish('rename')", show=False, priority=True),
        Binding("f8", "wish('delete')", show=False, priority=True),
    ]

    def __init__(self, service: Service, *, told: str = "", begin_at: str = "") -> None:
        super().__init__("Views", hint="reading …")
        self._service = service
        self._views: Sequence[View] = ()
        self._told = told
        self._begin_at = begin_at

    @work(exclusive=True, group="views", exit_on_error=False)
    async def read(self) -> None:
        try:
            self._views = await self._service.views.all()
        except LodeError as error:
            self.say(in_one_line(error), error=True)
            return
        self.refresh_list()
        none = "none yet: filter a list, then choose “Save this filter” among the commands · esc closes"
        self.set_hint("enter goes there · F2 renames · F8 deletes · esc closes" if self._views else none)
        if self._told:
            self.say(self._told)

    def listed(self, typed: str) -> Iterator[tuple[Wish, Content]]:
        words = typed.casefold().split()
        for view in self._views:
            if all(word in f"{view.name} {about(view)}".casefold() for word in words):
                yield ("open", view), self._entry(view)

    def first(self, typed: str) -> int:
        places = (number for number, (_, view) in enumerate(self.answers) if view.name == self._begin_at)
        return 0 if typed else next(places, 0)

    def _entry(self, view: View) -> Content:
        name = cut(one_line(view.name), self.entry_width)
        room = self.entry_width - cell_len(name) - _GAP
        return Content(name) + Content.styled(" " * _GAP + cut(about(view), max(0, room)), MUTED)

    def action_wish(self, what: Literal["rename", "delete"]) -> None:
        if (index := self.highlighted) is not None and index < len(self.answers):
            self.dismiss((what, self.answers[index][1]))


async def view_commands(app: App[Any], service: Service) -> list[Command]:
    """Commands that go to the views; none of a library that does not answer."""
    try:
        views = await service.views.all()
    except LodeError:
        return []
    return [
        Command(f"View: {one_line(each.name)}", about(each), "", partial(app.post_message, OpenView(each)))
        for each in views
    ]


async def choose_view(app: App[Any], service: Service) -> None:
    """Let a view be chosen, and go there; views may be renamed and deleted before that."""
    told = begin_at = ""
    while (wish := await app.push_screen_wait(ViewChoice(service, told=told, begin_at=begin_at))) is not None:
        told, begin_at = "", wish[1].name
        match wish:
            case "open", view:
                app.post_message(OpenView(view))
                return
            case "rename", view:
                prompt = partial(_NamePrompt, f"Rename the view {view.name}")
                renamed = await ask_until_taken(app, prompt, view.name, partial(service.views.rename, view.name))
                begin_at = begin_at if renamed is None else renamed.name
            case _, view:
                try:
                    await service.views.delete(view.name)
                    told = f"{view.name} deleted · {shown_key(app.screen, 'undo')} brings it back once this is closed"
                except LodeError as error:
                    told = in_one_line(error)


class _NamePrompt(TextPrompt):
    LIMIT = MAX_VIEW_NAME


class _FirstNamePrompt(_NamePrompt):
    """Prompt in which what is typed takes the place of the name that is proposed."""

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(LineField).select_all()


async def save_view(screen: SectionScreen, listed: ViewList, q: str, sort: str) -> None:
    """Ask for a name, and save the filter and the order of a list under it."""

    async def save(name: str) -> View:
        return await screen.service.views.save(View(name, listed, q, sort))

    prompt = partial(_FirstNamePrompt, f"Save this filter as a view: {about(View('', listed, q, sort))}")
    if (view := await ask_until_taken(screen.app, prompt, cut(one_line(q), MAX_VIEW_NAME), save)) is not None:
        palette = shown_key(screen, "palette")
        screen.say(f"view {view.name} saved" + (f" · {palette}, then its name, goes there" if palette else ""))
