"""Marking words: the states that keys give them, in the reader and in the lists of words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

from tui.records.words import TextWord, WordMark
from tui.screens.messages import LibraryChanged

if TYPE_CHECKING:
    from tui.records.transcripts import Transcript
    from tui.records.word_states import WordState
    from tui.service.protocol.words import KnownWords
    from tui.widgets.transcript.pages import CuePart, WordStatePages

NEXT_STATE: Mapping[WordState, WordState] = {
    "new": "learning",
    "seen": "learning",
    "learning": "known",
    "known": "ignored",
    "ignored": "new",
}
"""State → the one that the key for the next state gives."""


def next_mark(word: TextWord, language: str | None) -> WordMark:
    """The word in the state that follows its own."""
    return WordMark(language or "", word.lemma, word.reading, NEXT_STATE[word.state])


def known_marks(words: Iterable[TextWord], language: str | None) -> tuple[WordMark, ...]:
    """Those of the words that are new, or were only looked up, as known, each once; what is learned goes on."""
    unknown = (word for word in words if word.state in ("new", "seen"))
    return tuple(dict.fromkeys(WordMark(language or "", word.lemma, word.reading, "known") for word in unknown))


class MarkingView(Protocol):
    """Screen on which words are marked, as far as marking needs it."""

    async def show_marks(self) -> None:
        """Show the states that words have now."""

    def post_message(self, message: Message) -> bool: ...


class WordMarking:
    """Marking of words on one screen: marks wait for those before them, and for these to be shown."""

    def __init__(self, known_words: KnownWords, view: MarkingView) -> None:
        self._known_words = known_words
        self._view = view
        self._lock = asyncio.Lock()

    async def mark(self, find_marks: Callable[[], Sequence[WordMark] | None]) -> int | None:
        """Mark the words that are found when it is their turn; how many have another state now.

        So a key that is pressed again goes on from the state that the first press gave. None where nothing is to be
        marked any more. Raises ``LodeError``.
        """
        async with self._lock:
            marks = find_marks()
            if not marks:
                return None if marks is None else 0
            count = await self._known_words.mark(marks)
            await self._view.show_marks()
            self._view.post_message(LibraryChanged("word"))
            return count


class TextMarking(WordMarking):
    """Marking of words in the transcript that is read: a key means the text at which it was pressed."""

    def __init__(
        self, known_words: KnownWords, view: MarkingView, states_of: Callable[[str], WordStatePages | None]
    ) -> None:
        """``states_of`` gives the states of a transcript's words, None where another one is read by now."""
        super().__init__(known_words, view)
        self._states_of = states_of

    async def mark_next(self, transcript: Transcript, cue: int, start: int) -> None:
        """Give the word at a code point of a cue its next state."""

        def find_mark() -> Sequence[WordMark] | None:
            states = self._states_of(transcript.id)
            word = states.word_at(cue, start) if states is not None else None
            return None if word is None else (next_mark(word, transcript.language),)

        await self.mark(find_mark)

    async def know(self, transcript: Transcript, parts: Sequence[CuePart]) -> int | None:
        """Mark the new words in parts of cues as known; as ``mark``."""

        def find_marks() -> Sequence[WordMark] | None:
            states = self._states_of(transcript.id)
            return None if states is None else known_marks(states.words_in(parts), transcript.language)

        return await self.mark(find_marks)
