"""Base class of the reader: one transcript, opened and read anew, its places, its look, what is done with all of it."""

import asyncio
from abc import abstractmethod
from contextlib import ExitStack, suppress
from dataclasses import replace

from textual import getters, on, work
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.config import MAX_LINE_SPACING, MIN_TEXT_WIDTH
from tui.errors import LodeError
from tui.records.transcripts import Cue, ReadingPlace, Transcript
from tui.screens.looks import ReadingLook, reading_look
from tui.screens.messages import LibraryChanged, ReadingLookChosen
from tui.screens.places import Place, places_of
from tui.screens.reader import cue_editing
from tui.screens.reader.batch_marks import mine_commonest, mine_marked
from tui.screens.reader.find_bar import FindBar
from tui.screens.reader.import_changes import ImportChanges
from tui.screens.reader.kept_at_cues import KeptAtCues, toggle_bookmark
from tui.screens.reader.places import ReadOn, find_cue_at, memory_of
from tui.screens.reader.questions import no_readings
from tui.screens.retiming import SaidCue, retime_against, retime_by_sound, retime_to_said
from tui.screens.section import SectionScreen
from tui.screens.transcript_edit import choose_track, edit_transcript
from tui.screens.transcript_export import export_transcripts
from tui.service.protocol import Service
from tui.text.display import clock, count_of, language
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.notice import Notice
from tui.widgets.transcript.cue_lines import PlaceInCue
from tui.widgets.transcript.cue_reader import CueReader
from tui.widgets.transcript.pages import TranscriptPages

_WIDTH_STEP = 4
"""Cells by which lines become wider or narrower."""
_SHIFTED_SECONDS = 0.4
"""Seconds after which keys that move the text are one step: they follow each other faster."""
_KEPT_SECONDS = 1.0
"""Seconds until the library keeps where the eye is, while it moves; and those that closing waits for that."""


