"""Search bar of the reader: a field, the search for the cues that match, and how many they are."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import TypeAlias

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker

from tui.errors import LodeError, in_one_line
from tui.records.pages import MAX_SEARCH_LENGTH
from tui.text.display import count_of, number
from tui.widgets.chrome.notice import show_worker_error
from tui.widgets.forms.text_fields import LineField
from tui.widgets.transcript.cue_reader import CueReader

_TYPED_SECONDS = 0.1
"""Seconds after a key until it is searched, so that a word is searched once."""
FindCues: TypeAlias = Callable[[str], Awaitable[tuple[int, ...]]]
"""Function from what was typed to the indexes of the cues that match; raises ``LodeError``."""


@dataclass(frozen=True, slots=True)
class WordPlaces:
    """Forms of a word, and the cues that have one; ``is_whole``: all of them."""

    forms: Collection[str]
    cues: Collection[int]
    is_whole: bool


class FindBar(Horizontal):
    """Search bar; the cues that match as one types are underlined in the reader, which goes to one on enter."""

    _field = getters.query_one("#find-field", Input)

    def __init__(self, reader: CueReader, find: FindCues) -> None:
        super().__init__(id="find")
        self._reader = reader
        self._find = find
        self._hits = 0

    def compose(self) -> ComposeResult:
        yield Static(Content("/"), id="find-mark")
        yield LineField(limit=MAX_SEARCH_LENGTH, id="find-field")
        yield Static(id="find-count")

    @property
    def is_open(self) -> bool:
        return self.has_class("-open")

    def open(self) -> None:
        self.add_class("-open")
        self._field.focus()

    def show(self, query: str) -> None:
        """Show what a search from elsewhere finds here, while the text keeps the focus."""
        self.add_class("-open")
        with self.prevent(Input.Changed):
            self._field.value = query
        self.find(query, go=False)

    @work(exclusive=True, group="find", exit_on_error=False)
    async def find_word(self, word: str, places: WordPlaces) -> None:
        """Find the cues that have a word in any of its forms, and go to the next one; ``n`` and ``N`` go on."""
        query = f'"{word}"' if " " in word else f"{word} "  # a word that is finished stands for its forms
        try:
            found = tuple(places.cues) if places.is_whole else await self._find(query)
        except LodeError as error:
            self.notify(in_one_line(error), severity="error", markup=False)
            return
        self.add_class("-open")
        with self.prevent(Input.Changed):
            self._field.value = query
        self._hits = len(found)
        self._reader.set_hits(found, query, places.forms)
        self._reader.action_hit(1)
        self.show_count()

    def close(self) -> None:
        """Close the bar where it is open, and forget what was found; the text has the focus then."""
        if not self.is_open:
            return
        self.workers.cancel_group(self, "find")
        self._hits = 0
        self.remove_class("-open")
        with self.prevent(Input.Changed):
            self._field.value = ""
        self.query_one("#find-count", Static).update()
        self._reader.set_hits((), "")
        self._reader.focus()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.find(event.value, go=False)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.find(event.value, go=True)

    @work(exclusive=True, group="find", exit_on_error=False)
    async def find(self, query: str, *, go: bool) -> None:
        """Find the cues that match; ``go`` to the first of them."""
        if not go:
            await asyncio.sleep(_TYPED_SECONDS)
        try:
            found = await self._find(query) if query.strip() else ()
        except LodeError as error:
            self.notify(in_one_line(error), severity="error", markup=False)
            return
        self._hits = len(found)
        self._reader.set_hits(found, query)
        if go and found:
            self._reader.first_hit()
            self._reader.focus()
        self.show_count()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        show_worker_error(self, event)

    def show_count(self) -> None:
        """Say how many cues match, and which of them has the focus; nothing where the bar is closed."""
        if not self.is_open:  # a layout for each word that one goes to
            return
        hits, place = self._hits, self._reader.hit_number
        if not self._field.value.strip():
            said = ""
        elif not hits:
            said = "nothing found"
        elif place:
            said = f"{number(place)}/{number(hits)}"
        else:
            said = count_of(hits, "hit")
        if (count := self.query_one("#find-count", Static)).content != said:  # it has the screen laid out
            count.update(Content(said))
