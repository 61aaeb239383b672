"""Reader: one transcript, cue by cue and word by word, with look-ups, clips and breakdowns of the focused word."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.content import Content

from tui.errors import LodeError
from tui.playing.mpv_process import MpvSource
from tui.records.clips import ConcordanceLine, FocusWord, NewClip
from tui.records.transcripts import Transcript
from tui.records.words import WordSummary
from tui.screens.answer.question import OUTCOMES
from tui.screens.earlier_cards import earlier_cards, show_in_anki, taken_back
from tui.screens.messages import GoBack, LibraryChanged, News, OpenBreakdown, OpenClips, SentenceLookedAt
from tui.screens.reader.film_screen import FilmScreen
from tui.screens.reader.find_bar import FindBar
from tui.screens.reader.places import Place
from tui.screens.reader.questions import breakdown_request, clip_draft, explain_request, in_context
from tui.screens.reader.side_pane import SIDE_PANES, InContext, SidePane, concordance_head
from tui.screens.reader.word_look_ups import WordLookUps
from tui.service.protocol import Service
from tui.widgets.cards.word_pane import WordLine
from tui.widgets.chrome.key_line import KeyLine, shown_key
from tui.widgets.transcript.concordance_view import ConcordanceView
from tui.widgets.transcript.cue_lines import AtOffset
from tui.widgets.transcript.cue_reader import CueReader
from tui.widgets.transcript.focused_text import FocusedText

SETTLED_SECONDS = 0.12
"""Seconds that the focus rests on a word before it is looked up."""


class ReaderScreen(FilmScreen):
    """Screen of a transcript; ``cue_index`` None: from where it was left, else from its start.

    ``follow``: the mpv to be followed from the beginning.
    """

    SHOWS = frozenset({"cue", "clip", "answer", "word"})
    CSS_PATH = "reader.tcss"
    AUTO_FOCUS = "CueReader"
    KEYED_WIDGETS = (CueReader, ConcordanceView)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "explain", "explain", tooltip="explain the whole sentence", id="reader.explain"),
        Binding("c", "clip", "clip", tooltip="save a clip straight away", id="reader.clip"),
        Binding(
            "w", "word_state", "state", tooltip="next state: learning, known, ignored, new", id="reader.word_state"
        ),
        Binding("D", "dictionary", "entry", tooltip="what the dictionaries say of the word", id="reader.dictionary"),
        Binding("slash", "find", "find", id="reader.find"),
        Binding("W", "know_sentence", "known", tooltip="mark the whole sentence as known", id="reader.know_sentence"),
        Binding(
            "P",
            "side_pane",
            "in context",
            tooltip="beside the text: every place where the word stands, or what it means",
            id="reader.side_pane",
        ),
        Binding(
            "i", "next_one_new", "one new", tooltip="to the next sentence with one new word", id="reader.next_one_new"
        ),
        Binding("L", "lines", "choose a place where the word stands, and go there", show=False, id="reader.lines"),
        Binding("t", "other_entry", "the other entry, where two are as likely", show=False, id="reader.other_entry"),
        Binding("O", "own_word", "your own meaning, note and phrases of the word", show=False, id="reader.own_word"),
        Binding("C", "word_clips", "the clips of the word", show=False, id="reader.word_clips"),
        Binding("A", "in_anki", "the notes of the word in Anki, which runs here", show=False, id="reader.in_anki"),
        Binding("escape", "back", "back", show=False, id="reader.back"),
    ]

    def __init__(
        self, service: Service, transcript_id: str, cue_index: int | None = None, follow: MpvSource | None = None
    ) -> None:
        super().__init__(service, transcript_id, None if cue_index is None else (cue_index, 0), follow)
        self._look_ups = WordLookUps(service.words)
        self._saving = asyncio.Lock()

    # The word under the eye.

    @on(CueReader.WordFocused)
    def _word_focused(self) -> None:
        reader = self.reader
        self.remember_place()
        word = reader.focus_text
        modes = {"SENTENCE": reader.is_one_sentence, "EXTEND": reader.cue_focus.anchor is not None}
        self.query_one(KeyLine).mode = " ".join(name for name, is_on in modes.items() if is_on)
        self._show_word(word, self._look_ups.known(reader.focused))
        self._show_count()
        self.look_up(word)

    @work(exclusive=True, group="word", exit_on_error=False)
    async def look_up(self, word: str) -> None:
        """Tell the app what is looked at, and ask the library about the word."""
        await asyncio.sleep(SETTLED_SECONDS)
        focused = self.reader.focused
        if self._transcript is not None and focused is not None:
            self.post_message(SentenceLookedAt(breakdown_request(self._transcript, focused)))
        if not word or self._transcript is None or focused is None:
            return
        language, in_context = self._transcript.language, self._side.display and self._side.shown == "context"
        try:
            if in_context:  # both at once: each of them waits for the database
                asked = self._look_ups.summary(focused, language), self._look_ups.concordance(word, language)
                summary, _ = await asyncio.gather(*asked)
            else:
                summary = await self._look_ups.summary(focused, language)
        except LodeError as error:
            self._show_word(word, message=error.message)
            return
        self._show_word(word, summary)
        if in_context:
            self.show_in_context()

    @property
    def _side(self) -> SidePane:
        return self.query_one(SidePane)

    def _show_word(self, word: str, summary: WordSummary | None = None, message: str = "") -> None:
        if summary is not None and (focused := self.reader.focused) is not None and focused.focus == word:
            summary = replace(summary, focus=in_context(summary.focus, focused))
        reader = self.reader
        is_one = bool(word) and not reader.cue_focus.is_extended
        found = reader.state_at(reader.cue_index, reader.word_start) if is_one else None
        state = found.state if found is not None else ""
        key = shown_key(self, "reader.other_entry")
        self._side.show_word(word, summary, message, state, key)
        self.query_one(WordLine).show(word, summary, state, key=key)

    def read_anew(self) -> None:
        self._look_ups.clear()
        super().read_anew()
        self.reader.read_states_anew()
        if word := self.reader.focus_text:
            self.look_up(word)

    @on(CueReader.StatesRead)
    def _states_read(self) -> None:
        self._show_word(self.reader.focus_text, self._look_ups.known(self.reader.focused))

    # What is done with it.

    @on(CueReader.Chosen)
    def _chosen(self) -> None:
        transcript, focused = self._transcript, self.reader.focused
        if transcript is None or focused is None:
            return
        if focused.focus:
            self.post_message(OpenBreakdown(breakdown_request(transcript, focused), self._draft(transcript, focused)))
        else:
            self.notify("there is no word in this cue; x explains it as a whole", markup=False)

    def action_explain(self) -> None:
        transcript, focused = self._transcript, self.reader.focused
        if transcript is not None and focused is not None:
            draft = replace(self._draft(transcript, focused), focus=None)
            self.post_message(OpenBreakdown(explain_request(transcript, focused), draft))

    def action_clip(self) -> None:
        transcript, focused = self._transcript, self.reader.focused
        if transcript is not None and focused is not None:
            draft = self._draft(transcript, focused)
            self.save_clip(replace(draft, focus=None) if self.is_led else draft)  # nobody chose that word

    def _draft(self, transcript: Transcript, focused: FocusedText) -> NewClip:
        translation = self._pages.translation_of(focused.first_cue, focused.last_cue) if self._pages is not None else ""
        return clip_draft(transcript, focused, self._look_ups.known(focused), translation)

    @work(group="clip", exit_on_error=False)
    async def save_clip(self, draft: NewClip) -> None:
        """Save the word in its cue; a clip of it that is there gets what it lacks: a key pressed twice is no second."""
        try:
            async with self._saving:
                before = await earlier_cards(self.service.words, draft.focus)
                kept = await self.service.clips.keep(draft)
        except LodeError as error:
            self._complain(error)
            return
        if kept.outcome == "same":
            self.notify("it is already saved", markup=False)
            return
        done, clip = OUTCOMES[kept.outcome], kept.clip
        name = clip.focus.surface if clip.focus else clip.sentence
        hint = taken_back(self)
        if kept.outcome == "added":
            told = before.told(shown_key(self, "reader.word_clips"), shown_key(self, "reader.in_anki"))
            hint = " · ".join(filter(None, (hint, told)))
        self.post_message(News(f"clip {done}", {done: 1}, noun="clip", name=name, hint=hint))
        self.post_message(LibraryChanged("clip"))

    def action_back(self) -> None:
        """Close the nearest thing: the choice of a line, the search, the extension, the context, the reader.

        Where a line was opened, back to where that was done.
        """
        reader = self.reader
        if isinstance(self.focused, ConcordanceView):
            reader.focus()
        elif self.query_one(FindBar).is_open:
            self._close_find()
        elif reader.cue_focus.is_extended:
            reader.drop_extension()
        elif reader.cue_focus.has_context:
            reader.action_no_context()
        elif self._places.has_way_back:
            self.action_place(-1)
        else:
            self.post_message(GoBack())

    @work(exclusive=True, group="own_word", exit_on_error=False)
    async def action_own_word(self) -> None:
        """Let people write of the word under the eye."""
        from tui.screens.dialogs.own_word import write_own_word

        if self._transcript is not None and (lemma := self._lemma):
            await write_own_word(self, lemma, self._transcript.language)

    def action_word_clips(self) -> None:
        """Show the clips that the word has, in whatever form."""
        if lemma := self._lemma:
            self.post_message(OpenClips(lemma))

    @work(exclusive=True, group="in_anki", exit_on_error=False)
    async def action_in_anki(self) -> None:
        if lemma := self._lemma:
            await show_in_anki(self, self.service, lemma)

    @property
    def _lemma(self) -> str:
        """Dictionary form of the word under the eye as far as it is known, "" where there is no word."""
        if (focused := self.reader.focused) is None or not focused.focus:
            return ""
        known = self._look_ups.known(focused)
        focus = known.focus if known is not None else FocusWord(focused.focus)
        return in_context(focus, focused).lemma or focused.focus

    def action_dictionary(self) -> None:
        """Show the dictionary entries of the word."""
        from tui.screens.dialogs.dictionary_entry import DictionaryEntryScreen

        transcript, focused = self._transcript, self.reader.focused
        if transcript is not None and focused is not None and focused.focus:
            word, language, sentence = focused.focus, transcript.language, focused.sentence
            self.app.push_screen(DictionaryEntryScreen(self.service, word, language, sentence))

    @work(group="other_entry", exit_on_error=False)
    async def action_other_entry(self) -> None:
        """Take the other of two entries that are as likely: it is shown, and goes onto the clip."""
        transcript, focused = self._transcript, self.reader.focused
        if transcript is None or focused is None or not focused.focus:
            return
        try:
            await self._look_ups.summary(focused, transcript.language)
        except LodeError as error:
            self._complain(error)
            return
        if not self._look_ups.take_other(focused):
            self.notify("no other entry is as likely here", markup=False)
        elif self.reader.focused == focused:
            self.look_up(focused.focus)
            self._show_word(focused.focus, self._look_ups.known(focused))

    # In context.

    def action_side_pane(self) -> None:
        """Show the next pane beside the text; where there is no room for one, every place of the word by itself."""
        side = self._side
        if not side.display:
            self.choose_line()
            return
        if isinstance(self.focused, ConcordanceView):
            self.reader.focus()
        side.shown = self._memory.side_pane = SIDE_PANES[(SIDE_PANES.index(side.shown) + 1) % len(SIDE_PANES)]
        if side.shown == "context":
            self.show_in_context()

    def action_lines(self) -> None:
        """Let a line be chosen: beside the text, or on a screen of their own."""
        side = self._side
        if not side.display:
            self.choose_line()
            return
        if side.shown != "context":
            self.action_side_pane()
        side.concordance.view.focus()

    @work(exclusive=True, group="context", exit_on_error=False)
    async def show_in_context(self) -> None:
        """Show every place of the word under the eye beside the text; those of the word before stay until then."""
        if (found := await self._in_context()) is not None:
            self._side.concordance.show(*found)

    @work(exclusive=True, group="context", exit_on_error=False)
    async def choose_line(self) -> None:
        if (found := await self._in_context()) is None:
            return
        if (line := await self.app.push_screen_wait(InContext(*found))) is not None:
            self._open_line(line)

    async def _in_context(self) -> tuple[Content, tuple[ConcordanceLine, ...], tuple[str, int]] | None:
        """Head, lines and present place of the word under the eye; None where there is none, or it can't be read."""
        focused, transcript = self.reader.focused, self._transcript
        if focused is None or transcript is None or not focused.focus:
            return None
        try:
            lines = await self._look_ups.concordance(focused.focus, transcript.language)
        except LodeError as error:
            self._complain(error)
            return None
        head = concordance_head(focused.focus, self._look_ups.known(focused), lines)
        return head, lines, (transcript.id, focused.cue_index)

    @on(ConcordanceView.Chosen)
    def _line_chosen(self, message: ConcordanceView.Chosen) -> None:
        self._open_line(message.line)

    def _open_line(self, line: ConcordanceLine) -> None:
        self.go_to_place(Place(line.transcript_id, line.cue_index, AtOffset(line.start)))
