"""Places of new words in a transcript: the next one, and the next in a sentence where nothing else is unknown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from tui.records.words import CueStates, WordPlace
from tui.service.library import Library
from tui.service.words.counts import TranscriptCounter

if TYPE_CHECKING:
    from tui.store import Store
    from tui.store.known_words.new_words import SentencePlace

BEYOND_CUE = 2**31
"""Offset behind all of a cue."""
_AT_ONCE = 20
_MOST_CUES = 13
"""Cues that the last sentence may have, and one more."""

StatesOf = Callable[[str, int, int], Awaitable[Sequence[CueStates]]]
"""States of the words of cues: of a transcript, from an offset on, so many."""


async def next_place(
    library: Library,
    counter: TranscriptCounter,
    states_of: StatesOf,
    transcript_id: str,
    behind: tuple[int, int],
    *,
    one_new: bool,
) -> WordPlace | None:
    """The first new word behind a cue and an offset in it; ``one_new``: where all else in its sentence is known."""
    known = await counter.known_states()
    (transcript,) = await counter.cut((transcript_id,))
    place = behind

    def read(store: Store) -> list[SentencePlace]:
        return store.new_words.sentences_from(library.profile, transcript, known, place, _AT_ONCE, one_new=one_new)

    while sentences := await library.run(read):
        for sentence in sentences:
            end = _MOST_CUES if sentence.end_cue is None else sentence.end_cue - sentence.cue + 1
            cues = await states_of(transcript.id, sentence.cue, end)
            if found := _first_new(cues, sentence, behind):
                return found
        if len(sentences) < _AT_ONCE or sentences[-1].end_cue is None:
            return None
        place = sentences[-1].end_cue, sentences[-1].end_offset
    return None


def _first_new(cues: Sequence[CueStates], sentence: SentencePlace, behind: tuple[int, int]) -> WordPlace | None:
    end = None if sentence.end_cue is None else (sentence.end_cue, sentence.end_offset)
    for cue in cues:
        for word in cue.words:
            at = cue.index, word.start
            if word.state == "new" and at > behind and at >= (sentence.cue, sentence.offset) and (not end or at < end):
                return WordPlace(cue.index, word.start, word.end)
    return None
