"""Reader: one transcript, cue by cue and word by word; its keys, and the workers of what they begin.

What is decided stands in its parts: ``film``, ``places``, ``questions``, ``side_pane``, ``word_marking``, and the pages
of the text.
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
from textual.widgets import Static
from textual.worker import WorkerError

from tui.errors import LodeError
from tui.playing.mpv import MpvSource
from tui.records.clips import ConcordanceLine
from tui.records.transcripts import Transcript
from tui.records.word_summary import WordSummary
from tui.records.words import WordPlace
from tui.screens.clip_keeping import ClipKeeping, show_in_anki
from tui.screens.dialogs.dictionary_entry import DictionaryEntryScreen
from tui.screens.dialogs.own_word import write_own_word
from tui.screens.messages import GoBack, OpenBreakdown, OpenClips, SentenceLookedAt
from tui.screens.places import Place, places_of
from tui.screens.reader.film import Film, Following
from tui.screens.reader.find_bar import FindBar, WordPlaces
from tui.screens.reader.questions import MAX_LINES, UnderEye, WordLookUps, in_context
from tui.screens.reader.side_pane import PARTS, InContext, SidePane, SidePaneName, find_in_context
from tui.screens.reader.transcript_screen import TranscriptScreen
from tui.screens.retiming import RETIMING_COMMANDS
from tui.screens.section import EXPORT_WORK
from tui.screens.word_marking import TextMarking
from tui.service.protocol import Service
from tui.text.display import count_of
from tui.widgets.cards.focus_card import WordLine, WordPane
from tui.widgets.chrome.key_line import KeyLine, shown_key
from tui.widgets.chrome.notice import Notice
from tui.widgets.transcript.concordance_view import ConcordanceView
from tui.widgets.transcript.cue_lines import AtOffset, PlaceInCue
from tui.widgets.transcript.cue_reader import CueReader
from tui.widgets.transcript.pages import CuePart, WordStatePages

SETTLED_SECONDS = 0.12
"""Seconds that the focus rests on a word before it is looked up."""


class ReaderScreen(TranscriptScreen):
    """Screen of a transcript and of the word under the eye.

    ``follow``: the mpv to be followed from the beginning. While the text is covered, by a breakdown say, the mpv that
    is followed is paused. A key means the text at which it was pressed.
    """

    SECTION = "transcripts"
    SHOWS = frozenset({"cue", "growth", "clip", "answer", "word", "note", "bookmark", "mark"})
    LONG_WORK: ClassVar[Mapping[str, str]] = {"export": EXPORT_WORK}
    CSS_PATH: ClassVar = ["reader.tcss", "concordance.tcss", Path(__file__).parents[1] / "answer/token_log.tcss"]
    KEYLESS: ClassVar = (
        ("Line spacing", "one more free line between the lines, then none again", "line_spacing"),
        *RETIMING_COMMANDS,
        ("Mine the commonest words", "break down all new ones of the 3,000 commonest at once", "mine_commonest"),
    )
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
        Binding("m", "batch", "mark", tooltip="for the batch: the word, its sentence, none", id="reader.batch"),
        Binding("ampersand", "mine", "break down what is marked, all at once", show=False, id="reader.mine"),
        Binding("semicolon", "note", "note", tooltip="a note of yours on the sentence", show=False, id="reader.note"),
        Binding("minus", "text_width(-1)", "narrower lines", show=False, id="reader.narrower"),
        Binding("equals_sign", "text_width(1)", "wider lines", show=False, id="reader.wider"),
        Binding("R", "readings", "show how words are read, or no longer", show=False, id="reader.readings"),
        Binding("F", "put_right", "put its words or its times right", show=False, id="reader.put_right"),
        Binding("T", "translation", "show the translation track, or choose one", show=False, id="reader.translation"),
        Binding("y", "copy", "copy the sentence", show=False, id="reader.copy"),
        Binding("E", "edit", "edit title, language and encoding", show=False, id="reader.edit"),
        Binding("H", "edit_cue", "text and times of the line, by hand", show=False, id="reader.edit_cue"),
        Binding("S", "split_cue", "split the line before the word", show=False, id="reader.split_cue"),
        Binding("M", "merge_cue", "make one of the line and the next", show=False, id="reader.merge_cue"),
        Binding("a", "insert_cue", "write a new line behind this one", show=False, id="reader.insert_cue"),
        Binding("d", "delete_cue", "delete the line", show=False, id="reader.delete_cue"),
        Binding("comma", "shift(-1)", "the whole text 100 ms earlier", show=False, id="reader.earlier"),
        Binding("full_stop", "shift(1)", "the whole text 100 ms later", show=False, id="reader.later"),
        Binding(
            "plus", "said_now", "the line is said now, in the film: all lines with it", show=False, id="reader.said_now"
        ),
        Binding("e", "export", "export as .srt, .vtt, .txt or .json", show=False, id="reader.export"),
        Binding("I", "changes", "what the import changed, cue by cue", show=False, id="reader.changes"),
    ]

    _side = getters.query_one(SidePane)

    def __init__(
        self,
        service: Service,
        transcript_id: str,
        start: tuple[int, PlaceInCue] | None = None,
        follow: MpvSource | None = None,
        q: str = "",
    ) -> None:
        super().__init__(service, transcript_id, start, q)
        self._look_ups = WordLookUps(service.words)
        self._clips = ClipKeeping(self, "reader")
        self._marking = TextMarking(service.known_words, self, self.states_of)
        self._stepping = asyncio.Lock()
        self._film = Film(service, self._memory.films, self)
        self._follow_at_once = follow
        self._can_pause = False
        self._goes_on = ""

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="reading"):
            with Vertical(id="page"):
                with Horizontal(id="head"):
                    yield Static(id="title")
                    yield WordLine()
                yield (reader := CueReader(self.show_known))
                yield Notice()
                yield FindBar(reader, lambda query: self.service.transcripts.find(self.transcript_id, query))
            yield SidePane(self.service, self._look_ups, self._memory.side_pane)

    @property
    def _under_eye(self) -> UnderEye | None:
        """What is under the eye, None until it has been read."""
        transcript, text = self._transcript, self.reader.focused
        if transcript is None or text is None:
            return None
        translation = self._pages.translation_of(text.first_cue, text.last_cue)
        note = self._kept.notes_within(text.first_cue, text.last_cue)
        return UnderEye(transcript, text, self._look_ups.known(text), translation, note)

    @property
    def goes_on(self) -> str:
        return self._goes_on

    @property
    def _lemma(self) -> str:
        """Dictionary form of the word under the eye as far as it is known, "" where there is no word."""
        here = self._under_eye
        return "" if here is None or here.word is None else here.word.lemma or here.text.focus

    def on_mount(self) -> None:
        if self._follow_at_once is not None:
            self._memory.films[self.transcript_id] = self._follow_at_once
            self.action_follow()

    def read_anew(self) -> None:
        self._look_ups.clear()
        if self._has_other_cues:
            self._film.cues_changed()
        super().read_anew()
        if self.reader.focus_text:
            self.look_up()

    # The word under the eye.

    @on(CueReader.WordFocused)
    def _word_focused(self) -> None:
        reader = self.reader
        if self._transcript is None or self._transcript.id != self.transcript_id:
            return  # it is of the text before
        self.remember_place()
        modes = {"ALONE": reader.is_alone, "SENTENCE": reader.is_one_sentence and not reader.is_alone}
        modes["EXTEND"] = reader.cue_focus.anchor is not None
        self.query_one(KeyLine).mode = " ".join(name for name, is_on in modes.items() if is_on)
        self.look_up()
        self._film.eye_moved()

    @work(exclusive=True, group="word", exit_on_error=False)
    async def look_up(self) -> None:
        """Tell the app what is looked at, and ask the library about the word under the eye."""
        await asyncio.sleep(SETTLED_SECONDS)
        if (here := self._under_eye) is None:
            return
        self.post_message(SentenceLookedAt(here.breakdown))
        if not (word := here.text.focus):
            return
        tag, side = here.transcript.language, self._side
        looking = self._look_ups.summary(here.text, tag)
        try:
            if side.display and side.shown == "context":  # both at once: each of them waits for the database
                summary, _ = await asyncio.gather(looking, self._look_ups.concordance(word, tag))
            else:
                summary = await looking
        except LodeError as error:
            if self.reader.focused == here.text:
                self._show_word(word, message=error.message)
            return
        if self.reader.focused != here.text:
            return  # a step has shown another word meanwhile
        self._show_word(word, summary)
        if side.display:
            self.show_beside()

    def show_known(self) -> None:
        self._show_word(self.reader.focus_text, self._look_ups.known(self.reader.focused))
        self.query_one(FindBar).show_count()

    def _show_word(self, word: str, summary: WordSummary | None = None, message: str = "") -> None:
        reader = self.reader
        if summary is not None and (focused := reader.focused) is not None and focused.focus == word:
            summary = replace(summary, focus=in_context(summary.focus, focused))
        is_one = bool(word) and not reader.cue_focus.is_extended
        found = self._pages.states.word_at(reader.cue_index, reader.word_start) if is_one else None
        state = found.state if found is not None else ""
        key = shown_key(self, "reader.other_entry")
        note = self._kept.notes_within(reader.cue_focus.first_cue, reader.cue_focus.last_cue)
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
            self.look_up()
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

    # Beside the text.

    def action_side_pane(self) -> None:
        """Show the next pane beside the text; where there is no room for one, every place of the word by itself."""
        side = self._side
        if not side.display:
            self.choose_line()
            return
        if isinstance(self.focused, ConcordanceView):
            self.reader.focus()
        self._turn_to(PARTS[(PARTS.index(side.shown) + 1) % len(PARTS)])

    def _turn_to(self, name: SidePaneName) -> None:
        self._side.turn_to(name)
        self._memory.side_pane = name
        self.show_beside()

    def action_lines(self) -> None:
        """Let a line be chosen: beside the text, or on a screen of their own."""
        side = self._side
        if not side.display:
            self.choose_line()
            return
        if side.shown != "context":
            self._turn_to("context")
        side.concordance.view.focus()

    @work(exclusive=True, group="context", exit_on_error=False)
    async def show_beside(self) -> None:
        await self._side.show_of(self._under_eye)

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

    # Places.

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

    def action_said_now(self) -> None:
        """Move all lines so that the one under the eye begins at this moment of the film."""
        transcript, cue, moment = self._transcript, self.reader.cue, self._film.moment_ms
        if transcript is None or cue is None:
            return
        if moment is None:
            key = shown_key(self, "reader.follow")
            self.say(f"nothing is played that is followed: {key} follows the film")
        elif cue.start_ms is None:
            self.say("this text has no times")
        else:
            self.retime_to(transcript, cue, moment)

    def action_play(self) -> None:
        if (here := self._under_eye) is not None:
            self._film.play(here.transcript, here.text)

    def follow_status(self, following: Following | None) -> None:
        key = shown_key(self, "reader.follow")
        self._goes_on = "" if following is None else following.status(key, is_short=self.has_class("-narrow"))
        self.show_status()
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
