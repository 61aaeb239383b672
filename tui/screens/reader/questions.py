"""Questions about what is under the eye in the reader: to the library, to a model; and the clip that is made of it."""

from dataclasses import dataclass, replace
from typing import TypeVar

from tui.language.segmentation import row_of
from tui.language.tags import language_name
from tui.records.clips import ConcordanceLine, FocusWord, NewClip
from tui.records.transcripts import Transcript
from tui.records.word_summary import WordSummary
from tui.service.protocol.words import Words
from tui.service.requests import BreakdownRequest, ExplainRequest
from tui.text.sanitize import one_line
from tui.widgets.transcript.cue_focus import FocusedText

K = TypeVar("K")
V = TypeVar("V")
MAX_LINES = 200
"""Lines of a concordance that are read at most: more is no longer read through, and takes longer than a key."""
_MAX_KEPT = 500
"""Words kept of each sort; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class UnderEye:
    """Sentence under the eye: its text, what is known of the word in it, its translation, and what was noted of it."""

    transcript: Transcript
    text: FocusedText
    known: WordSummary | None
    translation: str
    note: str = ""

    @property
    def breakdown(self) -> BreakdownRequest:
        """Request for a breakdown of the focus; its focus is "" where there is no word."""
        text, source = self.text, one_line(self.transcript.title)
        language = self.transcript.language
        return BreakdownRequest(text.sentence, text.focus, context=text.context, language=language, source=source)

    @property
    def explanation(self) -> ExplainRequest:
        """Request for an explanation of the whole sentence."""
        word = self.breakdown
        return ExplainRequest(word.sentence, context=word.context, language=word.language, source=word.source)

    @property
    def word(self) -> FocusWord | None:
        """The focus as far as it is known, None where there is no word."""
        if not self.text.focus:
            return None
        word = FocusWord(self.text.focus, language=self.transcript.language)
        return in_context(self.known.focus if self.known is not None else word, self.text)

    @property
    def clip(self) -> NewClip:
        """Clip of the sentence and its focus."""
        text, known = self.text, self.known
        own = known.own.note if known is not None and known.own is not None else ""
        return NewClip(
            sentence=text.sentence,
            transcript_id=self.transcript.id,
            file_id=self.transcript.file_id,
            cue_index=text.cue_index,
            start_ms=text.start_ms,
            end_ms=text.end_ms,
            context=text.context,
            translation=self.translation,
            focus=self.word,
            note="\n".join(filter(None, (own, self.note))),
            source=one_line(self.transcript.title),
        )


def in_context(word: FocusWord, focused: FocusedText) -> FocusWord:
    """A word with what its own sentence says of it: its spelling, dictionary form and reading there."""
    form = focused.form
    lemma = word.lemma if word.lemma and word.meanings else form.lemma or word.lemma  # a dictionary's, of a phrase too
    reading = form.reading or word.reading
    return replace(word, surface=focused.focus, lemma=lemma, reading=reading)


def no_readings(language: str | None) -> str:
    """Why a transcript has no readings to show, and what brings them."""
    row = row_of(language)
    if row is None or not row.reads:
        return "no readings are known for this text"
    name = language_name(row.language)
    return f"readings of {name} need its segmenter, where the library is: pip install 'lode[{row.extra}]'"


class WordLookUps:
    """Look-ups of focus words in the sentences that they stand in, kept while they may still hold.

    A sentence may make phrases of its words.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self._summaries: dict[tuple[str, str], tuple[WordSummary, ...]] = {}
        """What is known of a word, and behind it of the other one that may as well be meant, if any."""
        self._others: set[tuple[str, str]] = set()
        """Words of which the other one was taken; remembered when the rest is forgotten."""
        self._lines: dict[tuple[str, str | None], tuple[ConcordanceLine, ...]] = {}

    def clear(self) -> None:
        """Forget all: the library has changed."""
        self._summaries.clear()
        self._lines.clear()

    def known(self, focused: FocusedText | None) -> WordSummary | None:
        """What is known of a word without asking."""
        if focused is None or (found := self._summaries.get(key := (focused.focus, focused.sentence))) is None:
            return None
        return found[-1] if key in self._others else found[0]

    def take_other(self, focused: FocusedText) -> bool:
        """Take the other of two words that may be meant, and the first again next time; False where only one may be."""
        key = focused.focus, focused.sentence
        if is_tie := len(self._summaries.get(key, ())) > 1:
            self._others ^= {key}
        return is_tie

    async def summary(self, focused: FocusedText, language: str | None) -> WordSummary:
        """Ask for a word, and again where it had no lemma: the dictionary may be ready by now. Raises ``LodeError``."""
        known = self.known(focused)
        if known is not None and known.focus.lemma is not None:
            return known
        first = await self._words.summary(focused.focus, language=language, sentence=focused.sentence)
        found = (first,) if first.other is None else (first, await self._turn(first, first.other, language))
        _keep(self._summaries, (focused.focus, focused.sentence), found)
        return self.known(focused) or first

    async def _turn(self, first: WordSummary, other: FocusWord, language: str | None) -> WordSummary:
        """The summary with the other word first; where that has another lemma, with its clips, sound and own words."""
        if other.lemma == first.focus.lemma:
            return replace(first, focus=other, other=first.focus)
        of_lemma = await self._words.summary(other.lemma or other.surface, language=language)
        return replace(of_lemma, focus=replace(other, frequency=of_lemma.occurrences), other=first.focus)

    async def concordance(self, word: str, language: str | None) -> tuple[ConcordanceLine, ...]:
        """The sentences with a word in any of its forms, at most ``MAX_LINES``. Raises ``LodeError``."""
        if (known := self._lines.get((word, language))) is not None:
            return known
        lines = await self._words.concordance(word, language=language, limit=MAX_LINES)
        return _keep(self._lines, (word, language), lines)


def _keep(kept: dict[K, V], key: K, value: V) -> V:
    if len(kept) >= _MAX_KEPT:
        del kept[next(iter(kept))]
    kept[key] = value
    return value
