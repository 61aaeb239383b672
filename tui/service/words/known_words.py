"""Known words of a profile: states of words, marked, listed and written out."""

import asyncio
import csv
import io
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence

from tui.errors import InvalidInput
from tui.language.tags import base_language
from tui.records.clips import Clip
from tui.records.pages import Page
from tui.records.word_states import MAX_LEMMA, MAX_SOURCE, WORD_STATES, WordOrder, WordState
from tui.records.word_stats import TranscriptShare, WordStats
from tui.records.words import (
    CueStates,
    FrequencyMark,
    FrequencyOffer,
    KnownWord,
    NextWord,
    TextPlace,
    WordCounts,
    WordMark,
    WordPlace,
)
from tui.service.clips import LocalClips
from tui.service.library import Library
from tui.service.settings import check_level, check_tag
from tui.service.words.counts import BEYOND_CUE, TranscriptCounter
from tui.service.words.dictionaries import Dictionaries
from tui.service.words.mined_words import MinedWords
from tui.service.words.next_words import NextWords, WordFrequencies
from tui.service.words.summaries import LocalWords
from tui.service.words.word_forms import WordForms
from tui.store import Store
from tui.store.tables.word_list import WordFilter
from tui.text.escapes import guard_formula
from tui.text.sanitize import is_blank, one_line

MAX_MARKS = 200_000
"""Maximum words of one call: more than anybody knows, and its undo is one entry of the trash."""
MAX_SHARES = 1_000
"""Maximum transcripts in statistics."""
CSV_COLUMNS = ("language", "lemma", "reading", "state", "source", "date")


