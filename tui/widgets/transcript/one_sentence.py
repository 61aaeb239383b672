"""One-sentence mode of the reader: the focus is on the whole sentence, across neighbouring cues or inside of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tui.language.cue_sentences import MAX_CUES, SAMPLE, CueSentence, cuts_sentences, find_sentence_at
from tui.records.transcripts import Cue
from tui.widgets.transcript.cue_focus import CueFocus
from tui.widgets.transcript.cue_layout import CueLayout, shown_text
from tui.widgets.transcript.viewport import CueView


class OneSentence:
    """Mode of one reader; cues that are not at hand yet count as the ends of sentences until they are."""

    def __init__(self, view: CueView, *, is_on: bool = False) -> None:
        self._view = view
        self._cutting: bool | None = None
        self.is_on = is_on

    def cues_needed(self, cue: int) -> tuple[tuple[int, int], ...]:
        """First and last index of the cues that tell where the sentences of this one end."""
        return ((0, SAMPLE - 1), (cue - MAX_CUES, cue + MAX_CUES)) if self.is_on else ()

    def focused(self, focus: CueFocus) -> CueFocus:
        """The focus with its sentence while the mode is on; what was extended in another sentence is dropped."""
        sentence = self._sentence(focus) if self.is_on else None
        if focus.sentence is None or sentence is None or focus.sentence.parts == sentence.parts:
            return replace(focus, sentence=sentence)
        return replace(focus.collapsed(), sentence=sentence)

    def contains(self, focus: CueFocus, cue: int, word: int) -> bool:
        """Whether a word is in the focused sentence; without the mode, whether it is in the focused cue."""
        layout = self._view.layout(cue)
        if focus.sentence is None or layout is None:
            return cue == focus.cue
        place = layout.words[word].start if 0 <= word < len(layout.words) else 0
        return any(part.cue == cue and part.start <= place < part.end for part in focus.sentence.parts)

    def word_count(self, cue: int) -> int:
        """Number of a cue's words, 0 while it is not at hand."""
        layout = self._view.layout(cue)
        return len(layout.words) if layout is not None else 0

    def word_step(self, focus: CueFocus, step: int) -> tuple[int, int | None]:
        """Cue and number of the next word, or the one before; None for the number in a cue that has no words yet."""
        word = -1 if focus.word is None else focus.word + step
        if 0 <= word < self.word_count(focus.cue):
            return focus.cue, word
        cue = focus.cue + step
        count = self.word_count(cue)
        return cue, None if not count else 0 if step > 0 else count - 1

    def sentence_step(self, focus: CueFocus, step: int) -> tuple[int, int]:
        """Cue and number of the first word of the next sentence, or of this one or the one before; else of cues."""
        if focus.sentence is None:
            return focus.cue + step, 0
        if step > 0:
            part = focus.sentence.parts[-1]
            word = self._word_from(part.cue, part.end)
            return (part.cue + 1, 0) if word is None else (part.cue, word)
        first = self._first_word(focus.sentence)
        if (focus.cue, focus.word) != first:
            return first
        cue, word = first if first[1] else (first[0] - 1, self.word_count(first[0] - 1))
        before = self._sentence(CueFocus(cue, max(0, word - 1)))
        return self._first_word(before) if before is not None else (cue, 0)

    def _first_word(self, sentence: CueSentence) -> tuple[int, int]:
        part = sentence.parts[0]
        return part.cue, self._word_from(part.cue, part.start) or 0

    def _word_from(self, cue: int, place: int) -> int | None:
        """Number of the first word of a cue that begins there or behind."""
        layout = self._view.layout(cue)
        words = layout.words if layout is not None else ()
        return next((number for number, word in enumerate(words) if word.start >= place), None)

    def _sentence(self, focus: CueFocus) -> CueSentence | None:
        layout = self._view.layout(focus.cue)
        if layout is None:
            return None
        if self._cutting is None:
            first = [cue for cue in map(self._view.record, range(min(SAMPLE, self._view.total))) if cue is not None]
            if len(first) == min(SAMPLE, self._view.total):
                self._cutting = cuts_sentences(first)
        place = layout.words[focus.word].start if focus.word is not None and layout.words else 0
        near = [*reversed(list(self._at_hand(focus.cue, -1))), *self._at_hand(focus.cue + 1, 1)]
        return find_sentence_at(near, focus.cue, place, self._view.language, cutting=bool(self._cutting))

    def _at_hand(self, cue: int, step: int) -> Iterator[Cue]:
        """The cues from one on, as they are shown, as far as they are at hand."""
        for index in range(cue, cue + step * (MAX_CUES + 1), step):
            if (record := self._view.record(index)) is None:
                return
            yield replace(record, text=shown_text(record))


def sentence_span(focus: CueFocus, layout: CueLayout, cue: int) -> tuple[int, int]:
    """Code points of a cue that belong to the focused sentence: all of the focused cue without the mode."""
    if focus.sentence is None:
        return (0, len(layout.text)) if cue == focus.cue else (0, 0)
    return next(((part.start, part.end) for part in focus.sentence.parts if part.cue == cue), (0, 0))
