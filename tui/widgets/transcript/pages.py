"""Pages of a transcript, read as they come into sight: its cues, their words and translations, the states of words."""

from collections import Counter
from collections.abc import Awaitable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Protocol, Self, TypeAlias, TypeVar

from tui.errors import LodeError
from tui.language.segmentation import can_be_cut
from tui.language.word import Word
from tui.records.pages import Page
from tui.records.transcripts import Cue, Transcript
from tui.records.word_states import WordState
from tui.records.words import CueStates, TextWord
from tui.service.protocol.records import Transcripts
from tui.service.protocol.words import CueWords, KnownWords
from tui.text.sanitize import one_line
from tui.widgets.table.rows import PAGE, Pages

T = TypeVar("T", covariant=True)


class Fetch(Protocol[T]):
    """Function to what cues have: themselves, their words, their translations, or words with their states."""

    def __call__(self, *, offset: int, limit: int) -> Awaitable[T]:
        """Read it of so many cues from one on; raises ``LodeError``."""


Tints: TypeAlias = Mapping[int, tuple[int, str]]
"""Where a tinted word begins, in code points → where it ends, and the name of its style."""
CuePart: TypeAlias = tuple[int, int, int]
"""Part of a cue: its index, and the code points at which the part begins and ends."""

TINT_STYLES: Mapping[WordState, str] = {"new": "new", "seen": "learning", "learning": "learning"}
"""Styles of the states; words that are known or ignored are plain text."""
_MAX_SHARE_NEW = 0.5
"""Share of the words up to which new ones are tinted: where most words are, their tint would tell nothing."""
_NO_TINTS: Tints = {}


