"""Reader: one transcript, cue by cue and word by word, with look-ups, clips and breakdowns of the focused word."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from tui.errors import LodeError, in_one_line
from tui.records.clips import NewClip
from tui.records.transcripts import Transcript
from tui.records.words import WordSummary
from tui.screens.messages import GoBack, LibraryChanged, News, OpenBreakdown, SentenceLookedAt
from tui.screens.reader.find_bar import FindBar
from tui.screens.reader.import_changes import ImportChanges
from tui.screens.reader.questions import breakdown_request, clip_draft, explain_request, in_context, no_readings
from tui.screens.reader.reader_memory import memory_of
from tui.screens.reader.transcript_pages import TranscriptPages
from tui.screens.section import SectionScreen
from tui.screens.transcript_export import EXPORT_WORK, export_transcripts
from tui.service.protocol import Service
from tui.text.display import clock, count_of, language
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.chrome.notice import Notice
from tui.widgets.transcript.cue_reader import CueReader
from tui.widgets.transcript.focused_text import FocusedText
from tui.widgets.transcript.word_pane import WordLine, WordPane

_SETTLED_SECONDS = 0.12
"""Seconds that the focus rests on a word before it is looked up."""


class ReaderScreen(SectionScreen):
    """Screen of a transcript; ``cue_index`` None: from where it was left in this session, else from its start."""

    SECTION = "transcripts"
    SHOWS = frozenset({"cue", "clip", "answer"})
    CSS_PATH = "reader.tcss"
    AUTO_FOCUS = "CueReader"
    KEYED_WIDGETS = (CueReader,)
    LONG_WORK: ClassVar[Mapping[str, str]] = {"export": EXPORT_WORK}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "explain", "explain", tooltip="explain the whole sentence", id="reader.explain"),
        Binding("c", "clip", "clip", tooltip="save a clip straight away", id="reader.clip"),
        Binding("slash", "find", "find", id="reader.find"),
        Binding("z", "one_sentence", "one sentence", tooltip="whole sentences, across cues", id="reader.one_sentence"),
        Binding("R", "readings", "show how words are read, or no longer", show=False, id="reader.readings"),
        Binding("T", "translation", "show the translation track, or choose one", show=False, id="reader.translation"),
        Binding("y", "copy", "copy the sentence", show=False, id="reader.copy"),
        Binding("E", "edit", "edit title, language and encoding", show=False, id="reader.edit"),
        Binding("e", "export", "export as .srt, .vtt, .txt or .json", show=False, id="reader.export"),
        Binding("I", "changes", "what the import changed, cue by cue", show=False, id="reader.changes"),
        Binding("escape", "back", "back", show=False, id="reader.back"),
    ]

    def __init__(self, service: Service, transcript_id: str, cue_index: int | None = None) -> None:
        super().__init__(service)
        self._memory = memory_of(service)
        self._transcript_id = transcript_id
        self._cue_index = cue_index
        self._transcript: Transcript | None = None
        self._summaries: dict[tuple[str, str], WordSummary] = {}
        """Summaries by word and sentence, which may make a phrase of it."""
        self._is_unreadable = False
        self._has_other_cues = False
        self._saving = asyncio.Lock()
        self._pages: TranscriptPages | None = None

    def compose_body(self) -> ComposeResult:
        with Horizontal(id="reading"):
            with Vertical(id="page"):
                with Horizontal(id="head"):
                    yield Static(id="title")
                    yield WordLine()
                yield CueReader()
                yield Notice()
                yield FindBar(lambda query: self.service.transcripts.find(self._transcript_id, query))
            yield WordPane()

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
        self._pages = pages = TranscriptPages(self.service.transcripts, transcript)
        self._transcript_id = transcript.id
        self._is_unreadable = False
        self.remove_class("-nothing")
        self.query_one("#title", Static).update(_title(transcript))
        if not transcript.cue_count:
            self.query_one(Notice).say("This transcript has no cues.", (("esc", "back"),))
            self.add_class("-nothing")
            return
        cue, word = self._memory.places.get(transcript.id, (0, 0))
        if self._cue_index is not None:
            cue, word = self._cue_index, 0
        self.reader.open(
            pages.cues,
            transcript.cue_count,
            language=transcript.language,
            duration_ms=transcript.duration_ms,
            cue=cue,
            word=word,
            fetch_words=pages.words,
            one_sentence=transcript.id in self._memory.whole_sentences,
        )
        self.reader.shows_readings = self._memory.shows_readings
        self.mark_cues_with_clips()
        if transcript.translation_id is not None and self._memory.shows_translations:
            self.reader.show_translations(pages.translation)

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

    # The word under the eye.

    @on(CueReader.WordFocused)
    def _word_focused(self) -> None:
        reader = self.reader
        self._memory.places[self._transcript_id] = (reader.cue_index, reader.word_index)
        word = reader.focus_text
        modes = {"SENTENCE": reader.is_one_sentence, "EXTEND": reader.cue_focus.anchor is not None}
        self.query_one(KeyLine).mode = " ".join(name for name, is_on in modes.items() if is_on)
        self._show_word(word, self._known(reader.focused))
        self._show_count()
        self.look_up(word)

    @work(exclusive=True, group="word", exit_on_error=False)
    async def look_up(self, word: str) -> None:
        """Tell the app what is looked at, and ask the library about the word."""
        await asyncio.sleep(_SETTLED_SECONDS)
        focused = self.reader.focused
        if self._transcript is not None and focused is not None:
            self.post_message(SentenceLookedAt(breakdown_request(self._transcript, focused)))
        known, sentence = self._known(focused), focused.sentence if focused is not None else ""
        if not word or self._transcript is None or (known is not None and known.focus.lemma is not None):
            return  # one without a lemma is asked for again: the dictionary may be ready by now
        try:
            summary = await self.service.words.summary(word, language=self._transcript.language, sentence=sentence)
        except LodeError as error:
            self._show_word(word, message=error.message)
            return
        self._summaries[word, sentence] = summary
        self._show_word(word, summary)

    def _known(self, focused: FocusedText | None) -> WordSummary | None:
        return None if focused is None else self._summaries.get((focused.focus, focused.sentence))

    def _show_word(self, word: str, summary: WordSummary | None = None, message: str = "") -> None:
        if summary is not None and (focused := self.reader.focused) is not None and focused.focus == word:
            summary = replace(summary, focus=in_context(summary.focus, focused))
        self.query_one(WordPane).show(word, summary, message)
        self.query_one(WordLine).show(word, summary)

    def library_changed(self, kinds: frozenset[str]) -> None:
        self._has_other_cues = self._has_other_cues or "cue" in kinds
        super().library_changed(kinds)

    def read_anew(self) -> None:
        self._summaries.clear()
        if self._has_other_cues and not self._is_unreadable:
            self._cue_index = None  # where the eye was, not where it began
        if self._is_unreadable or self._has_other_cues:
            self.open_transcript()
        if self._transcript is None or self._is_unreadable or self._has_other_cues:
            self._has_other_cues = False
            return
        self.reader.read_missing()
        self.mark_cues_with_clips()
        if word := self.reader.focus_text:
            self.look_up(word)

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
            self.save_clip(self._draft(transcript, focused))

    def _draft(self, transcript: Transcript, focused: FocusedText) -> NewClip:
        translation = self._pages.translation_of(focused.first_cue, focused.last_cue) if self._pages is not None else ""
        return clip_draft(transcript, focused, self._known(focused), translation)

    @work(group="clip", exit_on_error=False)
    async def save_clip(self, draft: NewClip) -> None:
        """Save the word in its cue, unless a clip of it is there already: a key pressed twice is no second clip."""
        try:
            async with self._saving:
                if await self._is_saved(draft):
                    self.notify("it is already saved", markup=False)
                    return
                clip = await self.service.clips.add(draft)
        except LodeError as error:
            self._complain(error)
            return
        name = clip.focus.surface if clip.focus else clip.sentence
        self.post_message(News("clip saved", {"saved": 1}, noun="clip", name=name))
        self.post_message(LibraryChanged("clip"))

    async def _is_saved(self, draft: NewClip) -> bool:
        if draft.transcript_id is None or draft.cue_index is None:
            return False
        surface = draft.focus.surface if draft.focus is not None else ""
        return await self.service.clips.has(draft.transcript_id, draft.cue_index, surface)

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
            self._cue_index = None  # where the eye was, not where it began
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

    def action_back(self) -> None:
        """Close the nearest thing: the search, the extension, the context, the reader."""
        reader = self.reader
        if self.query_one(FindBar).is_open:
            self._close_find()
        elif reader.cue_focus.is_extended:
            reader.drop_extension()
        elif reader.cue_focus.has_context:
            reader.action_no_context()
        else:
            self.post_message(GoBack())

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


def _title(transcript: Transcript) -> Content:
    facts = (language(transcript.language), count_of(transcript.cue_count, "cue"), clock(transcript.duration_ms))
    rest = "".join(f" · {fact}" for fact in facts if fact)
    return Content.styled(one_line(transcript.title), "bold $foreground") + Content(rest)
