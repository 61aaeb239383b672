"""Protocols of what the service does with words: a part of the contract in ``service/protocol/``."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tui.language.word import Word
from tui.service.protocol.operation import Operation

if TYPE_CHECKING:  # dataclasses take a while to make, and nothing before the first frame needs these
    from tui.records import words
    from tui.records.clips import Clip, ConcordanceLine
    from tui.records.deletion import Deletion
    from tui.records.dictionaries import Dictionary, LookUp, OfferedDictionary
    from tui.records.jobs import Job
    from tui.records.own_words import OwnWord
    from tui.records.pages import Page
    from tui.records.vocabulary import RunningAnki, VocabularyChoice, VocabularyOffer, VocabularyReport
    from tui.records.word_states import WordState
    from tui.records.word_stats import WordStats
    from tui.records.word_summary import WordSummary
    from tui.service.protocol import arguments as args


@dataclass(frozen=True, slots=True)
class CueWords:
    """Words of a cue as the library counts them, with lemmas and readings; offsets are those of the cue's text."""

    index: int
    words: tuple[Word, ...]


class Words(Protocol):
    @Operation("GET", "/profiles/words/summary", "word_summary")
    async def summary(
        self, word: args.WordText, *, language: args.LanguageTag, sentence: args.SentenceText = ""
    ) -> WordSummary:
        """Sum up what dictionaries and library have of a word, as it stands in its sentence where that is given.

        Lemma, meanings, count, and in how many clips and answers it is.
        """

    @Operation("GET", "/profiles/words/concordance", "concordance")
    async def concordance(
        self, word: args.WordText, *, language: args.LanguageTag, limit: args.Limit = 20
    ) -> tuple[ConcordanceLine, ...]:
        """Sentences of the library with the word in any of its forms."""


class OwnWords(Protocol):
    """Meanings, notes and phrases that the profile has written of words; each change can be undone."""

    @Operation("GET", "/profiles/words/own", "list_own_words")
    async def all(self, *, language: args.LanguageTag = None, lemma: args.OnlyLemma = None) -> tuple[OwnWord, ...]:
        """Lists the meanings, notes and phrases that the profile has written itself."""

    async def get(self, language: str, lemma: str) -> OwnWord | None:
        """What is written of a lemma, None for nothing. Raises ``InvalidInput`` for no language or no word."""

    @Operation("PUT", "/profiles/words/own", "save_own_word")
    async def save(self, word: OwnWord) -> OwnWord:
        """Put it in the place of what was written of the lemma; gives it as it is kept.

        Raises ``InvalidInput`` with the field of what is too long, too many, or missing.
        """

    @Operation("POST", "/profiles/words/own/delete", "delete_own_word", body="LemmaBody")
    async def delete(self, language: args.Tag, lemma: str) -> Deletion:
        """Delete what is written of a lemma; a count of 0 says that there was nothing."""


