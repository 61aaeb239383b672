"""Base class of the reader's screen: gives the words of a transcript other states, and goes to those that are new."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from textual import work
from textual.worker import WorkerError

from tui.errors import LodeError
from tui.records.transcripts import Transcript
from tui.records.words import WordMark, WordPlace
from tui.screens.messages import LibraryChanged
from tui.screens.reader.transcript_screen import TranscriptScreen
from tui.screens.reader.word_marks import known_marks, next_mark
from tui.service.protocol import Service
from tui.text.display import count_of
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.transcript.cue_lines import AtOffset, PlaceInCue


class WordStateScreen(TranscriptScreen):
    """Screen of a transcript whose words have states; subclasses bind its actions to keys.

    A key means the text at which it was pressed: marks and steps wait for those before them.
    """

    def __init__(self, service: Service, transcript_id: str, start: tuple[int, PlaceInCue] | None) -> None:
        super().__init__(service, transcript_id, start)
        self._marking = asyncio.Lock()
        self._stepping = asyncio.Lock()

    def action_word_state(self) -> None:
        if self._transcript is not None:
            self.mark_word(self._transcript, self.reader.cue_index, self.reader.word_start)

    @work(group="mark", exit_on_error=False)
    async def mark_word(self, transcript: Transcript, cue: int, start: int) -> None:
        """Give a word its next state; a key pressed again goes on from the one that the first press gave it."""
        async with self._marking:
            if transcript.id != self._transcript_id:
                return  # another one is read by now, whose words are others
            if (word := self.reader.state_at(cue, start)) is not None:
                await self._mark((next_mark(word, transcript.language),))

    def action_know_sentence(self) -> None:
        if self._transcript is not None:
            self.know_words(self._transcript, self.reader.sentence_parts)

    @work(group="mark", exit_on_error=False)
    async def know_words(self, transcript: Transcript, parts: Sequence[tuple[int, int, int]]) -> None:
        """Mark the new words in parts of cues as known, and say how many."""
        async with self._marking:
            if transcript.id != self._transcript_id:
                return  # likewise
            marks = known_marks(self.reader.states_in(parts), transcript.language)
            count = await self._mark(marks) if marks else 0
            if count is not None:
                undoes = f" · {shown_key(self, 'undo')} undoes it" if count else ""
                said = f"{count_of(count, 'word')} marked as known" if count else "no word of this sentence is new"
                self.notify(said + undoes, markup=False)

    async def _mark(self, marks: Sequence[WordMark]) -> int | None:
        """Mark words, and show that wherever they stand; None where it failed, which is said."""
        try:
            count = await self.service.known_words.mark(marks)
        except LodeError as error:
            self._complain(error)
            return None
        if (reading := self.reader.read_states_anew()) is not None:
            with suppress(WorkerError):  # another transcript is shown by now, or why not was said: the marks are there
                await reading.wait()
        self.post_message(LibraryChanged("word"))
        return count

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
            transcript_id = self._transcript_id
            try:
                place = await find(transcript_id, self.reader.cue_index, self.reader.word_start)
            except LodeError as error:
                self._complain(error)
                return
            if transcript_id != self._transcript_id:
                return
            if place is None:
                self.notify(nothing, markup=False)
            else:
                self.reader.go_to_cue(place.cue, AtOffset(place.start))
