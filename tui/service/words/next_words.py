"""Words to learn next: the most useful new ones, each with its best sentence, and clips of these sentences.

Also the most frequent words of a language, by the ranks of a frequency dictionary, and marks of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tui.errors import InvalidInput
from tui.language.cue_sentences import MAX_CUES, SAMPLE, CueSentence, cuts_sentences, find_sentence_at
from tui.language.levels import count_words_below
from tui.language.scripts import is_word_of
from tui.language.tags import base_language, language_name
from tui.language.word import fold
from tui.records.clips import Clip, FocusWord, NewClip
from tui.records.dictionaries import Dictionary, TermFrequency
from tui.records.transcripts import Cue, Transcript
from tui.records.word_states import WordState
from tui.records.words import FrequencyMark, FrequencyOffer, KnownWord, NextWord, TextPlace, TextWord, WordMark
from tui.service.clips import LocalClips
from tui.service.library import Library
from tui.service.transcripts import LocalTranscripts
from tui.service.words.counts import TranscriptCounter
from tui.service.words.dictionaries import Dictionaries
from tui.service.words.summaries import LocalWords
from tui.service.words.word_forms import WordForms
from tui.store import Store
from tui.store.dictionaries.dictionary_store import frequency_dictionary, ranked_terms, ranks
from tui.store.known_words.new_words import SentencePlace
from tui.store.known_words.transcript_words import CutTranscript
from tui.store.tables.word_list import WordFilter
from tui.text.sanitize import laid_out, one_line

MAX_NEXT = 1_000
"""Maximum words that are found, and clips that are made, at once."""
_MAX_TRANSCRIPTS = 300
"""Transcripts of a series or a search whose words are looked at."""
_SEARCHED_TRANSCRIPTS = 40
"""Transcripts of a whole library in which sentences are looked for, and one more for each word."""


_PAGE = 200
"""Cues that are read at a time where many words of one transcript are looked for."""


@dataclass(frozen=True, slots=True)
class Film:
    """A transcript, with what its first cues say of how it cuts its sentences.

    ``pages`` keeps its cues by the number of their page, for as long as nobody waits for a change of them; None: not.
    """

    transcript: Transcript
    cutting: bool
    pages: dict[int, tuple[Cue, ...]] | None = None


class NextWords:
    """Finds words to learn next in a profile, and makes clips of them."""

    def __init__(
        self,
        library: Library,
        counter: TranscriptCounter,
        words: LocalWords,
        frequencies: WordFrequencies,
        clips: LocalClips,
    ) -> None:
        self._library = library
        self._counter = counter
        self._words = words
        self._frequencies = frequencies
        self._transcripts = LocalTranscripts(library, counter.keys)
        self._clips = clips

    async def find(self, transcript_id: str, q: str, language: str | None, limit: int) -> tuple[NextWord, ...]:
        """The words, the most useful first; as ``protocol.words.KnownWords.next_words`` says."""
        limit = min(max(0, limit), MAX_NEXT)
        profile, known = self._library.profile, await self._counter.known_states()
        scope = await self._scope(transcript_id, q)
        among = None if scope is None else await self._counter.cut(scope)
        # Not before: cutting waits for the lemmas, by which words are told apart.
        await self._frequencies.prepare(every_rank=True)
        languages = await self._languages(transcript_id, language)

        def most_useful(store: Store) -> dict[int, KnownWord]:
            return dict(store.new_words.most_useful(profile, scoped, languages, known, limit))

        scoped = among
        words = await self._library.run(most_useful)
        if among is None:
            ids = await self._library.run(lambda store: store.new_words.transcripts_with(profile, list(words)))
            among = await self._counter.cut(ids[: _SEARCHED_TRANSCRIPTS + limit])
            # Cutting tells the readings of words, which make other words of them.
            words = await self._library.run(most_useful)
        return tuple((await self.in_best_sentences(words, among)).values())

    async def in_best_sentences(
        self, words: Mapping[int, KnownWord], among: Sequence[CutTranscript]
    ) -> dict[int, NextWord]:
        """Find the best sentence for each of these words, by their numbers; those that have none are left out."""
        profile, known = self._library.profile, await self._counter.known_states()
        places = await self._library.run(
            lambda store: store.new_words.best_sentences(profile, among, list(words), known)
        )
        films: dict[str, Film] = {}
        found = {
            number: await self._next_word(word, places[number], films)
            for number, word in words.items()
            if number in places
        }
        return {number: each for number, each in found.items() if each is not None}

    async def clip(self, places: Sequence[TextPlace]) -> tuple[Clip, ...]:
        """Make clips of words where they stand, all in one step; as ``protocol.words.KnownWords.clip_words`` says."""
        if len(places) > MAX_NEXT:
            raise InvalidInput(f"at most {MAX_NEXT} clips can be made at once", hint="make them in parts")
        films: dict[str, Film] = {}
        return await self._clips.add_at_once([await self.draft(place, films) for place in dict.fromkeys(places)])

    async def _scope(self, transcript_id: str, q: str) -> tuple[str, ...] | None:
        """The ids of the transcripts that are asked for, None for all."""
        if transcript_id:
            return (transcript_id,)
        if not q.strip():
            return None
        page = await self._transcripts.page(limit=_MAX_TRANSCRIPTS, q=q)
        return tuple(transcript.id for transcript in page.items)

    async def _languages(self, transcript_id: str, language: str | None) -> tuple[str, ...] | None:
        """The languages whose words are asked for, None for all: those that are learned where nothing names others."""
        if language is not None:
            return (base_language(language),)
        if transcript_id:
            return None
        learning = (await self._library.settings()).learning
        return tuple(dict.fromkeys(base_language(each.language) for each in learning)) or None

    async def _next_word(self, word: KnownWord, place: SentencePlace, films: dict[str, Film]) -> NextWord | None:
        film = await self._film(place.transcript.id, films, keeps=True)
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

    async def draft(self, place: TextPlace, films: dict[str, Film], focus: str | None = None) -> NewClip:
        """Draft the clip of the word at a place, with what dictionaries say of it, in its whole sentence.

        ``focus`` is the word as it is asked about, if it is more than stands there, "" for the sentence without a word.
        ``films`` keeps what is read of transcripts. Raises ``InvalidInput`` for a place without a word.
        """
        film = await self._film(place.transcript_id, films)
        transcript = film.transcript
        sentence = await self._sentence(film, place.cue, place.start)
        surface = await self._text(film, place)
        if sentence is None or not surface.strip():
            raise InvalidInput("there is no word at this place", hint="ask for the next words again", code="no_word")
        word = None if focus == "" else await self._word(film, sentence, place, focus or surface)
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
            focus=word,
            source=one_line(transcript.title),
        )

    async def _word(self, film: Film, sentence: CueSentence, place: TextPlace, surface: str) -> FocusWord:
        """The word at a place with what dictionaries and its own sentence say of it."""
        word, _ = await self._words.known(surface, film.transcript.language, sentence.text)
        words = await self._words_of(film, sentence)
        at = (place.cue, place.start, place.end)
        here = next((each for cue, each in words if (cue, each.start, each.end) == at), None)
        lemma, reading = (here.lemma, here.reading or None) if here is not None else (None, None)
        return replace(word, surface=surface, lemma=word.lemma or lemma, reading=word.reading or reading)

    async def _film(self, transcript_id: str, films: dict[str, Film], *, keeps: bool = False) -> Film:
        if transcript_id not in films:
            transcript = await self._transcripts.get(transcript_id)
            page = await self._transcripts.cues(transcript.id, limit=SAMPLE)
            films[transcript_id] = Film(transcript, cuts_sentences(page.items), {} if keeps else None)
        return films[transcript_id]

    async def _cues(self, film: Film, first: int, last: int) -> tuple[Cue, ...]:
        first = max(0, first)
        if film.pages is not None:
            near: list[Cue] = []
            for number in range(first // _PAGE, max(first, last) // _PAGE + 1):
                if number not in film.pages:
                    page = await self._transcripts.cues(film.transcript.id, offset=number * _PAGE, limit=_PAGE)
                    film.pages[number] = page.items
                near += film.pages[number]
            return tuple(cue for cue in near if first <= cue.index <= last)
        return (await self._transcripts.cues(film.transcript.id, offset=first, limit=last - first + 1)).items

    async def _sentence(self, film: Film, cue: int, offset: int) -> CueSentence | None:
        cues = await self._cues(film, cue - MAX_CUES, cue + MAX_CUES)
        return await asyncio.to_thread(
            find_sentence_at, cues, cue, offset, film.transcript.language, cutting=film.cutting
        )

    async def _words_of(self, film: Film, sentence: CueSentence) -> list[tuple[int, TextWord]]:
        """The words of a sentence, with their cues."""
        cues = await self._counter.states(film.transcript.id, sentence.first, sentence.last - sentence.first + 1)
        parts = {part.cue: part for part in sentence.parts}
        return [
            (cue.index, word)
            for cue in cues
            for word in cue.words
            if cue.index in parts and parts[cue.index].start <= word.start < parts[cue.index].end
        ]

    async def _text(self, film: Film, place: TextPlace) -> str:
        cues = await self._cues(film, place.cue, place.cue)
        return laid_out(cues[0].text)[place.start : place.end] if cues and place.cue >= 0 else ""


MAX_FREQUENT = 100_000
"""Maximum words that are marked by their frequency."""
_SAMPLES = 6
_TOLD_BY_TEXTS = 10
"""Share of the different words of texts, one in so many, that are taken for the commonest of their language."""
_CHANGED: tuple[WordState, ...] = ("new", "seen")
"""States that a mark by frequency takes the place of: whatever else a word is, somebody said so."""


class WordFrequencies:
    """Frequencies of words, of one profile where they are the library's own counts."""

    def __init__(self, library: Library, dictionaries: Dictionaries, word_forms: WordForms) -> None:
        self._library = library
        self._dictionaries = dictionaries
        self._word_forms = word_forms

    async def prepare(self, *, every_rank: bool) -> None:
        """Bring what is derived of the words up to date: which there are, how often they occur, and their ranks.

        These are those of the dictionaries that are there now. Seconds for one of half a million terms, whenever that
        is a new one; ``every_rank``: and whenever words have been added since.
        """
        await self._library.run(self._prepare_list)
        for language in await self._library.run(lambda store: store.word_list.languages()):
            await self._update(language, every_word=every_rank)

    def _prepare_list(self, store: Store) -> None:
        if not store.read_only:
            store.word_list.prepare(self._library.profile)

    async def _update(self, language: str, *, every_word: bool) -> None:
        dictionary = await asyncio.to_thread(self._dictionary, language)
        name, title = (dictionary.id, dictionary.title) if dictionary is not None else ("", "")

        def is_done(store: Store) -> bool:
            return store.read_only or store.word_list.has_ranks_of(language, name, every_word=every_word)

        if not await self._library.run(is_done):
            terms = () if dictionary is None else await asyncio.to_thread(self._terms, dictionary)
            found = await asyncio.to_thread(ranks, terms, language)
            await self._library.run(lambda store: store.word_list.save_ranks(language, name, title, found))

    async def mark(self, language: str, count: int, state: WordState) -> FrequencyMark:
        """Mark the most frequent words of a language, those that are new or were only seen."""
        base = base_language(language)
        lemmas, title = await self.list_frequent(base, count)
        marks = [WordMark(base, lemma, state=state) for lemma in lemmas]
        changed = await self._library.change(
            lambda store: store.word_states.mark(self._library.profile, marks, "frequency", only=_CHANGED)
        )
        return FrequencyMark(changed, len(lemmas), title)

    async def offer(self, language: str, count: int) -> FrequencyOffer:
        """What a mark of so many words would do."""
        base = base_language(language)
        lemmas, title = await self.list_frequent(base, count)
        profile = self._library.profile
        changed = await self._library.run(lambda store: store.word_states.count_in(profile, base, lemmas, _CHANGED))
        return FrequencyOffer(len(lemmas), changed, title, tuple(lemmas[-_SAMPLES:]))

    async def offer_below(self, language: str, level: str) -> FrequencyOffer:
        """What a mark of the words below a level would do; of as few as the library's own counts can tell, if need be.

        The commonest words of a few texts are mostly those of everyday speech, all of their words are not.
        """
        count, base = count_words_below(level), base_language(language)
        if count and await asyncio.to_thread(self._dictionary, base) is None:
            await self._word_forms.prepare(base)
            count = min(count, len(await self._list_own(base, MAX_FREQUENT)) // _TOLD_BY_TEXTS)
        return await self.offer(language, count) if count else FrequencyOffer(0, 0, "", ())

    async def list_frequent(self, language: str, count: int) -> tuple[list[str], str]:
        """The most frequent lemmas, at most so many, and the title of their dictionary, "" for own counts."""
        if not 1 <= count <= MAX_FREQUENT:
            raise InvalidInput(f"mark 1 to {MAX_FREQUENT} words by their frequency", field="count")
        dictionary = await asyncio.to_thread(self._dictionary, language)
        await self._word_forms.prepare(language)
        if dictionary is not None:
            lemmas = await asyncio.to_thread(self._commonest, dictionary, language, count)
        else:
            lemmas = await self._list_own(language, count)
        if not lemmas:
            raise InvalidInput(
                f"nothing tells which words of {language_name(language)} are frequent",
                hint="import texts in it, or a frequency dictionary: lode dictionaries add FILE",
                field="language",
            )
        return lemmas, "" if dictionary is None else dictionary.title

    async def _list_own(self, language: str, count: int) -> list[str]:
        """The lemmas that occur most in the profile's transcripts."""

        def read(store: Store) -> list[str]:
            self._prepare_list(store)
            wanted, most = WordFilter(language), count + count // 10 + 100
            page = store.word_list.page(self._library.profile, wanted, "occurrences", 0, most)
            told = (word for word in page.items if word.occurrences and not word.is_name)
            return list(dict.fromkeys(word.lemma for word in told if is_word_of(language, word.lemma)))[:count]

        return await self._library.run(read)

    def _dictionary(self, language: str) -> Dictionary | None:
        store = self._dictionaries.opened()
        return None if store is None else frequency_dictionary(store, language)

    def _terms(self, dictionary: Dictionary) -> Sequence[TermFrequency]:
        store = self._dictionaries.opened()
        return () if store is None else ranked_terms(store, dictionary)

    def _commonest(self, dictionary: Dictionary, language: str, count: int) -> list[str]:
        """The lemmas of the first terms of a list: many lists are of forms."""
        found: dict[str, None] = {}
        for term in self._terms(dictionary):
            if len(found) == count:
                break
            if is_word_of(language, term.term):
                found.setdefault(self._word_forms.form_of(term.term, language).lemma or term.term)
        return list(found)