class LocalKnownWords:
    def __init__(
        self, library: Library, word_forms: WordForms, words: LocalWords, dictionaries: Dictionaries, clips: LocalClips
    ) -> None:
        self._library = library
        self._profile = library.profile
        self._counter = TranscriptCounter(library, word_forms)
        self._frequencies = WordFrequencies(library, dictionaries, word_forms)
        self.next = NextWords(library, self._counter, words, self._frequencies, clips)
        self.mined = MinedWords(library, self._counter, self._frequencies, word_forms, self.next)

    async def page(
        self,
        *,
        language: str | None = None,
        states: Sequence[WordState] = (),
        q: str = "",
        order: WordOrder = "lemma",
        sort: str = "",
        offset: int = 0,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[KnownWord]:
        by = sort or order
        await self._frequencies.prepare(every_rank=by.removeprefix("-") == "rank")
        wanted = WordFilter(_tag(language), tuple(map(_state, states)), q)
        return await self._library.run(
            lambda store: store.word_list.page(self._profile, wanted, by, offset, limit, after)
        )

    async def mark(self, words: Sequence[WordMark], *, source: str = "user") -> int:
        if len(words) > MAX_MARKS:
            raise InvalidInput(f"at most {MAX_MARKS} words can be marked at once", hint="mark them in parts")
        name = one_line(source)
        if is_blank(name) or len(name) > MAX_SOURCE:
            raise InvalidInput(f"a source has 1 to {MAX_SOURCE} characters", field="source")
        # Many words take a while, which would hold up the event loop.
        checked = await asyncio.to_thread(_checked, words)
        return await self._library.change(lambda store: store.word_states.mark(self._profile, checked, name))

    async def mark_frequent(self, language: str, count: int, state: WordState = "known") -> FrequencyMark:
        return await self._frequencies.mark(_named_tag(language), count, _state(state))

    async def frequent(self, language: str, *, level: str = "", count: int = 0) -> FrequencyOffer:
        tag = _named_tag(language)
        if not level:
            return await self._frequencies.offer(tag, count)
        return await self._frequencies.offer_below(tag, check_level(tag, level, "level"))

    async def of_cues(self, transcript_id: str, *, offset: int = 0, limit: int = 200) -> tuple[CueStates, ...]:
        return await self._counter.states(transcript_id, offset, limit)

    async def next_new(self, transcript_id: str, cue: int, start: int) -> WordPlace | None:
        return await self._counter.next_place(transcript_id, (max(0, cue), start), one_new=False)

    async def next_one_new(self, transcript_id: str, cue: int, start: int | None = None) -> WordPlace | None:
        behind = cue, BEYOND_CUE if start is None else start
        return await self._counter.next_place(transcript_id, behind, one_new=True)

    async def next_words(
        self, *, transcript_id: str = "", q: str = "", language: str | None = None, limit: int = 50
    ) -> tuple[NextWord, ...]:
        return await self.next.find(transcript_id, q, _tag(language), limit)

    async def clip_words(self, places: Sequence[TextPlace]) -> tuple[Clip, ...]:
        return await self.next.clip(places)

    async def counts(self, *transcript_ids: str) -> Mapping[str, WordCounts]:
        return await self._counter.counts(transcript_ids)

    async def count_keys(self, transcript_ids: Sequence[str], column: str) -> Mapping[int, float]:
        """The numbers that transcripts are sorted by, by their rows, for a column of counts."""
        return await self._counter.keys(transcript_ids, column)

    async def stats(self, language: str | None = None, *, transcripts: int = 50) -> WordStats:
        tag, profile = _tag(language), self._profile
        counted = tuple(state for state in await self._counter.known_states() if state != "ignored")

        base, most = None if tag is None else base_language(tag), max(0, min(transcripts, MAX_SHARES))
        newest = await self._library.run(lambda store: store.transcripts.newest(profile, base, most))
        counts = await self.counts(*(transcript.id for transcript in newest))
        shares = tuple(
            TranscriptShare(each.id, one_line(each.title), each.language, counts[each.id])
            for each in newest
            if each.id in counts
        )
        await self._frequencies.prepare(every_rank=False)

        def read(store: Store) -> WordStats:
            return WordStats(
                store.word_list.state_counts(profile, tag),
                store.word_list.known_over_time(profile, tag, counted),
                store.word_list.clips_by_day(profile, tag),
                shares,
            )

        return await self._library.run(read)

    async def stream_export(self, language: str | None = None) -> AsyncGenerator[bytes, None]:
        tag = _tag(language)
        yield _csv([CSV_COLUMNS])
        parts = await self._library.run(lambda store: iter(store.word_list.each(self._profile, tag)))
        while (words := await self._library.run(lambda store: next(parts, None))) is not None:
            yield _csv(
                (word.language, word.lemma, word.reading, word.state, word.source, word.changed_at) for word in words
            )


def _csv(rows: Iterable[Iterable[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(guard_formula, row) for row in rows)
    return text.getvalue().encode()


def _checked(words: Sequence[WordMark]) -> list[WordMark]:
    tags: dict[str, str] = {}
    checked = []
    for word in words:
        if word.language not in tags:
            tags[word.language] = _tag(word.language) or ""
        lemma, reading = one_line(word.lemma), one_line(word.reading)
        if is_blank(lemma):
            raise InvalidInput("a word needs a lemma", hint="give the form that stands in a dictionary", field="lemma")
        if max(len(lemma), len(reading)) > MAX_LEMMA:
            raise InvalidInput(
                f"{lemma[:40]!r}… is no word: one has at most {MAX_LEMMA} characters",
                hint="give one word a line",
                field="lemma",
            )
        checked.append(WordMark(tags[word.language], lemma, reading, _state(word.state)))
    return checked


def _state(given: str) -> WordState:
    for state in WORD_STATES:
        if given == state:
            return state
    raise InvalidInput(
        f"{one_line(given)[:40]!r} is no state of a word", hint=f"use one of {', '.join(WORD_STATES)}", field="state"
    )


def _named_tag(given: str) -> str:
    if not given:
        raise InvalidInput("name the language whose words are to be marked", field="language")
    return check_tag(given)


def _tag(given: str | None) -> str | None:
    """A language tag as it is usual, "" for an unknown language; raises ``InvalidInput`` for what is none."""
    return check_tag(given) if given else given
