"""Transcript view: draws the cues in sight, and reads them, their words and the states of these as they come there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, work
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.worker import Worker

from tui.errors import LodeError
from tui.records.transcripts import Cue
from tui.widgets.chrome.worker_errors import show_worker_error
from tui.widgets.transcript.cue_focus import CueFocus
from tui.widgets.transcript.cue_lines import OVERLAYS, STYLE_NAMES, CueLines, Styles
from tui.widgets.transcript.cue_pages import CuePages
from tui.widgets.transcript.search_hits import CueHits
from tui.widgets.transcript.viewport import CueView
from tui.widgets.transcript.word_states import WordStatePages

_WHEEL_LINES = 3


class TranscriptView(Widget):
    """View of a transcript's cues around a focus, which subclasses move; ``ReadFailed`` is sent where it can't be read.

    The time stands in a column at the left where there are times.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"cue-reader--{name}" for name in (*STYLE_NAMES, *OVERLAYS)}

    @dataclass(eq=False)
    class ReadFailed(Message):
        """Sent when the cues could not be read."""

        error: LodeError

    def __init__(self) -> None:
        super().__init__()
        self._cues = CuePages()
        self._states = WordStatePages()
        self._reading: Worker[None] | None = None
        self._reading_states: Worker[None] | None = None
        self._view = CueView(self._cues.cue)
        self._lines = CueLines(self._view)
        self.cue_focus = CueFocus()
        self._follows = True
        self._styles: Styles | None = None

    def _show(self, cues: CuePages, states: WordStatePages, *, language: str | None, duration_ms: int | None) -> None:
        """Show other cues from now on; ``duration_ms`` None: they have no times."""
        self.workers.cancel_group(self, "cues")
        self.workers.cancel_group(self, "states")
        self._cues, self._states = cues, states
        self._reading = self._reading_states = None
        shows_readings = self._view.shows_readings
        self._view = CueView(cues.cue, cues.words)
        self._view.shows_readings = shows_readings
        self._view.language, self._view.total = language, cues.total
        self._lines = CueLines(self._view, duration_ms, states.tints)

    # What a subclass knows of its focus.

    @abstractmethod
    def _follow_focus(self) -> bool:
        """Scroll to the focus if it is followed; whether anything moved."""

    @abstractmethod
    def _next_page(self) -> int | None:
        """Number of the page of cues to read next."""

    @abstractmethod
    def _arrived(self) -> None:
        """Take up cues that have been read."""

    @property
    def shows_readings(self) -> bool:
        """Whether readings stand behind the characters that they read."""
        return self._view.shows_readings

    @shows_readings.setter
    def shows_readings(self, shown: bool) -> None:
        self._view.shows_readings = shown
        self._follow_focus()
        self.refresh()

    @property
    def has_readings(self) -> bool:
        """Whether any of the cues at hand has a reading."""
        return self._cues.has_readings

    # What is shown beside the text.

    def set_hits(self, cues: Sequence[int], query: str) -> None:
        """Set the cues that match a search, in order; what matches is underlined. ``n`` and ``N`` go through them."""
        self._lines.hits = CueHits(cues, query)
        self.refresh()

    def show_translations(self, translation_of: Callable[[Cue], str] | None) -> None:
        """Show what this says of each cue below its text (None: no longer), the eye on the same word."""
        self._view.show_translations(translation_of)
        self._follows = True
        self._follow_focus()
        self.read_missing()
        self.refresh()

    def set_cues_with_clips(self, cues: Collection[int]) -> None:
        """Set the cues that have clips: a quiet sign stands before each."""
        if (cues_with_clips := frozenset(cues)) != self._lines.cues_with_clips:
            self._lines.cues_with_clips = cues_with_clips
            self.refresh()

    # Reading.

    def read_missing(self) -> None:
        """Read the cues in sight that are not at hand, unless that is going on."""
        if (self._reading is None or self._reading.is_finished) and self._next_page() is not None:
            self._reading = self._read()
        if (self._reading_states is None or self._reading_states.is_finished) and self._next_states() is not None:
            self._reading_states = self._read_states()

    @work(group="cues", exit_on_error=False)
    async def _read(self) -> None:
        try:
            while (number := self._next_page()) is not None:
                await self._cues.read(number)
                self._arrived()
        except LodeError as error:
            self.post_message(self.ReadFailed(error))

    def read_states_anew(self) -> Worker[None] | None:
        """Read the states of the words again, by this worker; those that are shown stay until then."""
        self._states.expire()
        self.read_missing()
        return self._reading_states

    def _next_states(self) -> int | None:
        """Number of the next page of states to read: of what is in sight, and at hand."""
        rows = self._view.rows()
        if not rows or self._cues.cue(rows[0].cue) is None:
            return None
        return self._states.next_page(rows[0].cue, rows[-1].cue)

    @work(group="states", exit_on_error=False)
    async def _read_states(self) -> None:
        while (number := self._next_states()) is not None:
            if await self._states.read(number, self._cues.total):
                self.refresh()
            self._states_arrived()

    def _states_arrived(self) -> None:
        """Take up states of words that have been read."""

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        show_worker_error(self, event)

    # Drawing.

    def on_resize(self) -> None:
        self._view.resize(self.size.width - self._lines.text_column - 1, self.size.height)
        self._follow_focus()
        self.read_missing()
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        self._styles = None
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        if self._styles is None:
            styles = {name: self.get_component_rich_style(f"cue-reader--{name}") for name in STYLE_NAMES}
            for name in OVERLAYS:
                styles[name] = self.get_component_rich_style(f"cue-reader--{name}", partial=True)
            self._styles = {"plain": self.rich_style, **styles}
        return self._lines.strip(y, self.cue_focus, self._styles, self.size.width)

    # The mouse.

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, _WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -_WHEEL_LINES)

    def _wheel(self, event: events.MouseEvent, lines: int) -> None:
        """Scroll while the focus stays on its word; the next step brings it back into sight."""
        event.stop()
        self._follows = False
        if self._view.scroll(lines):
            self.refresh()
            self.read_missing()