class TranscriptScreen(SectionScreen):
    """Screen of a transcript; ``start`` None: from where it was left, which the library keeps, else from its start.

    What ``q`` finds in it is marked.
    """

    reader = getters.query_one(CueReader)

    def __init__(
        self, service: Service, transcript_id: str, start: tuple[int, PlaceInCue] | None = None, q: str = ""
    ) -> None:
        super().__init__(service)
        self._memory = memory_of(service)
        self.transcript_id = transcript_id
        self._start = start
        self._transcript: Transcript | None = None
        """The transcript that is shown, None until it has been read."""
        self._pages = TranscriptPages()
        self._typed_ahead = ExitStack()
        """Keeps what is typed, which is meant for the text, until that is there."""
        self._is_unreadable = False
        self._has_other_cues = self._may_have_grown = False
        self._jumps = 0
        """Number of places here that one can still go back to with esc."""
        self._keeping: Timer | None = None
        self._read_on = ReadOn(0)
        self._searched_for = q
        self._kept = KeptAtCues()
        self._editing = asyncio.Lock()
        self._shifts: dict[str, int] = {}
        """Milliseconds by which keys have moved transcripts since the last step, by their ids."""
        self._shifting: Timer | None = None
        self._said: SaidCue | None = None
        """The cue that was said to be said last."""

    def on_mount(self) -> None:
        self._typed_ahead.enter_context(self.typed_kept())
        self.open_transcript()

    @on(CueReader.WordFocused)
    def _take_typed_ahead(self) -> None:
        self._typed_ahead.close()

    @work(exclusive=True, group="open", exit_on_error=False)
    async def open_transcript(self) -> None:
        try:
            transcript = await self.service.transcripts.get(self.transcript_id)
        except LodeError as error:
            self._say_why(error)
            return
        if self._shows_text_of(transcript):
            place = await self._memory.places.of(self.service.transcripts, transcript.id)
            await self._show_cues_anew(transcript, *place)
            return
        self._transcript, self.transcript_id = transcript, transcript.id
        self._read_on = ReadOn(transcript.read_cues or 0)
        self._pages = TranscriptPages.of(self.service.transcripts, self.service.known_words, transcript)
        self._is_unreadable = False
        self.remove_class("-nothing")
        self.query_one("#title", Static).update(title_line(transcript))
        if not transcript.cue_count:
            self._typed_ahead.close()
            heard = transcript.origin == "transcription"
            said = "Nothing was heard so far: what is comes here." if heard else "This transcript has no cues."
            self.query_one(Notice).say(said, (("esc", "back"),))
            self.add_class("-nothing")
            return
        cue, word = self._start or await self._memory.places.of(self.service.transcripts, transcript.id)
        self._read_on.come_to(cue, 0)  # keys may lead on before it is there
        self._kept = KeptAtCues()
        self.reader.show_alone(transcript.id in self._memory.alone)
        is_one_sentence = transcript.id in self._memory.whole_sentences | self._memory.alone
        self.reader.open(self._pages, cue, word, one_sentence=is_one_sentence)
        self._show_look(reading_look(self.app))
        if self._searched_for:
            self.query_one(FindBar).show(self._searched_for)
            self._searched_for = ""
        self.reader.shows_readings = self._memory.shows_readings
        self.read_signs()
        if self.focused is None:  # there was nothing to read before
            self.call_after_refresh(self.reader.focus)
        if transcript.translation_id is not None and self._memory.shows_translations:
            self.reader.show_translations(self._pages.translation)

    def _shows_text_of(self, transcript: Transcript) -> bool:
        """Whether it is this text that is shown, with other cues at most: then the eye stays, and so does the look."""
        shown = self._transcript
        if shown is None or self._start is not None or self.reader.cue is None or not transcript.cue_count:
            return False
        before, now = (
            (each.id, each.language, each.translation_id, each.duration_ms is None) for each in (shown, transcript)
        )
        return before == now

    async def _show_cues_anew(self, transcript: Transcript, cue: int, word: PlaceInCue) -> None:
        """Show the cues that the transcript has now, the eye at one of them."""
        self._transcript = transcript
        self.query_one("#title", Static).update(title_line(transcript))
        await self.reader.read_cues_anew(cue, word)
        self.remember_place()
        self.read_signs()

    @work(exclusive=True, group="signs", exit_on_error=False)
    async def read_signs(self) -> None:
        with suppress(LodeError):  # what is read without signs is read all the same
            await self._kept.read(self.service, self.transcript_id)
            self.reader.set_signs(self._kept.signs)
            self.show_status()
            self.show_known()

    def show_status(self) -> None:
        """Show in the top line what goes on, and how many words are marked for the batch."""
        ways = self._kept.batch.status(shown_key(self, "reader.mine"))
        self.set_status(*(" · ".join(filter(None, (self.goes_on, marked))) for marked in ways))

    @property
    def goes_on(self) -> str:
        """What goes on here, "" for nothing."""
        return ""

    @abstractmethod
    def show_known(self) -> None:
        """Show what is known of the word under the eye and its sentence."""

    @on(CueReader.ReadFailed)
    def _read_failed(self, message: CueReader.ReadFailed) -> None:
        if self.reader.cue is not None:
            self.say_error(message.error)  # what is there can still be read
        else:
            self._say_why(message.error)

    def _say_why(self, error: LodeError) -> None:
        self._typed_ahead.close()
        self._is_unreadable = True
        self.query_one(Notice).say_error(error, (("esc", "back"),))
        self.add_class("-nothing")

    def library_changed(self, kinds: frozenset[str]) -> None:
        self._has_other_cues = self._has_other_cues or "cue" in kinds
        self._may_have_grown = self._may_have_grown or "growth" in kinds
        super().library_changed(kinds)

    def read_anew(self) -> None:
        has_other_cues, self._has_other_cues = self._has_other_cues, False
        if has_other_cues and not self._is_unreadable:
            self._start = None  # where the eye was, not where it began
        may_have_grown, self._may_have_grown = self._may_have_grown, False
        if self._is_unreadable or has_other_cues:
            self.open_transcript()
        elif self._transcript is not None:
            if may_have_grown:
                self.take_up_growth()
            self.reader.read_missing()
            self.read_signs()
        self.reader.read_states_anew()

    @work(exclusive=True, group="growth", exit_on_error=False)
    async def take_up_growth(self) -> None:
        """Show what a transcription has heard meanwhile, behind what is there."""
        before = self._transcript
        with suppress(LodeError):  # the next look shows it
            transcript = await self.service.transcripts.get(self.transcript_id)
            if before is None or before.id != transcript.id or transcript.cue_count <= before.cue_count:
                return
            if not before.cue_count or transcript.language != before.language:
                self._start = None  # where the eye was, not where it began
                self.open_transcript()
                return
            await self._pages.read_end()
            self._transcript = transcript
            self.query_one("#title", Static).update(title_line(transcript))
            self.reader.take_up_growth(transcript.duration_ms)

    # Places that one goes to, comes back from, and reads on at.

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

    def remember_place(self) -> None:
        """Remember where the eye is, and have the library keep that soon."""
        reader = self.reader
        read = self._read_on.come_to(reader.cue_focus.last_cue, reader.size.height)
        self._memory.places.remember(self.transcript_id, ReadingPlace(reader.cue_index, reader.word_index, read))
        if self._keeping is None:
            self._keeping = self.set_timer(_KEPT_SECONDS, self.keep_places)

    @work(group="places", exit_on_error=False)
    async def keep_places(self) -> None:
        self._keeping = None
        await self._memory.places.keep(self.service.transcripts)
        self.app.post_message(LibraryChanged("place"))

    async def on_unmount(self) -> None:
        self._typed_ahead.close()
        if not self.service.trouble:
            with suppress(TimeoutError, LodeError):
                await asyncio.wait_for(self._keep_shift(), _KEPT_SECONDS)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._memory.places.keep(self.service.transcripts), _KEPT_SECONDS)
            self.app.post_message(LibraryChanged("place"))

    # How it looks.

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

    @work(exclusive=True, group="put_right", exit_on_error=False)
    async def action_put_right(self) -> None:
        from tui.screens.put_right import put_right

        await put_right(self, self.transcript_id)

    @work(exclusive=True, group="translation", exit_on_error=False)
    async def choose_translation(self) -> None:
        if await choose_track(self, self.transcript_id):
            self._memory.shows_translations = True
            self._start = None  # where the eye was, not where it began
            self.open_transcript()

    def action_one_sentence(self) -> None:
        """Put the focus on whole sentences, or on cues again; the transcript keeps that."""
        self.reader.toggle_one_sentence()
        sentences = self._memory.whole_sentences
        (sentences.add if self.reader.is_one_sentence else sentences.discard)(self.transcript_id)

    def action_alone(self) -> None:
        """Show one sentence at a time, in the middle and whole, or all of the text again; the transcript keeps that."""
        reader, alone = self.reader, self._memory.alone
        (alone.discard if reader.is_alone else alone.add)(self.transcript_id)
        reader.show_alone(not reader.is_alone)
        if reader.is_one_sentence != (self.transcript_id in alone | self._memory.whole_sentences):
            reader.toggle_one_sentence()

    def show_place(self) -> None:
        self.reader.put_in_middle()

    def action_text_width(self, step: int) -> None:
        """Make the lines wider or narrower; the widest are as wide as there is room for."""
        room, width = self.query_one("#page").size.width - self.reader.text_column - 1, self.reader.text_width
        wanted = max(MIN_TEXT_WIDTH, width + step * _WIDTH_STEP)
        self._choose_look(replace(reading_look(self.app), text_width=0 if wanted >= room else wanted))

    def action_line_spacing(self) -> None:
        """Put one more free line between the lines of the text, after the most none."""
        look = reading_look(self.app)
        self._choose_look(replace(look, line_spacing=(look.line_spacing + 1) % (MAX_LINE_SPACING + 1)))

    def _choose_look(self, look: ReadingLook) -> None:
        self.post_message(ReadingLookChosen(look))
        self._show_look(look)

    def _show_look(self, look: ReadingLook) -> None:
        self.reader.set_text_width(look.text_width)
        self.reader.set_spacing(look.line_spacing)

    # Its cues, by hand.

    def action_edit_cue(self) -> None:
        self._edit_by_hand(cue_editing.edit_cue)

    def action_insert_cue(self) -> None:
        self._edit_by_hand(cue_editing.insert_cue)

    def action_split_cue(self) -> None:
        self._edit_by_hand(cue_editing.split_cue)

    def action_merge_cue(self) -> None:
        self._edit_by_hand(cue_editing.merge_cue)

    def action_delete_cue(self) -> None:
        self._edit_by_hand(cue_editing.delete_cue)

    @work(group="edit_cue", exit_on_error=False)
    async def _edit_by_hand(self, edit: cue_editing.EditCue) -> None:
        """Edit the cue under the eye and show what came of it; keys pressed meanwhile mean what is there then."""
        async with self._editing:
            transcript, cue = self._transcript, self.reader.cue
            if transcript is None or cue is None:
                return
            place = await edit(self, transcript, cue, self.reader.word_start)
            self._said = None  # its number may be another cue's
            if place is not None and transcript.id == self.transcript_id:
                await self.show_edit(*place)

    async def show_edit(self, cue: int, word: PlaceInCue) -> None:
        """Show the cues as they are now, the eye at one of them, and have the other screens do so too."""
        await self._show_cues_anew(await self.service.transcripts.get(self.transcript_id), cue, word)
        self.app.post_message(LibraryChanged("transcript", "cue", "clip", "note", "bookmark"))

    def action_shift(self, step: int) -> None:
        """Move the text against its film; keys that follow each other closely are one step of undo."""
        if self._transcript is None or self._transcript.duration_ms is None:
            self.say("this text has no times")
            return
        moved = self._shifts.get(self.transcript_id, 0) + step * cue_editing.SHIFT_MS
        self._shifts[self.transcript_id] = moved
        if self._shifting is not None:
            self._shifting.stop()
        self._shifting = self.set_timer(_SHIFTED_SECONDS, self.shift_times)

    @work(group="edit_cue", exit_on_error=False)
    async def shift_times(self) -> None:
        if await self._keep_shift():
            await self.show_edit(self.reader.cue_index, self.reader.word_index)

    async def _keep_shift(self) -> bool:
        """Move the times by what was pressed; whether that was anything."""
        shifts, self._shifts = self._shifts, {}
        moved = [each for each in shifts.items() if each[1]]
        for transcript_id, ms in moved:
            await cue_editing.shift_transcript(self, transcript_id, ms)
        return bool(moved)

    @work(group="edit_cue", exit_on_error=False)
    async def retime_to(self, transcript: Transcript, cue: Cue, at_ms: int) -> None:
        """Retime a transcript so that a cue is said at a moment of its film."""
        async with self._editing:
            self._said = await retime_to_said(self, transcript.id, cue, at_ms, self._said)
            if transcript.id == self.transcript_id:
                await self.show_edit(self.reader.cue_index, self.reader.word_index)

    @work(exclusive=True, group="retime", exit_on_error=False)
    async def action_retime_by_sound(self) -> None:
        if self._transcript is not None:
            await retime_by_sound(self, self.transcript_id)

    @work(exclusive=True, group="retime", exit_on_error=False)
    async def action_retime_against(self) -> None:
        if self._transcript is not None:
            await retime_against(self, self.transcript_id)

    # What is done with it.

    @work(exclusive=True, group="note", exit_on_error=False)
    async def action_note(self) -> None:
        """Let people write a note on the sentence under the eye."""
        if (text := self.reader.focused) is not None and self._transcript is not None:
            await self._kept.write_note(self, self.transcript_id, text.first_cue, text.last_cue)

    @work(group="bookmark", exit_on_error=False)
    async def action_bookmark(self) -> None:
        """Set a bookmark at the sentence under the eye, or take away the one that is there."""
        if (text := self.reader.focused) is not None and self._transcript is not None:
            await toggle_bookmark(self, self.transcript_id, text.first_cue, text.last_cue)

    @work(group="batch", exit_on_error=False)
    async def action_batch(self) -> None:
        """Mark the word for the batch, then its sentence, then neither."""
        if (text := self.reader.focused) is None or self._transcript is None:
            return
        if text.focus:
            await self._kept.batch.mark_next(self, self.transcript_id, text)
            self.read_signs()
        else:
            self.say("there is no word in this cue to be marked")

    @work(exclusive=True, group="mine", exit_on_error=False)
    async def action_mine(self) -> None:
        """Have what is marked broken down."""
        await mine_marked(self, self.transcript_id)

    @work(exclusive=True, group="mine", exit_on_error=False)
    async def action_mine_commonest(self) -> None:
        await mine_commonest(self, self.transcript_id)

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
