"""Known words of a profile: states of words, marked, listed and written out."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.language.tags import base_language
from tui.records.clips import Clip
from tui.records.pages import Page
from tui.records.word_states import WORD_STATES, WordOrder, WordState
from tui.records.words import (
    MAX_LEMMA,
    MAX_SOURCE,
    CueStates,
    DayCount,
    FrequencyMark,
    FrequencyOffer,
    KnownWord,
    NextWord,
    StateCount,
    TextPlace,
    TranscriptShare,
    WordCounts,
    WordMark,
    WordPlace,
    WordStats,
)
from tui.service.library import Library
from tui.service.settings import check_level, check_tag
from tui.service.words.counts import BEYOND_CUE, TranscriptCounter, next_place
from tui.service.words.dictionaries import Dictionaries
from tui.service.words.next_words import NextWords, WordFrequencies
from tui.service.words.summaries import LocalWords
from tui.service.words.word_forms import WordForms
from tui.text.escapes import guard_formula
from tui.text.sanitize import is_blank, laid_out, one_line

if TYPE_CHECKING:
    from tui.service.records import LocalClips
    from tui.store import Store

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
        self._next_words = NextWords(
            library, self._counter, words, self._states_of, partial(self._prepare, every_rank=True), clips
        )

    async def page(
        self,
        *,
        language: str | None = None,
        states: Sequence[WordState] = (),
        q: str = "",
        order: WordOrder = "lemma",
        offset: int = 0,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[KnownWord]:
        from tui.store.tables.word_list import WordFilter

        await self._prepare(every_rank=order == "rank")
        wanted = WordFilter(_tag(language), tuple(map(_state, states)), q)
        return await self._library.run(
            lambda store: store.word_list.page(self._profile, wanted, order, offset, limit, after)
        )

    async def _prepare(self, *, every_rank: bool) -> None:
        """Bring what is derived of the words up to date: which there are, how often they occur, and their ranks."""

        def prepare(store: Store) -> None:
            if not store.read_only:
                store.word_list.prepare(self._profile)

        await self._library.run(prepare)
        await self._frequencies.update_ranks(every_word=every_rank)

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
        tag = _tag(language)
        if not tag:
            raise InvalidInput("name the language whose words are to be marked", field="language")
        return await self._frequencies.mark(tag, count, _state(state))

    async def frequent(self, language: str, *, level: str = "", count: int = 0) -> FrequencyOffer:
        tag = _tag(language)
        if not tag:
            raise InvalidInput("name the language whose words are to be marked", field="language")
        if not level:
            return await self._frequencies.offer(tag, count)
        return await self._frequencies.offer_below(tag, check_level(tag, level, "level"))

    async def of_cues(self, transcript_id: str, *, offset: int = 0, limit: int = 200) -> tuple[CueStates, ...]:
        from tui.language.word_form import find_text_forms

        transcript = await self._library.run(lambda store: store.transcripts.get(self._profile, transcript_id))
        page = await self._library.run(
            lambda store: store.transcripts.cues(self._profile, transcript.id, offset, limit)
        )
        language = transcript.language
        # Not in a thread of the database's: the first call may load a dictionary.
        forms = await asyncio.to_thread(lambda: [find_text_forms(laid_out(cue.text), language) for cue in page.items])
        words = await self._library.run(lambda store: store.word_states.resolve(self._profile, language, forms))
        return tuple(CueStates(cue.index, each) for cue, each in zip(page.items, words, strict=True))

    async def _states_of(self, transcript_id: str, offset: int, limit: int) -> tuple[CueStates, ...]:
        return await self.of_cues(transcript_id, offset=offset, limit=limit)

    async def next_new(self, transcript_id: str, cue: int, start: int) -> WordPlace | None:
        behind = max(0, cue), start
        return await next_place(self._library, self._counter, self._states_of, transcript_id, behind, one_new=False)

    async def next_one_new(self, transcript_id: str, cue: int, start: int | None = None) -> WordPlace | None:
        behind = cue, BEYOND_CUE if start is None else start
        return await next_place(self._library, self._counter, self._states_of, transcript_id, behind, one_new=True)

    async def next_words(
        self, *, transcript_id: str = "", q: str = "", language: str | None = None, limit: int = 50
    ) -> tuple[NextWord, ...]:
        return await self._next_words.find(transcript_id, q, _tag(language), limit)

    async def clip_words(self, places: Sequence[TextPlace]) -> tuple[Clip, ...]:
        return await self._next_words.clip(places)

    async def counts(self, *transcript_ids: str) -> Mapping[str, WordCounts]:
        return await self._counter.counts(transcript_ids)

    async def stats(self, language: str | None = None, *, transcripts: int = 50) -> WordStats:
        tag, profile = _tag(language), self._profile
        counted = tuple(state for state in await self._counter.known_states() if state != "ignored")

        def read(store: Store) -> tuple[tuple[StateCount, ...], tuple[DayCount, ...], tuple[DayCount, ...]]:
            return (
                store.word_list.state_counts(profile, tag),
                store.word_list.known_over_time(profile, tag, counted),
                store.word_list.clips_by_day(profile, tag),
            )

        base = None if tag is None else base_language(tag)
        newest = await self._library.run(
            lambda store: store.transcripts.newest(profile, base, max(0, min(transcripts, MAX_SHARES)))
        )
        counts = await self.counts(*(transcript.id for transcript in newest))
        shares = tuple(
            TranscriptShare(each.id, one_line(each.title), each.language, counts[each.id])
            for each in newest
            if each.id in counts
        )
        await self._prepare(every_rank=False)
        return WordStats(*await self._library.run(read), shares)

    async def stream_export(self, language: str | None = None) -> AsyncGenerator[bytes, None]:
        tag = _tag(language)
        yield _csv([CSV_COLUMNS])
        parts = await self._library.run(lambda store: iter(store.word_list.each(self._profile, tag)))
        while (words := await self._library.run(lambda store: next(parts, None))) is not None:
            yield _csv(
                (word.language, word.lemma, word.reading, word.state, word.source, word.changed_at) for word in words
            )


def _csv(rows: Iterable[Iterable[str]]) -> bytes:
    import csv

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


def _tag(given: str | None) -> str | None:
    """A language tag as it is usual, "" for an unknown language; raises ``InvalidInput`` for what is none."""
    return check_tag(given) if given else given
