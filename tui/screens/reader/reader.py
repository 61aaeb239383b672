"""Reader: one transcript, cue by cue and word by word; its keys, and the workers of what they begin.

What is decided stands in its parts: ``film``, ``places``, ``questions``, ``word_marking``, and the pages of the text.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import WorkerError

from tui.config import MAX_LINE_SPACING, MIN_TEXT_WIDTH
from tui.errors import LodeError
from tui.playing.mpv import MpvSource
from tui.records.clips import ConcordanceLine
from tui.records.transcripts import ReadingPlace, Transcript
from tui.records.words import WordPlace, WordSummary
from tui.screens.clip_keeping import ClipKeeping, show_in_anki
from tui.screens.dialogs.dictionary_entry import DictionaryEntryScreen
from tui.screens.dialogs.own_word import write_own_word
from tui.screens.messages import GoBack, LibraryChanged, OpenBreakdown, OpenClips, ReadingLookChosen, SentenceLookedAt
from tui.screens.places import Place, places_of
from tui.screens.reader.cue_bookmarks import CueBookmarks
from tui.screens.reader.cue_notes import CueNotes
from tui.screens.reader.film import Film, Following
from tui.screens.reader.find_bar import FindBar, WordPlaces
from tui.screens.reader.import_changes import ImportChanges
from tui.screens.reader.pane_texts import answer_text, clips_text
from tui.screens.reader.places import ReadOn, find_cue_at, memory_of
from tui.screens.reader.questions import MAX_LINES, UnderEye, WordLookUps, in_context, no_readings
from tui.screens.reader.side_pane import PARTS, InContext, SidePane, SidePaneName, find_in_context
from tui.screens.reading_look import reading_look
from tui.screens.section import SectionScreen
from tui.screens.transcript_edit import choose_track, edit_transcript
from tui.screens.transcript_export import EXPORT_WORK, export_transcripts
from tui.screens.word_marking import TextMarking
from tui.service.protocol import Service
from tui.text.display import clock, count_of, language
from tui.text.sanitize import one_line
from tui.widgets.cards.focus_card import WordLine, WordPane
from tui.widgets.chrome.key_line import KeyLine, shown_key
from tui.widgets.chrome.notice import Notice
from tui.widgets.transcript.concordance_view import ConcordanceView
from tui.widgets.transcript.cue_lines import AtOffset, PlaceInCue
from tui.widgets.transcript.cue_reader import CueReader
from tui.widgets.transcript.pages import CuePart, TranscriptPages, WordStatePages

SETTLED_SECONDS = 0.12
"""Seconds that the focus rests on a word before it is looked up."""
_WIDTH_STEP = 4
"""Cells by which lines become wider or narrower."""
_PANE_TEXTS = {"clips": clips_text, "answer": answer_text}
"""Parts of the side pane that are texts, each with what reads it."""
_KEPT_SECONDS = 1.0
"""Seconds until the library keeps where the eye is, while it moves; and those that closing waits for that."""


class ReaderScreen(SectionScreen):
    """Screen of a transcript; ``start`` None: from where it was left, which the library keeps, else from its start.

    ``follow``: the mpv to be followed from the beginning. While the text is covered, by a breakdown say, the mpv that
    is followed is paused. A key means the text at which it was pressed.
    """

    SECTION = "transcripts"
    SHOWS = frozenset({"cue", "clip", "answer", "word", "note", "bookmark"})
    LONG_WORK: ClassVar[Mapping[str, str]] = {"export": EXPORT_WORK}
    CSS_PATH: ClassVar = ["reader.tcss", "concordance.tcss", Path(__file__).parents[1] / "answer/token_log.tcss"]
    KEYLESS: ClassVar = (("Line spacing", "one more free line between the lines, then none again", "line_spacing"),)
    AUTO_FOCUS = "CueReader"
    LINES = "line"
    HAS_TIMES = True
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
            "pane",
            tooltip="beside the text, one after the other: what the word means, its clips, its places, its answer",
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
        Binding("p", "play", "play the sentence, out of its film", show=False, id="reader.play"),
        Binding("o", "follow", "follow the film in mpv: begin, go on, end", show=False, id="reader.follow"),
        Binding("z", "one_sentence", "one sentence", tooltip="whole sentences, across cues", id="reader.one_sentence"),
        Binding(
            "asterisk",
            "next_of_word",
            "of this word",
            tooltip="to the next place of this word, in any of its forms",
            show=False,
            id="reader.next_of_word",
        ),
        Binding("Z", "alone", "one sentence at a time, all else hidden", show=False, id="reader.alone"),
        Binding("b", "bookmark", "bookmark", tooltip="a bookmark here, or none", show=False, id="reader.bookmark"),
        Binding("semicolon", "note", "note", tooltip="a note of yours on the sentence", show=False, id="reader.note"),
        Binding("minus", "text_width(-1)", "narrower lines", show=False, id="reader.narrower"),
        Binding("equals_sign", "text_width(1)", "wider lines", show=False, id="reader.wider"),
        Binding("R", "readings", "show how words are read, or no longer", show=False, id="reader.readings"),
        Binding("T", "translation", "show the translation track, or choose one", show=False, id="reader.translation"),
        Binding("y", "copy", "copy the sentence", show=False, id="reader.copy"),
        Binding("E", "edit", "edit title, language and encoding", show=False, id="reader.edit"),
        Binding("e", "export", "export as .srt, .vtt, .txt or .json", show=False, id="reader.export"),
        Binding("I", "changes", "what the import changed, cue by cue", show=False, id="reader.changes"),
    ]

    reader = getters.query_one(CueReader)
    _side = getters.query_one(SidePane)

    def __init__(
        self,
        service: Service,
        transcript_id: str,
        start: tuple[int, PlaceInCue] | None = None,
        follow: MpvSource | None = None,
        q: str = "",
    ) -> None:
        super().__init__(service)
        self._memory = memory_of(service)
        self.transcript_id = transcript_id
        self._start = start
        self._transcript: Transcript | None = None
        """The transcript that is shown, None until it has been read."""
        self._pages = TranscriptPages()
        self._is_unreadable = False
        self._has_other_cues = False
        self._jumps = 0
        """Number of places here that one can still go back to with esc."""
        self._keeping: Timer | None = None
        self._read_on = ReadOn(0)
        self._look_ups = WordLookUps(service.words)
        self._clips = ClipKeeping(self, "reader")
        self._marking = TextMarking(service.known_words, self, self.states_of)
        self._stepping = asyncio.Lock()
        self._film = Film(service, self._memory.films, self)
        self._follow_at_once = follow
        self._searched_for = q
        self._notes = CueNotes()
        self._bookmarks = CueBookmarks()
        self._can_pause = False

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="reading"):
            with Vertical(id="page"):
                with Horizontal(id="head"):
                    yield Static(id="title")
                    yield WordLine()
                yield (reader := CueReader())
                yield Notice()
                yield FindBar(reader, lambda query: self.service.transcripts.find(self.transcript_id, query))
            side = SidePane()
            side.shown = self._memory.side_pane
            yield side

    @property
    def _under_eye(self) -> UnderEye | None:
        """What is under the eye, None until it has been read."""
        transcript, text = self._transcript, self.reader.focused
        if transcript is None or text is None:
            return None
        translation = self._pages.translation_of(text.first_cue, text.last_cue)
        note = self._notes.within(text.first_cue, text.last_cue)
        return UnderEye(transcript, text, self._look_ups.known(text), translation, note)

    @property
    def _lemma(self) -> str:
        """Dictionary form of the word under the eye as far as it is known, "" where there is no word."""
        here = self._under_eye
        return "" if here is None or here.word is None else here.word.lemma or here.text.focus

    def on_mount(self) -> None:
        if self._follow_at_once is not None:
            self._memory.films[self.transcript_id] = self._follow_at_once
            self.action_follow()
        self.open_transcript()

    # The transcript.

    @work(exclusive=True, group="open", exit_on_error=False)
    async def open_transcript(self) -> None:
        try:
            transcript = await self.service.transcripts.get(self.transcript_id)
        except LodeError as error:
            self._say_why(error)
            return
        self._transcript, self.transcript_id = transcript, transcript.id
        self._read_on = ReadOn(transcript.read_cues or 0)
        self._pages = TranscriptPages.of(self.service.transcripts, self.service.known_words, transcript)
        self._is_unreadable = False
        self.remove_class("-nothing")
        self.query_one("#title", Static).update(title_line(transcript))
        if not transcript.cue_count:
            self.query_one(Notice).say("This transcript has no cues.", (("esc", "back"),))
            self.add_class("-nothing")
            return
        cue, word = self._start or await self._memory.places.of(self.service.transcripts, transcript.id)
        self._read_on.come_to(cue, 0)  # keys may lead on before it is there
        self._notes.clear()
        self._bookmarks.clear()
        self.reader.show_alone(transcript.id in self._memory.alone)
        is_one_sentence = transcript.id in self._memory.whole_sentences | self._memory.alone
        self.reader.open(self._pages, cue, word, one_sentence=is_one_sentence)
        self._show_look()
        if self._searched_for:
            self.query_one(FindBar).show(self._searched_for)
            self._searched_for = ""
        self.reader.shows_readings = self._memory.shows_readings
        self.mark_cues_with_clips()
        self.read_notes()
        self.read_bookmarks()
        if transcript.translation_id is not None and self._memory.shows_translations:
            self.reader.show_translations(self._pages.translation)

    @work(exclusive=True, group="clips", exit_on_error=False)
    async def mark_cues_with_clips(self) -> None:
        with suppress(LodeError):  # what is read without marks is read all the same
            self.reader.set_cues_with_clips(await self.service.clips.cues_of(self.transcript_id))

    @work(exclusive=True, group="notes", exit_on_error=False)
    async def read_notes(self) -> None:
        with suppress(LodeError):  # likewise
            await self._notes.read(self.service.transcripts, self.transcript_id)
            self.reader.set_cues_with_notes(self._notes.cues)
            self._show_word(self.reader.focus_text, self._look_ups.known(self.reader.focused))

    @work(exclusive=True, group="bookmarks", exit_on_error=False)
    async def read_bookmarks(self) -> None:
        with suppress(LodeError):  # likewise
            await self._bookmarks.read(self.service.bookmarks, self.transcript_id)
            self.reader.set_cues_with_bookmarks(self._bookmarks.cues)

    @on(CueReader.ReadFailed)
    def _read_failed(self, message: CueReader.ReadFailed) -> None:
        if self.reader.cue is not None:
            self.say_error(message.error)  # what is there can still be read
        else:
            self._say_why(message.error)

    def _say_why(self, error: LodeError) -> None:
        self._is_unreadable = True
        self.query_one(Notice).say_error(error, (("esc", "back"),))
        self.add_class("-nothing")

    def library_changed(self, kinds: frozenset[str]) -> None:
        self._has_other_cues = self._has_other_cues or "cue" in kinds
        super().library_changed(kinds)

    def read_anew(self) -> None:
        has_other_cues, self._has_other_cues = self._has_other_cues, False
        self._look_ups.clear()
        if has_other_cues:
            self._film.cues_changed()
            if not self._is_unreadable:
                self._start = None  # where the eye was, not where it began
        if self._is_unreadable or has_other_cues:
            self.open_transcript()
        elif self._transcript is not None:
            self.reader.read_missing()
            self.mark_cues_with_clips()
            self.read_notes()
            self.read_bookmarks()
        self.reader.read_states_anew()
        if word := self.reader.focus_text:
            self.look_up(word)

    # The word under the eye.

    @on(CueReader.WordFocused)
    def _word_focused(self) -> None:
        reader = self.reader
        if self._transcript is None or self._transcript.id != self.transcript_id:
            return  # it is of the text before
        read = self._read_on.come_to(reader.cue_focus.last_cue, reader.size.height)
        self._memory.places.remember(self.transcript_id, ReadingPlace(reader.cue_index, reader.word_index, read))
        if self._keeping is None:
            self._keeping = self.set_timer(_KEPT_SECONDS, self.keep_places)
        modes = {"ALONE": reader.is_alone, "SENTENCE": reader.is_one_sentence and not reader.is_alone}
        modes["EXTEND"] = reader.cue_focus.anchor is not None
        self.query_one(KeyLine).mode = " ".join(name for name, is_on in modes.items() if is_on)
        self._show_word(word := reader.focus_text, self._look_ups.known(reader.focused))
        self.query_one(FindBar).show_count()
        self.look_up(word)
        self._film.eye_moved()

    @work(group="places", exit_on_error=False)
    async def keep_places(self) -> None:
        self._keeping = None
        await self._memory.places.keep(self.service.transcripts)
        self.app.post_message(LibraryChanged("place"))

    async def on_unmount(self) -> None:
        if not self.service.trouble:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._memory.places.keep(self.service.transcripts), _KEPT_SECONDS)
            self.app.post_message(LibraryChanged("place"))

    @work(exclusive=True, group="word", exit_on_error=False)
    async def look_up(self, word: str) -> None:
        """Tell the app what is looked at, and ask the library about the word."""
        await asyncio.sleep(SETTLED_SECONDS)
        if (here := self._under_eye) is None:
            return
        self.post_message(SentenceLookedAt(here.breakdown))
        if not word:
            return
        tag, is_in_context = here.transcript.language, self._side.display and self._side.shown == "context"
        try:
            if is_in_context:  # both at once: each of them waits for the database
                asked = self._look_ups.summary(here.text, tag), self._look_ups.concordance(word, tag)
                summary, _ = await asyncio.gather(*asked)
            else:
                summary = await self._look_ups.summary(here.text, tag)
        except LodeError as error:
            self._show_word(word, message=error.message)
            return
        self._show_word(word, summary)
        if is_in_context:
            self.show_in_context()
        elif self._side.display and self._side.shown in _PANE_TEXTS:
            self.show_pane_text()

    @on(CueReader.StatesRead)
    def _states_read(self) -> None:
        self._show_word(self.reader.focus_text, self._look_ups.known(self.reader.focused))

    def _show_word(self, word: str, summary: WordSummary | None = None, message: str = "") -> None:
        reader = self.reader
        if summary is not None and (focused := reader.focused) is not None and focused.focus == word:
            summary = replace(summary, focus=in_context(summary.focus, focused))
        is_one = bool(word) and not reader.cue_focus.is_extended
        found = self._pages.states.word_at(reader.cue_index, reader.word_start) if is_one else None
        state = found.state if found is not None else ""
        key = shown_key(self, "reader.other_entry")
        note = self._notes.within(reader.cue_focus.first_cue, reader.cue_focus.last_cue)
        self.query_one(WordPane).show(word, summary, message, state, key=key, cue_note=note)
        self.query_one(WordLine).show(word, summary, state, key=key)

    # What is done with it.

    @on(CueReader.Chosen)
    def _open_breakdown(self) -> None:
        if (here := self._under_eye) is None:
            return
        if here.text.focus:
            self.post_message(OpenBreakdown(here.breakdown, here.clip))
        else:
            self.say("there is no word in this cue; x explains it as a whole")

    def action_explain(self) -> None:
        if (here := self._under_eye) is not None:
            self.post_message(OpenBreakdown(here.explanation, replace(here.clip, focus=None)))

    def action_clip(self) -> None:
        if (here := self._under_eye) is not None:
            draft = replace(here.clip, focus=None) if self._film.leads else here.clip  # nobody chose that word
            self.run_worker(self._clips.keep(draft), group="clip", exit_on_error=False)

    @work(exclusive=True, group="own_word", exit_on_error=False)
    async def action_own_word(self) -> None:
        """Let people write of the word under the eye."""
        if self._transcript is not None and (lemma := self._lemma):
            await write_own_word(self, lemma, self._transcript.language)

    def action_word_clips(self) -> None:
        if lemma := self._lemma:
            self.post_message(OpenClips(lemma))

    @work(exclusive=True, group="in_anki", exit_on_error=False)
    async def action_in_anki(self) -> None:
        if lemma := self._lemma:
            await show_in_anki(self, lemma)

    def action_dictionary(self) -> None:
        """Show the dictionary entries of the word."""
        if (here := self._under_eye) is not None and (word := here.text.focus):
            tag, sentence = here.transcript.language, here.text.sentence
            self.app.push_screen(DictionaryEntryScreen(self.service, word, tag, sentence))

    @work(group="other_entry", exit_on_error=False)
    async def action_other_entry(self) -> None:
        """Take the other of two entries that are as likely: it is shown, and goes onto the clip."""
        if (here := self._under_eye) is None or not here.text.focus:
            return
        await self._look_ups.summary(here.text, here.transcript.language)
        if not self._look_ups.take_other(here.text):
            self.say("no other entry is as likely here")
        elif self.reader.focused == here.text:
            self.look_up(here.text.focus)
            self._show_word(here.text.focus, self._look_ups.known(here.text))

    def action_copy(self) -> None:
        if (focused := self.reader.focused) is not None:
            self.app.copy_to_clipboard(focused.sentence)
            self.say("the sentence was sent to the clipboard")

    # States of words.

    def action_word_state(self) -> None:
        if self._transcript is not None:
            marking = self._marking.mark_next(self._transcript, self.reader.cue_index, self.reader.word_start)
            self.run_worker(marking, group="mark", exit_on_error=False)

    def action_know_sentence(self) -> None:
        if self._transcript is not None:
            self.know_words(self._transcript, self.reader.sentence_parts)

    @work(group="mark", exit_on_error=False)
    async def know_words(self, transcript: Transcript, parts: Sequence[CuePart]) -> None:
        if (count := await self._marking.know(transcript, parts)) is not None:
            undoes = f" · {shown_key(self, 'undo')} undoes it" if count else ""
            said = f"{count_of(count, 'word')} marked as known" if count else "no word of this sentence is new"
            self.say(said + undoes)

    def states_of(self, transcript_id: str) -> WordStatePages | None:
        return self._pages.states if transcript_id == self.transcript_id else None

    async def show_marks(self) -> None:
        if (reading := self.reader.read_states_anew()) is not None:
            with suppress(WorkerError):  # another transcript is shown by now, or why not was said: the marks are there
                await reading.wait()

    @work(group="next_new", exit_on_error=False)
    async def action_next_new(self) -> None:
        """Go to the next new word."""
        await self._step(self.service.known_words.next_new, "no new word from here on")

    @work(group="next_new", exit_on_error=False)
    async def action_next_one_new(self) -> None:
        """Go to the new word of the next sentence that has just one."""
        await self._step(self.service.known_words.next_one_new, "no sentence with just one new word from here on")

    async def _step(self, find: Callable[[str, int, int], Awaitable[WordPlace | None]], nothing: str) -> None:
        """Go to what is found behind the word under the eye; keys pressed meanwhile go on from there."""
        async with self._stepping:
            transcript_id = self.transcript_id
            place = await find(transcript_id, self.reader.cue_index, self.reader.word_start)
            if transcript_id != self.transcript_id:
                return
            if place is None:
                self.say(nothing)
            else:
                self.reader.go_to(place.cue, AtOffset(place.start))

    # In context.

    def action_side_pane(self) -> None:
        """Show the next pane beside the text; where there is no room for one, every place of the word by itself."""
        side = self._side
        if not side.display:
            self.choose_line()
            return
        if isinstance(self.focused, ConcordanceView):
            self.reader.focus()
        self._show_part(PARTS[(PARTS.index(side.shown) + 1) % len(PARTS)])

    def _show_part(self, name: SidePaneName) -> None:
        self._side.shown = self._memory.side_pane = name
        if name == "context":
            self.show_in_context()
        elif name in _PANE_TEXTS:
            self._side.show_text("…")
            self.show_pane_text()

    @work(exclusive=True, group="context", exit_on_error=False)
    async def show_pane_text(self) -> None:
        """Show the clips or the answer of the word under the eye; those of the word before stay until then."""
        name, here = self._side.shown, self._under_eye
        if name in _PANE_TEXTS and here is not None and here.text.focus:
            text = await _PANE_TEXTS[name](self.service, here)
            if self._side.shown == name:
                self._side.show_text(text)

    def action_lines(self) -> None:
        """Let a line be chosen: beside the text, or on a screen of their own."""
        side = self._side
        if not side.display:
            self.choose_line()
            return
        if side.shown != "context":
            self._show_part("context")
        side.concordance.view.focus()

    @work(exclusive=True, group="context", exit_on_error=False)
    async def show_in_context(self) -> None:
        """Show every place of the word under the eye beside the text; those of the word before stay until then."""
        if (found := await find_in_context(self._look_ups, self._under_eye)) is not None:
            self._side.concordance.show(*found)

    @work(exclusive=True, group="context", exit_on_error=False)
    async def choose_line(self) -> None:
        if (found := await find_in_context(self._look_ups, self._under_eye)) is None:
            return
        if (line := await self.app.push_screen_wait(InContext(*found))) is not None:
            self._open_line(line)

    @on(ConcordanceView.Chosen)
    def _line_chosen(self, message: ConcordanceView.Chosen) -> None:
        self._open_line(message.line)

    def _open_line(self, line: ConcordanceLine) -> None:
        self.go_to_place(Place(line.transcript_id, line.cue_index, AtOffset(line.start)))

    # Places that one goes to, and comes back from.

    def go_to_place(self, place: Place) -> None:
        """Go to a place in this transcript or another one; ``<`` and esc lead back."""
        places_of(self.service).leave(self.place)
        self.travel_to(place, 1)

    @property
    def place(self) -> Place:
        return Place(self.transcript_id, self.reader.cue_index, self.reader.word_index)

    def travel_to(self, place: Place, step: int) -> None:
        """Show a place that one came from (``step`` -1), or goes on to (1)."""
        self._jumps = max(0, self._jumps + step)
        self.reader.focus()
        if place.transcript_id == self.transcript_id and self._transcript is not None:
            self.reader.go_to(place.cue, place.word)
            return
        self.query_one(FindBar).close()
        self.transcript_id, self._start = place.transcript_id, (place.cue, place.word)
        self.open_transcript()

    def go_to_line(self, number: int) -> None:
        if self._transcript is not None:
            self.go_to_place(Place(self.transcript_id, number - 1))

    @work(exclusive=True, group="time", exit_on_error=False)
    async def go_to_time(self, milliseconds: int) -> None:
        transcript = self._transcript
        if transcript is None or not transcript.duration_ms:
            self.say("this text has no times")
            return
        cue = await find_cue_at(self.service.transcripts, transcript, milliseconds)
        if transcript.id == self.transcript_id:
            self.go_to_place(Place(transcript.id, cue))

    @work(exclusive=True, group="of_word", exit_on_error=False)
    async def action_next_of_word(self) -> None:
        """Go to the next place of the word under the eye, in any of its forms; ``n`` and ``N`` go on from there."""
        if (here := self._under_eye) is None or not (word := here.text.focus):
            return
        lines = await self._look_ups.concordance(word, here.transcript.language)
        forms = {line.text[line.start : line.end] for line in lines}
        cues = sorted({line.cue_index for line in lines if line.transcript_id == here.transcript.id})
        places = WordPlaces(forms, cues, is_whole=bool(cues) and len(lines) < MAX_LINES)
        if here.transcript.id == self.transcript_id:
            self.query_one(FindBar).find_word(word, places)

    def action_find(self) -> None:
        self.query_one(FindBar).open()

    def action_back(self) -> None:
        """Close the nearest thing: the choice of a line, the search, the extension, the context, the reader.

        Where a line was opened, back to where that was done.
        """
        reader = self.reader
        if isinstance(self.focused, ConcordanceView):
            reader.focus()
        elif self.query_one(FindBar).is_open:
            self.query_one(FindBar).close()
        elif reader.cue_focus.is_extended:
            reader.drop_extension()
        elif reader.cue_focus.has_context:
            reader.action_no_context()
        elif self._jumps and isinstance(place := places_of(self.service).step(self.place, -1), Place):
            self.travel_to(place, -1)
        else:
            self.post_message(GoBack())

    # The film.

    def action_follow(self) -> None:
        self._film.follow_or_end()

    def action_pause(self) -> None:
        self._film.toggle_pause()

    def action_play(self) -> None:
        if (here := self._under_eye) is not None:
            self._film.play(here.transcript, here.text)

    def follow_status(self, following: Following | None) -> None:
        key = shown_key(self, "reader.follow")
        self.set_status("" if following is None else following.status(key, is_short=self.has_class("-narrow")))
        if following is not None and following.is_held and not following.is_hold_told:
            following.is_hold_told = True
            self.say(f"the text stays where you are; {key} follows mpv again")
        if self._can_pause != (can_pause := self._film.mpv is not None):
            self._can_pause = can_pause
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._can_pause if action == "pause" else super().check_action(action, parameters)

    def on_screen_suspend(self) -> None:
        self._film.pause_where_covered()

    def on_screen_resume(self) -> None:
        self._film.pause_where_covered()

    # What is done with the transcript as a whole.

    def action_readings(self) -> None:
        """Show the readings behind the characters, or hide them; where there are none, say what would bring them."""
        reader = self.reader
        if reader.shows_readings or self._pages.has_readings:
            reader.shows_readings = self._memory.shows_readings = not reader.shows_readings
        elif self._transcript is not None:
            self.say(no_readings(self._transcript.language))

    def action_translation(self) -> None:
        """Show the translations, or hide them; where there is no track, choose one."""
        if self._transcript is None:
            return
        if self._transcript.translation_id is None:
            self.choose_translation()
            return
        shown = self._memory.shows_translations = not self._memory.shows_translations
        self.reader.show_translations(self._pages.translation if shown else None)

    @work(exclusive=True, group="translation", exit_on_error=False)
    async def choose_translation(self) -> None:
        if await choose_track(self, self.transcript_id):
            self._memory.shows_translations = True
            self._start = None  # where the eye was, not where it began
            self.open_transcript()

    def action_alone(self) -> None:
        """Show one sentence at a time, in the middle and whole, or all of the text again; the transcript keeps that."""
        reader, alone = self.reader, self._memory.alone
        (alone.discard if reader.is_alone else alone.add)(self.transcript_id)
        reader.show_alone(not reader.is_alone)
        if reader.is_one_sentence != (self.transcript_id in alone | self._memory.whole_sentences):
            reader.toggle_one_sentence()

    def show_place(self) -> None:
        self.reader.put_in_middle()

    def _show_look(self) -> None:
        look = reading_look(self.app)
        self.reader.set_text_width(look.text_width)
        self.reader.set_spacing(look.line_spacing)

    def action_text_width(self, step: int) -> None:
        """Make the lines wider or narrower; the widest are as wide as there is room for."""
        room, width = self.query_one("#page").size.width - self.reader.text_column - 1, self.reader.text_width
        wanted = max(MIN_TEXT_WIDTH, width + step * _WIDTH_STEP)
        look = replace(reading_look(self.app), text_width=0 if wanted >= room else wanted)
        self.post_message(ReadingLookChosen(look.text_width, look.line_spacing))
        self.reader.set_text_width(look.text_width)

    def action_line_spacing(self) -> None:
        """Put one more free line between the lines of the text, after the most none."""
        look = reading_look(self.app)
        spacing = (look.line_spacing + 1) % (MAX_LINE_SPACING + 1)
        self.post_message(ReadingLookChosen(look.text_width, spacing))
        self.reader.set_spacing(spacing)

    @work(exclusive=True, group="note", exit_on_error=False)
    async def action_note(self) -> None:
        """Let people write a note on the sentence under the eye."""
        if (text := self.reader.focused) is not None and self._transcript is not None:
            cue = self._notes.place(text.first_cue, text.last_cue)
            await self._notes.write(self, self.transcript_id, cue)

    @work(group="bookmark", exit_on_error=False)
    async def action_bookmark(self) -> None:
        """Set a bookmark at the sentence under the eye, or take away the one that is there."""
        if (text := self.reader.focused) is not None and self._transcript is not None:
            await self._bookmarks.toggle(self, self.transcript_id, text.first_cue, text.last_cue)

    def action_one_sentence(self) -> None:
        """Put the focus on whole sentences, or on cues again; the transcript keeps that."""
        self.reader.toggle_one_sentence()
        sentences = self._memory.whole_sentences
        (sentences.add if self.reader.is_one_sentence else sentences.discard)(self.transcript_id)

    @work(exclusive=True, group="edit", exit_on_error=False)
    async def action_edit(self) -> None:
        if self._transcript is not None:
            await edit_transcript(self, self.transcript_id)

    def action_export(self) -> None:
        if self._transcript is not None and not self.work_in_progress:
            exporting = export_transcripts(self, (self.transcript_id,))
            self.run_worker(exporting, group="export", exit_on_error=False)

    @work(exclusive=True, group="changes", exit_on_error=False)
    async def action_changes(self) -> None:
        """Show what the import changed, and go to the cue that is chosen."""
        if self._transcript is None:
            return
        changed = await self.app.push_screen_wait(ImportChanges(self.service.transcripts, self._transcript.id))
        if changed is None:
            return
        if changed.cue_index is None:
            self.say("that cue was left out")
        else:
            self.reader.go_to(changed.cue_index)


def title_line(transcript: Transcript) -> Content:
    """Title of a transcript, with its language, its cues and its length."""
    facts = (language(transcript.language), count_of(transcript.cue_count, "cue"), clock(transcript.duration_ms))
    rest = "".join(f" · {fact}" for fact in facts if fact)
    return Content.styled(one_line(transcript.title), "bold $foreground") + Content(rest)