class Dictionaries(Protocol):
    """The dictionaries of the library, which all of its profiles share; no undo brings one back."""

    @Operation("GET", "/dictionaries", "list_dictionaries")
    async def all(self) -> tuple[Dictionary, ...]:
        """The dictionaries, which all profiles share, in the order in which they are asked."""

    async def add(self, paths: Sequence[str | Path]) -> tuple[Job, ...]:
        """Queue the import of each dictionary; of dictd's two files one may be named, or both.

        Another revision of a dictionary takes its place. Raises ``ImportRefused`` and queues nothing where a file is
        missing; what is no dictionary is for its job to refuse.
        """

    @Operation("POST", "/dictionaries", "upload_dictionary", 202)
    async def add_upload(self, name: args.DictionaryName, pieces: AsyncIterable[bytes]) -> Job:
        """The body is the file of a dictionary, as it was downloaded; the answer is the job of this profile that adds it.

        What it is, is told by its content: a Yomitan ZIP file, kaikki.org's JSONL, CC-CEDICT, each packed by gzip or not.
        The two files of dictd and FreeDict are sent as one, a ZIP file with both. Another revision of a dictionary takes
        its place; the very same file again changes nothing.
        """  # noqa: E501 - its lines are those of /openapi.json

    @Operation("PUT", "/dictionaries/order", "order_dictionaries")
    async def reorder(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        """Let these be asked first, in this order, the others after them as before; gives all of them."""

    @Operation("DELETE", "/dictionaries/{dictionary_id}", "delete_dictionary")
    @Operation("POST", "/dictionaries/delete", "delete_dictionaries")
    async def delete(self, *dictionary_ids: str) -> tuple[Dictionary, ...]:
        """Delete dictionaries for good: only adding their files again brings them back. Gives what they were."""

    async def find_offered(self) -> tuple[OfferedDictionary, ...]:
        """The dictionaries that this machine has for other programs and the library has not, to be given to ``add``.

        Those of languages that the profile learns come first.
        """

    @Operation("GET", "/dictionaries/entries", "look_up_word")
    async def look_up(
        self, word: args.WordText, *, language: args.LanguageTag, sentence: args.SentenceText = ""
    ) -> LookUp:
        """Look a word up as it stands in its sentence: its entries as they are, the likeliest first.

        Asked are the dictionaries of the language, all where it is None, and the glossaries of the samples. ``html``
        of an entry is safe markup for a card; all else is plain text.
        """


class KnownWords(Protocol):
    """States of words in the profile: which are known, learned, seen, ignored or new.

    Words go by the primary subtag of their language, their lemma, folded as the library folds forms, and a reading
    where the text says it; a state without a reading holds for all readings that have none of their own.
    """

    @Operation("GET", "/profiles/words", "list_words")
    async def page(
        self,
        *,
        language: args.LanguageTag = None,
        states: args.States = (),
        q: str = "",
        order: args.SortedBy = "lemma",
        sort: args.SortName = "",
        offset: int = 0,
        limit: int = 100,
        after: str | None = None,
    ) -> Page[words.KnownWord]:
        """A page of the words that have a state, and of all words of the profile's transcripts, which are new.

        ``states`` empty: whatever their state. ``q`` is looked for within lemmas and readings.
        """

    @Operation("POST", "/profiles/words/mark", "mark_words", body="WordMarks")
    async def mark(self, words: args.Marks, *, source: args.MarkSource = "user") -> int:
        """Give words their states, all of them or none; gives how many have another one now.

        One undo takes one call back. ``source`` says where it is from. Raises ``InvalidInput`` for what is no word.
        """

    @Operation("POST", "/profiles/words/mark_frequent", "mark_frequent_words", body="FrequentWords")
    async def mark_frequent(
        self, language: args.Tag, count: args.FirstWords, state: WordState = "known"
    ) -> words.FrequencyMark:
        """Give the most frequent words of a language this state, those that are new or were only seen.

        By the first frequency dictionary of the language, else by how often they occur in the profile's transcripts;
        the answer says which. Raises ``InvalidInput`` where neither tells anything.
        """

    @Operation("GET", "/profiles/words/frequent", "frequent_words", is_slow=True)
    async def frequent(
        self, language: args.Tag, *, level: args.Level = "", count: args.OfferedWords = 0
    ) -> words.FrequencyOffer:
        """What ``mark_frequent`` would do with the words below a level of the language, or with so many of them.

        Below a level, as few are offered as the library can tell by its own counts: a tenth of its different words.
        Nothing is changed. Raises ``InvalidInput`` as ``mark_frequent`` does, and for what is no level.
        """

    @Operation("GET", "/profiles/transcripts/{transcript_id}/word_states", "word_states_of_cues")
    async def of_cues(
        self, transcript_id: str, *, offset: args.Offset = 0, limit: args.Limit = 200
    ) -> tuple[words.CueStates, ...]:
        """The words of these cues with their lemmas and states; numbers, names and other scripts are ignored."""

    @Operation("GET", "/profiles/transcripts/{transcript_id}/next_new_word", "next_new_word", by_hand=True)
    async def next_new(self, transcript_id: str, cue: args.CuePlace, start: args.CuePlace) -> words.WordPlace | None:
        """The next new word behind the one at ``start`` of a cue (-1: from its beginning), None behind the last one."""

    @Operation(
        "GET",
        "/profiles/transcripts/{transcript_id}/next_new_word",
        "next_new_word",
        by_hand=True,
        fixed=(("one_new", "true"),),
    )
    async def next_one_new(
        self, transcript_id: str, cue: args.CuePlace, start: args.WordStart = None
    ) -> words.WordPlace | None:
        """The next new word in whose sentence all other words are known; behind the whole cue without ``start``."""

    @Operation("GET", "/profiles/words/next", "next_words", is_slow=True)
    async def next_words(
        self,
        *,
        transcript_id: args.OfTranscript = "",
        q: args.TranscriptSearch = "",
        language: args.LanguageTag = None,
        limit: args.Limit = 50,
    ) -> tuple[words.NextWord, ...]:
        """The new words that are worth learning next, the most useful first, each with its best sentence.

        They are those of a transcript, of the transcripts that ``q`` finds (a series, a title, a language), or of the
        library; in this language, else, but for a single transcript, in those that the profile learns, or in all where
        it names none. Useful is what occurs often there and in many transcripts of the library and, where a frequency
        dictionary tells, is common in the language.
        """

    @Operation("POST", "/profiles/words/clip", "clip_words", 201, body="WordPlaces")
    async def clip_words(self, places: Sequence[words.TextPlace]) -> tuple[Clip, ...]:
        """Make a clip of the sentence of each word, with what dictionaries say of it; one undo removes them all.

        Raises ``InvalidInput`` for a place without a word; then no clip is made.
        """

    # By their whole ids; a transcript that was never asked for is first cut into sentences.
    @Operation("POST", "/profiles/words/counts", "count_words", asks=True)
    async def counts(self, *transcript_ids: str) -> Mapping[str, words.WordCounts]:
        """Count the words of these transcripts. The first count of a transcript takes a tenth of a second for a film."""  # noqa: E501 - its line is that of /openapi.json

    @Operation("GET", "/profiles/words/stats", "word_stats", is_slow=True)
    async def stats(self, language: args.LanguageTag = None, *, transcripts: args.Newest = 50) -> WordStats:
        """Statistics of a language, of all without one: by state, over time, and of as many of the newest texts."""

    @Operation(
        "GET", "/profiles/words/export", "export_words", streams=True, media_type="text/csv", file_name="words.csv"
    )
    def stream_export(self, language: args.LanguageTag = None) -> AsyncGenerator[bytes, None]:
        """The words that have a state as CSV, with a line of titles: it can be imported again as it is."""


class Vocabulary(Protocol):
    """Words from outside, which get states in the profile: lists, Anki's packages and collections, a running Anki.

    Files and a running Anki are those of this machine, also where the library is a server's. Raises ``ImportRefused``
    for what has no words, ``ProviderError`` where Anki does not answer, and ``InvalidInput`` for a choice that is not
    there, or that has to be made: ``field_needed``, ``first_needed``, ``language_needed``.
    """

    async def offer(self, source: Path | RunningAnki, *, encoding: str = "") -> VocabularyOffer:
        """What can be chosen: note types with their fields and samples, and decks."""

    async def preview(self, source: Path | RunningAnki, choice: VocabularyChoice) -> VocabularyReport:
        """What the import would do; nothing is changed."""

    async def add(self, source: Path | RunningAnki, choice: VocabularyChoice, *, anew: bool = False) -> Job:
        """Queue the import, which one undo takes back.

        Of a running Anki only what has changed since the last time is read, all of it ``anew``.
        """

    @Operation("POST", "/profiles/vocabulary", "import_vocabulary", 202)
    async def add_upload(
        self,
        name: args.ListName,
        pieces: AsyncIterable[bytes],
        choice: VocabularyChoice,
        *,
        source: args.ListSource = "",
    ) -> Job:
        """The body is a list of words, a table, an Anki package or a collection; the answer is the job that imports it.

        One undo takes all of it back.
        """

    @Operation("POST", "/profiles/vocabulary/preview", "preview_vocabulary", asks=True)
    async def preview_upload(
        self,
        name: args.ListName,
        pieces: AsyncIterable[bytes],
        choice: VocabularyChoice,
        *,
        source: args.ListSource = "",
    ) -> VocabularyReport:
        """What the import of the body would do; nothing is kept or changed."""

    @Operation("POST", "/profiles/vocabulary/fields", "fields_of_vocabulary", asks=True)
    async def offer_upload(
        self, name: args.ListName, pieces: AsyncIterable[bytes], *, encoding: args.ListEncoding = ""
    ) -> VocabularyOffer:
        """The note types of the body with their fields and samples, and its decks; a list is one of each."""

    async def show_in_anki(self, word: str, anki: RunningAnki | None = None) -> int:
        """Open the browser of a running Anki (None: the usual one) at the notes that have this word.

        Gives how many there are; raises ``NotFound`` where there are none.
        """