class WordStatePages:
    """States of the words of cues that are at hand; without ``fetch`` there are none."""

    def __init__(self, fetch: Fetch[tuple[CueStates, ...]] | None = None) -> None:
        self._fetch = fetch
        self._pages: Pages[CueStates] = Pages()
        self._fresh: set[int] = set()
        self._tints: dict[int, Tints] = {}
        self._version = 0
        self._tinted: Collection[WordState] = ()
        """States whose words are tinted."""

    def _words(self, cue: int) -> tuple[TextWord, ...]:
        return found.words if (found := self._pages.record(cue)) is not None else ()

    def word_at(self, cue: int, start: int) -> TextWord | None:
        """The word at a code point of a cue with its lemma and its state, None until that has been read."""
        return next((word for word in self._words(cue) if word.start <= start < word.end), None)

    def words_in(self, parts: Iterable[CuePart]) -> tuple[TextWord, ...]:
        """The words in parts of cues with their states, as far as these have been read."""
        return tuple(
            word for cue, start, end in parts for word in self._words(cue) if word.start < end and word.end > start
        )

    def tints(self, cue: int) -> Tints:
        """Tints of a cue's words."""
        if cue not in self._tints and (words := self._words(cue)):
            tinted = (word for word in words if word.state in self._tinted)
            self._tints[cue] = {word.start: (word.end, TINT_STYLES[word.state]) for word in tinted}
        return self._tints.get(cue, _NO_TINTS)

    def expire(self) -> None:
        """Have all of them read anew; those that are there are shown until then."""
        self._version += 1
        self._fresh.clear()

    def next_page(self, first: int, last: int) -> int | None:
        """Number of a page to read for the cues from ``first`` to ``last``."""
        if self._fetch is None or last < 0:
            return None
        numbers = range(max(0, first) // PAGE, last // PAGE + 1)
        return next((number for number in numbers if number not in self._fresh), None)

    async def read(self, number: int, total: int) -> bool:
        """Read a page of a transcript of ``total`` cues; whether it differs from what was there."""
        if self._fetch is None:
            return False
        version, states = self._version, tuple[CueStates, ...]()
        with suppress(LodeError):  # what is read without them is read all the same
            states = await self._fetch(offset=number * PAGE, limit=PAGE)
        if version == self._version:
            self._fresh.add(number)
        before = [self._pages.record(each.index) for each in states]
        self._pages.put(number, states, total)
        # Only so many pages are kept: one that is gone is read again when it comes into sight.
        self._fresh = {each for each in self._fresh if self._pages.page(each) is not None}
        counts = Counter(word.state for each in self._pages.records() for word in each.words)
        has_few_new = counts["new"] <= _MAX_SHARE_NEW * counts.total()
        tinted = tuple(state for state in TINT_STYLES if state != "new" or has_few_new)
        if tinted == self._tinted and before == list(states):
            return False
        self._tinted = tinted
        self._tints.clear()
        return True


class TranscriptPages:
    """Pages of one transcript that are at hand, ``states`` among them; without ``fetch`` there are none.

    What its translation track says is kept as long as this.
    """

    def __init__(
        self,
        fetch: Fetch[Page[Cue]] | None = None,
        total: int = 0,
        *,
        language: str | None = None,
        duration_ms: int | None = None,
        words: Fetch[tuple[CueWords, ...]] | None = None,
        translations: Fetch[tuple[str, ...]] | None = None,
        states: Fetch[tuple[CueStates, ...]] | None = None,
    ) -> None:
        self.language = language
        self.duration_ms = duration_ms
        """Length of the transcript, None where it has no times."""
        self._fetch = fetch
        self._fetch_words = words
        self._fetch_translations = translations
        self._cues: Pages[Cue] = Pages()
        self._words: Pages[CueWords] = Pages()
        self._translations: Pages[str] = Pages()
        self._cues.total = total
        self.states = WordStatePages(states)

    @classmethod
    def of(cls, transcripts: Transcripts, known_words: KnownWords, transcript: Transcript) -> Self:
        """Pages of a transcript of the library; no segmenter is asked that may not cut its language."""
        given = transcript.id
        return cls(
            partial(transcripts.cues, given),
            transcript.cue_count,
            language=transcript.language,
            duration_ms=transcript.duration_ms,
            words=partial(transcripts.words, given) if can_be_cut(transcript.language) else None,
            translations=partial(transcripts.translations, given) if transcript.translation_id is not None else None,
            states=lambda offset, limit: known_words.of_cues(given, offset=offset, limit=limit),
        )

    @property
    def total(self) -> int:
        return self._cues.total

    @property
    def has_readings(self) -> bool:
        """Whether any of the cues at hand has a reading."""
        return any(cue.ruby for cue in self._cues.records()) or any(
            word.reading is not None for cue in self._words.records() for word in cue.words
        )

    def cue(self, index: int) -> Cue | None:
        return self._cues.record(index)

    def words(self, index: int) -> tuple[Word, ...] | None:
        """Words of a cue where a segmenter cut them."""
        return found.words if (found := self._words.record(index)) is not None else None

    def translation(self, cue: Cue) -> str:
        """Translation of a cue, "" where the track says nothing."""
        return self._translations.record(cue.index) or ""

    def translation_of(self, first: int, last: int) -> str:
        """Translation of the cues from one to another in one line, each thing said once."""
        said = map(self._translations.record, range(first, last + 1))
        return one_line("\n".join(dict.fromkeys(filter(None, said))))

    def first_missing(self, spans: Iterable[tuple[int, int]]) -> int | None:
        """Number of the first page that these cues, from first to last, are on and that is not at hand."""
        if not self.total or self._fetch is None:
            return None
        pages: set[int] = set()
        for span in spans:
            first, last = (max(0, min(cue, self.total - 1)) for cue in span)
            pages.update(range(first // PAGE, last // PAGE + 1))
        return self._cues.first_missing(pages)

    async def read_end(self) -> None:
        """Read the last page once more, which others may follow by now; raises as ``read`` does."""
        await self.read(max(0, self.total - 1) // PAGE)

    async def read_anew(self, first: int, last: int) -> None:
        """Read the pages of some cues again, and forget all others; raises as ``read`` does, and forgets none then."""
        fresh = TranscriptPages(self._fetch, self.total, words=self._fetch_words, translations=self._fetch_translations)
        for number in range(max(0, first) // PAGE, max(0, min(last, self.total)) // PAGE + 1):
            await fresh.read(number)
        self._cues, self._words, self._translations = fresh.all_pages

    @property
    def all_pages(self) -> tuple[Pages[Cue], Pages[CueWords], Pages[str]]:
        """The pages of cues, their words and their translations."""
        return self._cues, self._words, self._translations

    async def read(self, number: int) -> None:
        """Read a page; raises ``LodeError`` where its cues cannot be read, which do without all else."""
        if self._fetch is None:
            return
        offset = number * PAGE
        page = await self._fetch(offset=offset, limit=PAGE)
        if self._fetch_translations is not None:
            with suppress(LodeError):
                self._translations.put(number, await self._fetch_translations(offset=offset, limit=PAGE), page.total)
        if self._fetch_words is not None:
            with suppress(LodeError):  # an older server has none
                if words := await self._fetch_words(offset=offset, limit=PAGE):
                    self._words.put(number, words, page.total)
        self._cues.put(number, page.items, page.total)
