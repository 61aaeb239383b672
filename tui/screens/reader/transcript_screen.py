"""Base class of the reader's screen: shows a transcript, finds in it, and does what is done with it as a whole."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.errors import LodeError, NotFound, in_one_line
from tui.records.transcripts import ReadingPlace, Transcript
from tui.screens.reader.find_bar import FindBar
from tui.screens.reader.import_changes import ImportChanges
from tui.screens.reader.places import Place, Places
from tui.screens.reader.questions import no_readings
from tui.screens.reader.reader_memory import memory_of
from tui.screens.reader.side_pane import SidePane
from tui.screens.reader.transcript_pages import TranscriptPages
from tui.screens.section import SectionScreen
from tui.screens.transcript_export import EXPORT_WORK, export_transcripts
from tui.service.protocol import Service
from tui.text.display import clock, count_of, language
from tui.text.sanitize import one_line
from tui.widgets.cards.word_pane import WordLine
from tui.widgets.chrome.notice import Notice
from tui.widgets.transcript.cue_lines import PlaceInCue
from tui.widgets.transcript.cue_reader import CueReader

_KEPT_SECONDS = 1.0
"""Seconds until the library keeps where the eye is, while it moves; and those that closing waits for that."""


class TranscriptScreen(SectionScreen):
    """Screen of one transcript in a cue reader, beside a pane that subclasses fill.

    It begins at a word of a cue or, without one, where the transcript was left, which the library keeps.
    ``_transcript`` is None until it has been read.
    """

    SECTION = "transcripts"
    LONG_WORK: ClassVar[Mapping[str, str]] = {"export": EXPORT_WORK}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("z", "one_sentence", "one sentence", tooltip="whole sentences, across cues", id="reader.one_sentence"),
        Binding("R", "readings", "show how words are read, or no longer", show=False, id="reader.readings"),
        Binding("T", "translation", "show the translation track, or choose one", show=False, id="reader.translation"),
        Binding("y", "copy", "copy the sentence", show=False, id="reader.copy"),
        Binding("E", "edit", "edit title, language and encoding", show=False, id="reader.edit"),
        Binding("e", "export", "export as .srt, .vtt, .txt or .json", show=False, id="reader.export"),
        Binding("I", "changes", "what the import changed, cue by cue", show=False, id="reader.changes"),
        Binding("less_than_sign", "place(-1)", "back to the place one came from", show=False, id="reader.place_back"),
        Binding("greater_than_sign", "place(1)", "forward again", show=False, id="reader.place_forward"),
    ]

    def __init__(self, service: Service, transcript_id: str, start: tuple[int, PlaceInCue] | None) -> None:
        super().__init__(service)
        self._memory = memory_of(service)
        self._transcript_id = transcript_id
        self._start = start
        self._transcript: Transcript | None = None
        self._pages: TranscriptPages | None = None
        self._places = Places()
        self._is_unreadable = False
        self._has_other_cues = False
        self._keeping: Timer | None = None

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="reading"):
            with Vertical(id="page"):
                with Horizontal(id="head"):
                    yield Static(id="title")
                    yield WordLine()
                yield CueReader()
                yield Notice()
                yield FindBar(lambda query: self.service.transcripts.find(self._transcript_id, query))
            side = SidePane()
            side.shown = self._memory.side_pane
            yield side

    @property
    def reader(self) -> CueReader:
        return self.query_one(CueReader)

    def on_mount(self) -> None:
        self.open_transcript()

    # The transcript.

    @work(exclusive=True, group="open", exit_on_error=False)
    async def open_transcript(self) -> None:
        try:
            transcript = await self.service.transcripts.get(self._transcript_id)
        except LodeError as error:
            self._say_why(error)
            return
        self._transcript = transcript
        self._pages = pages = TranscriptPages(self.service.transcripts, self.service.known_words, transcript)
        self._transcript_id = transcript.id
        self._is_unreadable = False
        self.remove_class("-nothing")
        self.query_one("#title", Static).update(title_line(transcript))
        if not transcript.cue_count:
            self.query_one(Notice).say("This transcript has no cues.", (("esc", "back"),))
            self.add_class("-nothing")
            return
        cue, word = self._start if self._start is not None else await self._left_at(transcript.id)
        self.reader.open(
            pages.cues,
            transcript.cue_count,
            language=transcript.language,
            duration_ms=transcript.duration_ms,
            cue=cue,
            word=word,
            fetch_words=pages.words,
            fetch_states=pages.states,
            one_sentence=transcript.id in self._memory.whole_sentences,
        )
        self.reader.shows_readings = self._memory.shows_readings
        self.mark_cues_with_clips()
        if transcript.translation_id is not None and self._memory.shows_translations:
            self.reader.show_translations(pages.translation)

    async def _left_at(self, transcript_id: str) -> tuple[int, int]:
        """The cue and the word at which the transcript was left."""
        place = self._memory.places.get(transcript_id)
        with suppress(LodeError):  # what can be read is read from its start then
            place = place or await self.service.transcripts.place(transcript_id)
        return (0, 0) if place is None else (place.cue_index, place.word_index)

    def remember_place(self) -> None:
        """Remember where the eye is, and have the library keep it soon."""
        self._memory.places[self._transcript_id] = ReadingPlace(self.reader.cue_index, self.reader.word_index)
        if self._keeping is None:
            self._keeping = self.set_timer(_KEPT_SECONDS, self.keep_places)

    @work(group="places", exit_on_error=False)
    async def keep_places(self) -> None:
        self._keeping = None
        await self._keep_places()

    async def _keep_places(self) -> None:
        """Keep the remembered places in the library; what it cannot keep stays remembered while the app is open."""
        places = self._memory.places
        for transcript_id, place in tuple(places.items()):
            try:
                await self.service.transcripts.leave_at(transcript_id, place)
            except NotFound:
                places.pop(transcript_id, None)
            except LodeError:
                return
            if places.get(transcript_id) == place:
                del places[transcript_id]

    async def on_unmount(self) -> None:
        if not self.service.trouble:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._keep_places(), _KEPT_SECONDS)

    @work(exclusive=True, group="clips", exit_on_error=False)
    async def mark_cues_with_clips(self) -> None:
        """Mark the cues that have clips."""
        try:
            self.reader.set_cues_with_clips(await self.service.clips.cues_of(self._transcript_id))
        except LodeError:
            return  # what is read without marks is read all the same

    @on(CueReader.ReadFailed)
    def _read_failed(self, message: CueReader.ReadFailed) -> None:
        if self.reader.cue is not None:
            self._complain(message.error)  # what is there can still be read
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
        if self._has_other_cues and not self._is_unreadable:
            self._start = None  # where the eye was, not where it began
        if self._is_unreadable or self._has_other_cues:
            self.open_transcript()
        if self._transcript is None or self._is_unreadable or self._has_other_cues:
            self._has_other_cues = False
            return
        self.reader.read_missing()
        self.mark_cues_with_clips()

    def action_readings(self) -> None:
        """Show the readings behind the characters, or hide them; where there are none, say what would bring them."""
        reader = self.reader
        if reader.shows_readings or reader.has_readings:
            reader.shows_readings = self._memory.shows_readings = not reader.shows_readings
        elif self._transcript is not None:
            self.notify(no_readings(self._transcript.language), markup=False)

    def action_translation(self) -> None:
        """Show the translations, or hide them; where there is no track, choose one."""
        if self._transcript is None or self._pages is None:
            return
        if self._transcript.translation_id is None:
            self.choose_translation()
            return
        shown = self._memory.shows_translations = not self._memory.shows_translations
        self.reader.show_translations(self._pages.translation if shown else None)

    @work(exclusive=True, group="translation", exit_on_error=False)
    async def choose_translation(self) -> None:
        from tui.screens.translation_track import choose_track

        if await choose_track(self, self._transcript_id):
            self._memory.shows_translations = True
            self._start = None  # where the eye was, not where it began
            self.open_transcript()

    def action_one_sentence(self) -> None:
        """Put the focus on whole sentences, or on cues again; the transcript keeps that."""
        self.reader.toggle_one_sentence()
        sentences = self._memory.whole_sentences
        (sentences.add if self.reader.is_one_sentence else sentences.discard)(self._transcript_id)

    def action_copy(self) -> None:
        if (focused := self.reader.focused) is not None:
            self.app.copy_to_clipboard(focused.sentence)
            self.notify("the sentence was sent to the clipboard", markup=False)

    @work(exclusive=True, group="edit", exit_on_error=False)
    async def action_edit(self) -> None:
        from tui.screens.transcript_edit import edit_transcript

        if self._transcript is not None:
            await edit_transcript(self, self._transcript_id)

    def action_export(self) -> None:
        if self._transcript is not None and not self.work_in_progress:
            self.export()

    @work(exclusive=True, group="export", exit_on_error=False)
    async def export(self) -> None:
        await export_transcripts(self, (self._transcript_id,))

    @work(exclusive=True, group="changes", exit_on_error=False)
    async def action_changes(self) -> None:
        """Show what the import changed, and go to the cue that is chosen."""
        if self._transcript is None:
            return
        changed = await self.app.push_screen_wait(ImportChanges(self.service.transcripts, self._transcript.id))
        if changed is None:
            return
        if changed.cue_index is None:
            self.notify("that cue was left out", markup=False)
        else:
            self.reader.go_to_cue(changed.cue_index)

    def _complain(self, error: LodeError) -> None:
        self.notify(in_one_line(error), severity="error", markup=False)

    # Places that one goes to, and comes back from.

    def go_to_place(self, place: Place) -> None:
        """Go to a place in this transcript or another one; ``action_place`` leads back."""
        self._places.leave(self._here)
        self._show_place(place)

    @property
    def _here(self) -> Place:
        return Place(self._transcript_id, self.reader.cue_index, self.reader.word_index)

    def action_place(self, step: int) -> None:
        """Go back to the place one came from, or forward again."""
        places = self._places
        if (place := places.back(self._here) if step < 0 else places.forward(self._here)) is not None:
            self._show_place(place)

    def _show_place(self, place: Place) -> None:
        self.reader.focus()
        if place.transcript_id == self._transcript_id and self._transcript is not None:
            self.reader.go_to_cue(place.cue, place.word)
            return
        if self.query_one(FindBar).is_open:
            self._close_find()
        self._transcript_id, self._start = place.transcript_id, (place.cue, place.word)
        self.open_transcript()

    # Finding.

    def action_find(self) -> None:
        self.query_one(FindBar).open()

    def _close_find(self) -> None:
        self.query_one(FindBar).close()
        self.reader.set_hits((), "")
        self.reader.focus()

    @on(FindBar.Found)
    def _found(self, message: FindBar.Found) -> None:
        self.reader.set_hits(message.cues, message.query)
        if message.go and message.cues:
            self.reader.first_hit()
            self.reader.focus()
        self._show_count()

    @on(FindBar.Failed)
    def _find_failed(self, message: FindBar.Failed) -> None:
        self._complain(message.error)

    def _show_count(self) -> None:
        self.query_one(FindBar).show_count(self.reader.hit_number)


def title_line(transcript: Transcript) -> Content:
    """Title of a transcript, with its language, its cues and its length."""
    facts = (language(transcript.language), count_of(transcript.cue_count, "cue"), clock(transcript.duration_ms))
    rest = "".join(f" · {fact}" for fact in facts if fact)
    return Content.styled(one_line(transcript.title), "bold $foreground") + Content(rest)
