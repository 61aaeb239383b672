"""Cue reader: steps through a transcript word by word; only what is in sight is read and laid out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Region
from textual.message import Message

from tui.records.transcripts import Cue
from tui.records.words import TextWord
from tui.widgets.transcript.bindings import READER_KEYS
from tui.widgets.transcript.cue_focus import CueFocus
from tui.widgets.transcript.cue_lines import LINES_CSS, PlaceInCue
from tui.widgets.transcript.cue_pages import CuePages, FetchCues, FetchWords
from tui.widgets.transcript.focused_text import FocusedText, focused_text
from tui.widgets.transcript.one_sentence import OneSentence
from tui.widgets.transcript.transcript_view import TranscriptView
from tui.widgets.transcript.word_states import FetchStates, WordStatePages


class CueReader(TranscriptView, can_focus=True):
    """Reader of a transcript's cues: ``open`` shows one; ``WordFocused`` is sent with every step, ``Chosen`` on enter.

    Nothing moves but the marks, until a step comes near the edge.
    """

    BINDING_GROUP_TITLE = "Reader"
    DEFAULT_CSS = LINES_CSS
    BINDINGS: ClassVar[list[BindingType]] = READER_KEYS

    class WordFocused(Message):
        """Sent when the focus moved to another word or cue, or was extended."""

    class StatesRead(Message):
        """Sent when states of words in sight were read."""

    class Chosen(Message):
        """Sent when enter was pressed on a cue."""

    def __init__(self) -> None:
        super().__init__()
        self._one_sentence = OneSentence(self._view)
        self._target: tuple[int, PlaceInCue] | None = None
        self._is_led = False

    def open(
        self,
        fetch: FetchCues,
        total: int,
        *,
        language: str | None,
        duration_ms: int | None,
        cue: int = 0,
        word: PlaceInCue = 0,
        fetch_words: FetchWords | None = None,
        fetch_states: FetchStates | None = None,
        one_sentence: bool = False,
    ) -> None:
        """Show a transcript of ``total`` cues with the eye on a cue's word; ``duration_ms`` None: it has no times.

        ``one_sentence``: with the focus on the whole sentence there.
        """
        cues = CuePages(fetch, total, fetch_words=fetch_words)
        self._show(cues, WordStatePages(fetch_states), language=language, duration_ms=duration_ms)
        self._one_sentence = OneSentence(self._view, is_on=one_sentence)
        self.cue_focus, self._target, self._is_led = CueFocus(), None, False
        self.on_resize()
        self._go_to(cue, word)

    # What is under the eye.

    @property
    def cue(self) -> Cue | None:
        """Focused cue, None until it has been read."""
        return self._cues.cue(self.cue_focus.cue)

    @property
    def cue_index(self) -> int:
        return self._target[0] if self._target is not None else self.cue_focus.cue

    @property
    def word_index(self) -> int:
        return self.cue_focus.word or 0

    @property
    def focused(self) -> FocusedText | None:
        """What is under the eye, None until its cue has been read."""
        return focused_text(self.cue_focus, self._cues.cue, self._view.layout, self._view.language)

    @property
    def is_one_sentence(self) -> bool:
        """Whether the focus is on whole sentences."""
        return self._one_sentence.is_on

    @property
    def focus_text(self) -> str:
        """Focused words, "" where the cue has none."""
        focused = self.focused
        return focused.focus if focused is not None else ""

    @property
    def word_start(self) -> int:
        """Code point at which the word under the eye begins in its cue, -1 where there is none."""
        layout, number = self._view.layout(self.cue_focus.cue), self.cue_focus.word
        return -1 if layout is None or number is None else layout.words[number].start

    def state_at(self, cue: int, start: int) -> TextWord | None:
        """The word at a code point of a cue with its lemma and its state, None until that has been read."""
        found = self._states.words(cue)
        return next((word for word in found if word.start <= start < word.end), None)

    @property
    def sentence_parts(self) -> tuple[tuple[int, int, int], ...]:
        """Parts of the focused cue or sentence: a cue each, and the code points at which it begins and ends there."""
        if (sentence := self.cue_focus.sentence) is None:
            return ((self.cue_focus.cue, 0, sys.maxsize),)
        return tuple((part.cue, part.start, part.end) for part in sentence.parts)

    def states_in(self, parts: Iterable[tuple[int, int, int]]) -> tuple[TextWord, ...]:
        """The words in parts of cues with their states, as far as these have been read."""
        return tuple(
            word
            for cue, start, end in parts
            for word in self._states.words(cue)
            if word.start < end and word.end > start
        )

    def _states_arrived(self) -> None:
        if self.cue is not None:
            self.post_message(self.StatesRead())

    # Steps.

    def action_choose(self) -> None:
        if self.cue is not None:
            self.post_message(self.Chosen())

    def action_cue(self, step: int) -> None:
        cue, word = self.cue_index + step, 0
        if self._target is None:
            cue, word = self._one_sentence.sentence_step(self.cue_focus, step)
        if 0 <= cue < self._view.total:
            self._go_to(cue, word)

    def action_word(self, step: int) -> None:
        focus = self.cue_focus
        if self._target is not None or self._view.layout(focus.cue) is None:
            return
        cue, word = self._one_sentence.word_step(focus, step)
        if word is not None and self._one_sentence.contains(focus, cue, word):
            self._change(replace(focus, cue=cue, word=word))
        elif 0 <= cue < self._view.total and focus.anchor is None:
            self._go_to(cue, word if word is not None else "first" if step > 0 else "last")

    def action_extend(self) -> None:
        self._change(self.cue_focus.extension_toggled())

    def action_mark(self) -> None:
        self._change(self.cue_focus.mark_toggled(self._one_sentence.word_count))

    def drop_extension(self) -> None:
        self._change(self.cue_focus.collapsed())

    def action_context(self, before: int, after: int) -> None:
        self._change(self.cue_focus.with_context(before, after, self._view.total))

    def toggle_one_sentence(self) -> None:
        """Put the focus on whole sentences, across cues or inside of one, or on cues again."""
        self._one_sentence.is_on = not self._one_sentence.is_on
        self._change(self.cue_focus, is_led=self._is_led)

    def action_no_context(self) -> None:
        self._change(replace(self.cue_focus, before=0, after=0))

    def action_edge(self, end: int) -> None:
        self._go_to(self._view.total - 1 if end else 0, "first")

    def action_pages(self, pages: float) -> None:
        """Step and scroll together by a part of the height, so that the eye stays where it is on the screen."""
        rows = self._view.rows()
        place = next((number for number, row in enumerate(rows) if row.cue == self.cue_focus.cue), 0)
        lines = round(pages * max(2, self._view.height - (2 if abs(pages) == 1 else 0)))
        moved = self._view.scroll(lines)
        rows = self._view.rows()
        before = self.cue_focus.cue
        if moved and rows:
            self.refresh()
            cue = rows[max(0, min(place, len(rows) - 1))].cue
            self._go_to(cue if (cue - before) * lines > 0 else before + (1 if lines > 0 else -1), "first")
        else:
            self.action_edge(1 if lines > 0 else 0)

    @property
    def hit_number(self) -> int:
        """Number of the hit that the focused cue is, from 1; 0 when it is none."""
        return self._lines.hits.number(self.cue_index)

    def first_hit(self) -> None:
        """Go to the first hit from here on."""
        if (cue := self._lines.hits.following(self.cue_index, inclusive=True)) is not None:
            self._go_to(cue, "hit")

    def go_to_cue(self, index: int, word: PlaceInCue = "first") -> None:
        """Go to a word of a cue."""
        self._go_to(index, word)

    def action_hit(self, step: int) -> None:
        here = self.cue_index
        if (cue := self._lines.hits.following(here) if step > 0 else self._lines.hits.preceding(here)) is not None:
            self._go_to(cue, "hit")

    def lead_to(self, cue: int) -> bool:
        """Go to a cue that nobody chose by hand, unless the eye is in it; False where none can be gone to yet."""
        if cue != self.cue_index or not self._is_led:
            self._go_to(cue, "first", is_led=True)
        return self._is_led

    @property
    def is_led(self) -> bool:
        """Whether nothing was moved by hand since ``lead_to``, the wheel included."""
        return self._is_led and self._follows

    def _go_to(self, cue: int, word: PlaceInCue, *, is_led: bool = False) -> None:
        """Go to a cue's word; one that is not at hand is read first, and further steps count from there."""
        if not self._view.total:
            return
        self._is_led = is_led
        cue = max(0, min(cue, self._view.total - 1))
        layout = self._view.layout(cue)
        if layout is None:
            self._target = (cue, word)
            self.read_missing()
            return
        self._target = None
        index = self._lines.word_index(layout, word)
        if cue == self.cue_focus.cue and self.cue_focus.word is not None:
            self._change(replace(self.cue_focus.collapsed(), word=index), is_led=is_led)
        else:
            self._change(CueFocus(cue, index), is_led=is_led)

    def _change(self, focus: CueFocus, *, is_led: bool = False) -> None:
        """Take up a new focus, and repaint the rows whose marks it changes; all of them only where it scrolls."""
        self._is_led = is_led
        old, self.cue_focus = self.cue_focus, self._one_sentence.focused(focus)
        self._follows = True
        if self._follow_focus():
            self.refresh()
        else:
            rows = self._lines.changed(old, self.cue_focus)
            changed = [Region(0, number, self.size.width, 1) for number in rows]
            if changed:
                self.refresh(*changed)
        self.read_missing()
        if self.cue is not None:
            self.post_message(self.WordFocused())

    def _follow_focus(self) -> bool:
        if not self._follows:
            return False
        layout = self._view.layout(self.cue_focus.cue)
        word = self.cue_focus.word
        return self._view.scroll_to_cue(self.cue_focus.cue, layout.line_of(word) if layout and word is not None else 0)

    def _next_page(self) -> int | None:
        """Number of the next page to read: around what is in sight or, on the way elsewhere, around where that is."""
        around = self._view.around(None if self._target is None else self._target[0])
        return self._cues.first_missing((around, *self._one_sentence.cues_needed(self.cue_index)))

    def _arrived(self) -> None:
        self._view.total = self._cues.total
        self._view.invalidate()
        if self._target is not None and self._cues.cue(min(self._target[0], self._view.total - 1)) is not None:
            self._go_to(*self._target, is_led=self._is_led)
        self.cue_focus = self._one_sentence.focused(self.cue_focus)
        self._follow_focus()
        self.refresh()

    # The mouse.

    def on_click(self, event: events.Click) -> None:
        rows = self._view.rows()
        if 0 <= event.y < len(rows):
            row = rows[event.y]
            layout = self._view.layout(row.cue)
            if layout is not None:
                word = layout.word_near(row.line, max(0, event.x - self._lines.text_column))
                self._go_to(row.cue, 0 if word is None else word)
