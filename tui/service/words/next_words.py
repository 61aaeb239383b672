"""Words to learn next: the most useful new ones, each with its best sentence, and clips of these sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.language.tags import base_language
from tui.records.clips import Clip, FocusWord, NewClip
from tui.records.transcripts import Cue, Transcript
from tui.records.words import CueStates, KnownWord, NextWord, TextPlace, TextWord
from tui.service.library import Library
from tui.service.records import LocalClips, LocalTranscripts
from tui.service.words.counts import StatesOf, TranscriptCounter
from tui.service.words.summaries import LocalWords
from tui.text.sanitize import laid_out, one_line

if TYPE_CHECKING:
    from tui.language.sentences.cue_sentences import CueSentence
    from tui.store.known_words.new_words import SentencePlace

MOST_NEXT = 1_000
"""Maximum words that are found, and clips that are made, at once."""
_MOST_TRANSCRIPTS = 300
"""Transcripts of a series or a search whose words are looked at."""
_SEARCHED_TRANSCRIPTS = 40
"""Transcripts of a whole library in which sentences are looked for, and one more for each word."""


@dataclass(frozen=True, slots=True)
class _Film:
    """A transcript, with what its first cues say of how it cuts its sentences."""

    transcript: Transcript
    cutting: bool


class NextWords:
    """Finds words to learn next in a profile, and makes clips of them.

    ``prepare`` brings up to date what is derived of the words.
    """

    def __init__(
        self,
        library: Library,
        counter: TranscriptCounter,
        words: LocalWords,
        states_of: StatesOf,
        prepare: Callable[[], Awaitable[None]],
        clips: LocalClips,
    ) -> None:
        self._library = library
        self._counter = counter
        self._words = words
        self._states_of = states_of
        self._prepare = prepare
        self._transcripts = LocalTranscripts(library)
        self._clips = clips

    async def find(self, transcript_id: str, q: str, language: str | None, limit: int) -> tuple[NextWord, ...]:
        """The words, the most useful first; as ``protocol.words.KnownWords.next_words`` says."""
        limit = min(max(0, limit), MOST_NEXT)
        profile, known = self._library.profile, await self._counter.known_states()
        scope = await self._scope(transcript_id, q)
        among = None if scope is None else await self._counter.cut(scope)
        await self._prepare()  # not before: cutting waits for the lemmas, by which words are told apart
        languages = await self._languages(transcript_id, language)

        words = await self._library.run(
            lambda store: store.new_words.most_useful(profile, among, languages, known, limit)
        )
        numbers = [number for number, _ in words]
        if among is None:
            ids = await self._library.run(lambda store: store.new_words.transcripts_with(profile, numbers))
            among = await self._counter.cut(ids[: _SEARCHED_TRANSCRIPTS + limit])
            # Cutting tells the readings of words, which make other words of them.
            words = await self._library.run(
                lambda store: store.new_words.most_useful(profile, None, languages, known, limit)
            )
            numbers = [number for number, _ in words]
        places = await self._library.run(lambda store: store.new_words.best_sentences(profile, among, numbers, known))
        films: dict[str, _Film] = {}
        found = [await self._next_word(word, places[number], films) for number, word in words if number in places]
        return tuple(each for each in found if each is not None)

    async def clip(self, places: Sequence[TextPlace]) -> tuple[Clip, ...]:
        """Make clips of words where they stand, all in one step; as ``protocol.words.KnownWords.clip_words`` says."""
        if len(places) > MOST_NEXT:
            raise InvalidInput(f"at most {MOST_NEXT} clips can be made at once", hint="make them in parts")
        films: dict[str, _Film] = {}
        return await self._clips.add_at_once([await self._draft(place, films) for place in dict.fromkeys(places)])

    async def _scope(self, transcript_id: str, q: str) -> tuple[str, ...] | None:
        """The ids of the transcripts that are asked for, None for all."""
        if transcript_id:
            return (transcript_id,)
        if not q.strip():
            return None
        page = await self._transcripts.page(limit=_MOST_TRANSCRIPTS, q=q)
        return tuple(transcript.id for transcript in page.items)

    async def _languages(self, transcript_id: str, language: str | None) -> tuple[str, ...] | None:
        """The languages whose words are asked for, None for all: those that are learned where nothing names others."""
        if language is not None:
            return (base_language(language),)
        if transcript_id:
            return None
        settings = await self._library.run(lambda store: store.settings.get(self._library.profile))
        return tuple(dict.fromkeys(base_language(each.language) for each in settings.learning)) or None

    async def _next_word(self, word: KnownWord, place: SentencePlace, films: dict[str, _Film]) -> NextWord | None:
        from tui.language.words import fold

        film = await self._film(place.transcript.id, films)
        sentence = await self._sentence(film, place.cue, place.offset)
        if sentence is None:
            return None
        wanted = fold(word.lemma, word.language), word.reading
        for cue, each in await self._words_of(film, sentence):
            if (fold(each.lemma, word.language), each.reading) == wanted:
                return NextWord(
                    word,
                    await self._text(film, TextPlace(film.transcript.id, cue, each.start, each.end)),
                    sentence.text,
                    film.transcript.id,
                    one_line(film.transcript.title),
                    cue,
                    each.start,
                    each.end,
                    sentence.start_ms,
                    sentence.end_ms,
                    place.unknown,
                )
        return None

    async def _draft(self, place: TextPlace, films: dict[str, _Film]) -> NewClip:
        film = await self._film(place.transcript_id, films)
        transcript = film.transcript
        sentence = await self._sentence(film, place.cue, place.start)
        surface = await self._text(film, place)
        if sentence is None or not surface.strip():
            raise InvalidInput("there is no word at this place", hint="ask for the next words again", code="no_word")
        focus, _ = await self._words.known(surface, transcript.language, sentence.text)
        words = await self._words_of(film, sentence)
        here = next((word for cue, word in words if (cue, word.start) == (place.cue, place.start)), None)
        tracks = await self._transcripts.translations(
            transcript.id, offset=sentence.first, limit=sentence.last - sentence.first + 1
        )
        return NewClip(
            sentence=sentence.text,
            transcript_id=transcript.id,
            file_id=transcript.file_id,
            cue_index=place.cue,
            start_ms=sentence.start_ms,
            end_ms=sentence.end_ms,
            translation=one_line("\n".join(dict.fromkeys(filter(None, tracks)))),
            focus=_in_context(focus, surface, here),
            source=one_line(transcript.title),
        )

    async def _film(self, transcript_id: str, films: dict[str, _Film]) -> _Film:
        from tui.language.sentences.cue_sentences import SAMPLE, cuts_sentences

        if transcript_id not in films:
            transcript = await self._transcripts.get(transcript_id)
            page = await self._transcripts.cues(transcript.id, limit=SAMPLE)
            films[transcript_id] = _Film(transcript, cuts_sentences(page.items))
        return films[transcript_id]

    async def _cues(self, film: _Film, first: int, last: int) -> tuple[Cue, ...]:
        page = await self._transcripts.cues(film.transcript.id, offset=max(0, first), limit=last - max(0, first) + 1)
        return page.items

    async def _sentence(self, film: _Film, cue: int, offset: int) -> CueSentence | None:
        from tui.language.sentences.cue_sentences import MOST_CUES, sentence_at

        cues = await self._cues(film, cue - MOST_CUES, cue + MOST_CUES)
        return await asyncio.to_thread(sentence_at, cues, cue, offset, film.transcript.language, cutting=film.cutting)

    async def _words_of(self, film: _Film, sentence: CueSentence) -> list[tuple[int, TextWord]]:
        """The words of a sentence, with their cues."""
        cues: Sequence[CueStates] = await self._states_of(
            film.transcript.id, sentence.first, sentence.last - sentence.first + 1
        )
        parts = {part.cue: part for part in sentence.parts}
        return [
            (cue.index, word)
            for cue in cues
            for word in cue.words
            if cue.index in parts and parts[cue.index].start <= word.start < parts[cue.index].end
        ]

    async def _text(self, film: _Film, place: TextPlace) -> str:
        cues = await self._cues(film, place.cue, place.cue)
        return laid_out(cues[0].text)[place.start : place.end] if cues and place.cue >= 0 else ""


def _in_context(focus: FocusWord, surface: str, word: TextWord | None) -> FocusWord:
    """The focus with what its own sentence says of it."""
    lemma, reading = (word.lemma, word.reading or None) if word is not None else (None, None)
    return replace(focus, surface=surface, lemma=focus.lemma or lemma, reading=focus.reading or reading)
