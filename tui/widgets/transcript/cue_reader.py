"""Cue reader: steps through a transcript word by word; only what is in sight is read and laid out."""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.worker import Worker

from tui.errors import LodeError
from tui.records.transcripts import Cue
from tui.widgets.chrome.key_line import page_keys
from tui.widgets.chrome.notice import show_worker_error
from tui.widgets.chrome.targets import Target
from tui.widgets.transcript.cue_focus import CueFocus, FocusedText, OneSentence, focused_text
from tui.widgets.transcript.cue_layout import NO_CUE, CueView
from tui.widgets.transcript.cue_lines import OVERLAYS, STYLE_NAMES, CueHits, CueLines, CueSigns, PlaceInCue, Styles
from tui.widgets.transcript.pages import CuePart, TranscriptPages

_WHEEL_LINES = 3


class CueReader(Widget, can_focus=True):
    """Reader of a transcript's cues: ``open`` shows one; ``WordFocused`` is sent with every step, ``Chosen`` on enter.

    The time stands in a column at the left where there are times. Nothing moves but the marks, until a step comes near
    the edge. ``show_word`` shows elsewhere what is known of the word under the eye: it is called with every step, and
    when states of words were read, before the reader is painted, so that one paint brings both.
    """

    ALLOW_SELECT = False
    BINDING_GROUP_TITLE = "Reader"
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"cue-reader--{name}" for name in (*STYLE_NAMES, *OVERLAYS)}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "break down", key_display="⏎", id="reader.choose"),
        Binding("j,down", "cue(1)", "next cue", show=False, id="reader.next_cue"),
        Binding("k,up", "cue(-1)", "previous cue", show=False, id="reader.previous_cue"),
        Binding("l,right", "word(1)", "next word", show=False, id="reader.next_word"),
        Binding("h,left", "word(-1)", "previous word", show=False, id="reader.previous_word"),
        Binding("v", "extend", "extend", tooltip="extend the focus over several words", id="reader.extend"),
        # The screen's, before its own: in every player of films it is this key.
        Binding("space", "screen.pause", "pause", tooltip="pause mpv, or play on", id="reader.pause"),
        Binding("space", "mark", "keep this word in the focus (parts that stand apart)", show=False, id="reader.mark"),
        # Here, so that it still goes from field to field where another widget has the focus.
        Binding("tab", "screen.next_new", "new", tooltip="to the next new word", id="reader.next_new"),
        Binding(
            "J", "take(0, 1)", "context", key_display="J/K", tooltip="take the next cue in", id="reader.context_after"
        ),
        Binding("K", "take(1, 0)", "take the cue before into the context", show=False, id="reader.context_before"),
        Binding("0", "no_context", "no context", show=False, id="reader.no_context"),
        Binding("g,home", "edge(0)", "first cue", show=False, id="reader.first"),
        Binding("G,end", "edge(1)", "last cue", show=False, id="reader.last"),
        *page_keys("reader", "pages"),
        Binding("n", "hit(1)", "next hit", show=False, id="reader.next_hit"),
        Binding("N", "hit(-1)", "previous hit", show=False, id="reader.previous_hit"),
    ]

    class WordFocused(Message):
        """Sent when the focus moved to another word or cue, or was extended."""

    class Chosen(Message):
        """Sent when enter was pressed on a cue."""

    @dataclass(eq=False)
    class ReadFailed(Message):
        """Sent when the cues could not be read."""

        error: LodeError

    def __init__(self, show_word: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self._show_word = show_word
        self._styles: Styles | None = None
        self._spacing = 0
        self._is_alone = False
        self._show(TranscriptPages(), one_sentence=False)

    def _show(self, pages: TranscriptPages, *, one_sentence: bool) -> None:
        self._pages = pages
        self._reading: Worker[None] | None = None
        self._reading_states: Worker[None] | None = None
        self._view = CueView(pages.cue, pages.words)
        self._view.language, self._view.total, self._view.spacing = pages.language, pages.total, self._spacing
        self._lines = CueLines(self._view, pages.duration_ms, pages.states.tints)
        self._lines.is_alone = self._is_alone
        self._one_sentence = OneSentence(self._view, is_on=one_sentence)
        self.cue_focus = CueFocus()
        self._target: tuple[int, PlaceInCue] | None = None
        self._is_led = False
        self._follows = True

    def open(self, pages: TranscriptPages, cue: int = 0, word: PlaceInCue = 0, *, one_sentence: bool = False) -> None:
        """Show a transcript with the eye on a cue's word; ``one_sentence``: with the focus on the whole sentence."""
        self.workers.cancel_group(self, "cues")
        self.workers.cancel_group(self, "states")
        self._show(pages, one_sentence=one_sentence)
        self.on_resize()
        self.go_to(cue, word)

    # What is under the eye.

    @property
    def cue(self) -> Cue | None:
        """Focused cue, None until it has been read."""
        return self._pages.cue(self.cue_focus.cue)

    @property
    def cue_index(self) -> int:
        return self._target[0] if self._target is not None else self.cue_focus.cue

    @property
    def word_index(self) -> int:
        return self.cue_focus.word or 0

    @property
    def word_start(self) -> int:
        """Code point at which the word under the eye begins in its cue, -1 where there is none."""
        layout, number = self._view.layout(self.cue_focus.cue), self.cue_focus.word
        return -1 if layout is None or number is None else layout.words[number].start

    @property
    def focused(self) -> FocusedText | None:
        """What is under the eye, None until its cue has been read."""
        return focused_text(self.cue_focus, self._pages.cue, self._view.layout, self._view.language)

    @property
    def focus_text(self) -> str:
        """Focused words, "" where the cue has none."""
        return focused.focus if (focused := self.focused) is not None else ""

    @property
    def is_one_sentence(self) -> bool:
        """Whether the focus is on whole sentences."""
        return self._one_sentence.is_on

    @property
    def sentence_parts(self) -> tuple[CuePart, ...]:
        """Parts of the focused cue or sentence, each a cue at most."""
        if (sentence := self.cue_focus.sentence) is None:
            return ((self.cue_focus.cue, 0, sys.maxsize),)
        return tuple((part.cue, part.start, part.end) for part in sentence.parts)

    # Steps.

    def action_choose(self) -> None:
        if self.cue is not None:
            self.post_message(self.Chosen())

    def action_cue(self, step: int) -> None:
        cue, word = self.cue_index + step, 0
        if self._target is None:
            cue, word = self._one_sentence.sentence_step(self.cue_focus, step)
        if 0 <= cue < self._view.total:
            self.go_to(cue, word)

    def action_word(self, step: int) -> None:
        focus = self.cue_focus
        if self._target is not None or self._view.layout(focus.cue) is None:
            return
        cue, word = self._one_sentence.word_step(focus, step)
        if word is not None and self._one_sentence.contains(focus, cue, word):
            self._change(replace(focus, cue=cue, word=word))
        elif 0 <= cue < self._view.total and focus.anchor is None:
            self.go_to(cue, word if word is not None else "first" if step > 0 else "last")

    def action_extend(self) -> None:
        self._change(self.cue_focus.extension_toggled())

    def action_mark(self) -> None:
        self._change(self.cue_focus.mark_toggled(self._one_sentence.word_count))

    def drop_extension(self) -> None:
        self._change(self.cue_focus.collapsed())

    def action_take(self, before: int, after: int) -> None:
        self._change(self.cue_focus.with_context(before, after, self._view.total))

    def toggle_one_sentence(self) -> None:
        """Put the focus on whole sentences, across cues or inside of one, or on cues again."""
        self._one_sentence.is_on = not self._one_sentence.is_on
        self._change(self.cue_focus, is_led=self._is_led)

    def action_no_context(self) -> None:
        self._change(replace(self.cue_focus, before=0, after=0))

    def action_edge(self, end: int) -> None:
        self.go_to(self._view.total - 1 if end else 0)

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
            self.go_to(cue if (cue - before) * lines > 0 else before + (1 if lines > 0 else -1))
        else:
            self.action_edge(1 if lines > 0 else 0)

    @property
    def hit_number(self) -> int:
        """Number of the hit that the focused cue is, from 1; 0 when it is none."""
        return self._lines.hits.number(self.cue_index)

    def first_hit(self) -> None:
        """Go to the first hit from here on."""
        if (cue := self._lines.hits.following(self.cue_index, inclusive=True)) is not None:
            self.go_to(cue, "hit")

    def action_hit(self, step: int) -> None:
        hits, here = self._lines.hits, self.cue_index
        if (cue := hits.following(here) if step > 0 else hits.preceding(here)) is not None:
            self.go_to(cue, "hit")

    def lead_to(self, cue: int) -> bool:
        """Go to a cue that nobody chose by hand, unless the eye is in it; False where none can be gone to yet."""
        if cue != self.cue_index or not self._is_led:
            self.go_to(cue, is_led=True)
        return self._is_led

    @property
    def is_led(self) -> bool:
        """Whether nothing was moved by hand since ``lead_to``, the wheel included."""
        return self._is_led and self._follows

    def go_to(self, cue: int, word: PlaceInCue = "first", *, is_led: bool = False) -> None:
        """Go to a cue's word; one that is not at hand is read first, and further steps count from there."""
        if not self._view.total:
            return
        self._is_led = is_led
        cue = max(0, min(cue, self._view.total - 1))
        if (layout := self._view.layout(cue)) is None:
            self._target = (cue, word)
            self.read_missing()
            return
        self._target = None
        focus, index = self.cue_focus, self._lines.word_index(layout, word)
        is_same = cue == focus.cue and focus.word is not None
        self._change(replace(focus.collapsed(), word=index) if is_same else CueFocus(cue, index), is_led=is_led)

    def _change(self, focus: CueFocus, *, is_led: bool = False) -> None:
        """Take up a new focus, and repaint the rows whose marks it changes; all of them only where it scrolls."""
        self._is_led = is_led
        old, self.cue_focus = self.cue_focus, self._one_sentence.focused(focus)
        self._follows = True
        if self._follow_focus() or self._is_alone:
            self.refresh()
        else:
            rows = self._lines.changed(old, self.cue_focus)
            if changed := [Region(0, number, self.size.width, 1) for number in rows]:
                self.refresh(*changed)
        self.read_missing()
        if self.cue is not None:
            self._show_word()
            self.post_message(self.WordFocused())

    def _follow_focus(self) -> bool:
        if not self._follows:
            return False
        self._show_alone_what_is_focused()
        return self._view.scroll_to_cue(self.cue_focus.cue, self._focused_line)

    @property
    def _focused_line(self) -> int:
        """Line of its cue in which the word under the eye begins."""
        layout, word = self._view.layout(self.cue_focus.cue), self.cue_focus.word
        return layout.line_of(word) if layout is not None and word is not None else 0

    def _show_alone_what_is_focused(self) -> None:
        """Where one sentence is shown at a time, show this one: the eye stays where it is, the sentences come to it."""
        focus, last = self.cue_focus, self._view.total - 1
        cues = range(max(0, focus.first_cue - focus.before), min(last, focus.last_cue + focus.after) + 1)
        self._view.show_alone(cues if self._is_alone else None)

    def put_in_middle(self) -> None:
        """Scroll so that the line under the eye is in the middle."""
        self._follows = True
        self._view.put_in_middle(self.cue_focus.cue, self._focused_line)
        self.read_missing()
        self.refresh()

    # How it is shown, and what is shown beside the text.

    @property
    def is_alone(self) -> bool:
        """Whether the focused sentence is shown alone, in the middle."""
        return self._is_alone

    def show_alone(self, alone: bool) -> None:
        """Show the focused sentence and its context alone, or all of the text again."""
        if alone != self._is_alone:
            self._is_alone = self._lines.is_alone = alone
            self._change(self.cue_focus, is_led=self._is_led)
            self.refresh()

    def set_spacing(self, lines: int) -> None:
        """Set how many free lines stand behind each cue; the eye stays on its word."""
        if lines != self._spacing:
            self._spacing = self._view.spacing = lines
            self._view.lay_out_anew()
            self._follow_focus()
            self.refresh()

    @property
    def text_column(self) -> int:
        """Cells at the left of the text."""
        return self._lines.text_column

    @property
    def text_width(self) -> int:
        """Cells of a line of the text."""
        return self._view.width

    def set_text_width(self, cells: int) -> None:
        """Set how wide the text is at most; 0 for as wide as there is room."""
        if cells or self.styles.max_width is not None:
            self.styles.max_width = cells + self._lines.text_column + 1 if cells else None

    @property
    def shows_readings(self) -> bool:
        """Whether readings stand behind the characters that they read."""
        return self._view.shows_readings

    @shows_readings.setter
    def shows_readings(self, shown: bool) -> None:
        self._view.shows_readings = shown
        self._view.lay_out_anew()
        self._follow_focus()
        self.refresh()

    def show_translations(self, translation_of: Callable[[Cue], str] | None) -> None:
        """Show what this says of each cue below its text (None: no longer), the eye on the same word."""
        self._view.translation_of = translation_of
        self._view.lay_out_anew()
        self._follows = True
        self._follow_focus()
        self.read_missing()
        self.refresh()

    def set_hits(self, cues: Sequence[int], query: str, forms: Collection[str] = ()) -> None:
        """Set the cues that match a search, in order; what matches is underlined. ``n`` and ``N`` go through them."""
        self._lines.hits = CueHits(cues, query, forms)
        self.refresh()

    def set_signs(self, signs: CueSigns) -> None:
        """Set the cues that have signs before them."""
        if signs != self._lines.signs:
            self._lines.signs = signs
            self.refresh()

    # Reading.

    async def read_cues_anew(self, cue: int, word: PlaceInCue) -> None:
        """Read the cues in sight again, which were edited, and go to one; what was shown stays until they are there.

        Raises ``LodeError``.
        """
        self.workers.cancel_group(self, "cues")
        await self._pages.read_anew(*self._view.around(cue))
        self._target = None
        self._view.total = self._pages.total
        self._view.lay_out_anew()
        self._pages.states.expire()
        self.go_to(cue, word, is_led=self._is_led)
        self.refresh()

    def read_missing(self) -> None:
        """Read the cues in sight that are not at hand, and the states of their words, unless that is going on."""
        if (self._reading is None or self._reading.is_finished) and self._next_page() is not None:
            self._reading = self._read()
        if (self._reading_states is None or self._reading_states.is_finished) and self._next_states() is not None:
            self._reading_states = self._read_states()

    def _next_page(self) -> int | None:
        """Number of the next page to read: the eye's, then around what is in sight or around where one is going."""
        if (number := self._pages.first_missing([(self.cue_index, self.cue_index)])) is not None:
            return number
        around = self._view.around(None if self._target is None else self._target[0])
        return self._pages.first_missing((around, *self._one_sentence.cues_needed(self.cue_index)))

    @work(group="cues", exit_on_error=False)
    async def _read(self) -> None:
        try:
            while (number := self._next_page()) is not None:
                await self._pages.read(number)
                self._take_up_cues()
        except LodeError as error:
            self.post_message(self.ReadFailed(error))

    def _take_up_cues(self) -> None:
        self._view.total = self._pages.total
        self._view.invalidate()
        if self._target is not None and self._pages.cue(min(self._target[0], self._view.total - 1)) is not None:
            self.go_to(*self._target, is_led=self._is_led)
        self.cue_focus = self._one_sentence.focused(self.cue_focus)
        self._follow_focus()
        self.refresh()

    def take_up_growth(self, duration_ms: int | None) -> None:
        """Show cues that have come behind the last one; the text is so long by now."""
        self._lines.show_times(duration_ms)
        self._take_up_cues()
        self.on_resize()  # longer times leave less room
        self.read_states_anew()

    def read_states_anew(self) -> Worker[None] | None:
        """Read the states of the words again, by this worker; those that are shown stay until then."""
        self._pages.states.expire()
        self.read_missing()
        return self._reading_states

    def _next_states(self) -> int | None:
        """Number of the next page of states to read: of what is in sight, and at hand."""
        rows = [row for row in self._view.rows() if row.cue != NO_CUE]
        if not rows or self._pages.cue(rows[0].cue) is None:
            return None
        return self._pages.states.next_page(rows[0].cue, rows[-1].cue)

    @work(group="states", exit_on_error=False)
    async def _read_states(self) -> None:
        while (number := self._next_states()) is not None:
            if await self._pages.states.read(number, self._pages.total):
                self.refresh()
            if self.cue is not None:
                self._show_word()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        show_worker_error(self, event)

    # Drawing.

    def on_resize(self) -> None:
        self._view.resize(self.size.width - self._lines.text_column - 1, self.size.height)
        self._follow_focus()
        self.read_missing()
        self.refresh()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles = None

    def render_line(self, y: int) -> Strip:
        if self._styles is None:
            styles = {name: self.get_component_rich_style(f"cue-reader--{name}") for name in STYLE_NAMES}
            for name in OVERLAYS:
                styles[name] = self.get_component_rich_style(f"cue-reader--{name}", partial=True)
            self._styles = {"plain": self.rich_style, **styles}
        return self._lines.strip(y, self.cue_focus, self._styles, self.size.width)

    # The terminal's cursor, and labels.

    @property
    def cursor_screen_offset(self) -> Offset:
        """Where the word under the eye begins, while that is in sight; else where its line does."""
        focus = self.cue_focus
        here = (place for place, _, word, _ in self._lines.places(focus.cue) if word == focus.word)
        rows = (row for row, each in enumerate(self._view.rows()) if each.cue == focus.cue)
        return self.content_region.offset + (next(here, None) or Offset(self._lines.text_column, next(rows, 0)))

    def targets(self) -> Iterator[Target]:
        """The words in sight; new ones are wanted most."""
        for place, cue, word, start in self._lines.places():
            known = self._pages.states.word_at(cue, start)
            yield Target(place.x, place.y, partial(self.go_to, cue, word), known is not None and known.state == "new")

    # The mouse.

    def on_click(self, event: events.Click) -> None:
        row = next(iter(self._view.rows()[event.y :]), None)
        if row is not None and (layout := self._view.layout(row.cue)) is not None:
            self.go_to(row.cue, layout.word_near(row.line, max(0, event.x - self._lines.text_column)) or 0)

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
