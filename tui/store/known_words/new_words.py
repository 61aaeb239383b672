"""New words of transcripts: the sentences that have some, and which of them are worth learning next."""

import heapq
import sqlite3
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log2

from tui.records.word_states import WordState
from tui.records.words import KnownWord
from tui.store.database import Connections, Table
from tui.store.known_words.sentence_words import KNOWN, NEW, SentenceWords, flags_of
from tui.store.known_words.transcript_words import CutTranscript, TranscriptWords
from tui.store.known_words.word_rows import BLOCKS, FROM, SELECT, StateTable, known_word
from tui.store.rows import AMONG, PROFILE, Connection, as_json

_UNRANKED = 100_000
"""Rank that a word counts with which the frequency dictionary does not have."""
_MAX_LISTED = 5_000
"""Words of the whole library that are looked at, the most useful by its own counts first."""
_TRANSCRIPTS_A_WORD = 6
_BEST_WORDS = 9
"""Number of words that a sentence to learn from has at best."""


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """Place of a sentence: the cue and the offset in it where it begins, and those where the next one does.

    ``end_cue`` is None for the last one. ``unknown`` counts the words in it that do not count as known.
    """

    transcript: CutTranscript
    cue: int
    offset: int
    end_cue: int | None
    end_offset: int
    unknown: int


class NewWords(Table):
    """New words of the profile, in sentences that were cut (``TranscriptWords``)."""

    def __init__(self, connections: Connections, states: StateTable, words: TranscriptWords) -> None:
        super().__init__(connections)
        self._states = states
        self._words = words

    def sentences_from(
        self,
        profile: str,
        transcript: CutTranscript,
        known: Iterable[WordState],
        place: tuple[int, int],
        limit: int,
        *,
        one_new: bool,
    ) -> list[SentencePlace]:
        """The first sentences with a new word, or with just that unknown, from the one at this cue and offset on."""
        words, flags = self._read(profile, transcript, known)
        if words is None:
            return []
        begins = list(zip(words.cues, words.offsets, strict=True))
        first = max(0, bisect_right(begins, place) - 1)
        rows = enumerate(words.flags(flags).split(b"\0")[:-1])
        found = (
            _place(words, transcript, index, row)
            for index, row in islice(rows, first, None)
            if (_unknown(row) == bytes((NEW,)) if one_new else NEW in row)
        )
        return list(islice(found, limit))

    def most_useful(
        self,
        profile: str,
        transcripts: Sequence[CutTranscript] | None,
        languages: Sequence[str] | None,
        known: Iterable[WordState],
        limit: int,
    ) -> list[tuple[int, KnownWord]]:
        """New words with their numbers, the most useful first: by how often they occur × in how many transcripts.

        They are counted in these transcripts, None stands for the whole profile; the others are those of the profile.
        ``languages`` are primary subtags, None is all.
        Where a frequency dictionary has ranks, what is rare in the language counts for less. Of ``transcripts`` those
        that were not cut are passed over. A word whose readings are known is there with these, not by itself.
        """
        own = None if transcripts is None else self._occurrences(profile, transcripts, known)
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            if seq is None:
                return []
            which = (
                "w.seq IN (SELECT value FROM json_each(:words))"
                if own is not None
                else "t.word IS NOT NULL AND NOT w.ignored AND coalesce(s.state, '') IN ('', 'new')"
                " AND (w.reading <> '' OR NOT EXISTS (SELECT 1 FROM words AS r INDEXED BY words_read"
                " WHERE r.reading <> '' AND r.language = w.language AND r.folded = w.folded))"
            )
            rows = connection.rows(
                f"{SELECT} {FROM} WHERE {which}"
                " AND (:languages IS NULL OR w.language IN (SELECT value FROM json_each(:languages)))"
                f" ORDER BY t.occurrences * t.transcripts DESC LIMIT {_MAX_LISTED}",
                profile=seq,
                languages=None if languages is None else as_json(languages),
                words=as_json(own or ()),
            )
            if own is None:
                flags = flags_of(self._states.current(connection, seq).codes, known)
                rows = [row for row in rows if row["seq"] < len(flags) and flags[row["seq"]] == NEW]

        has_ranks = any(row["rank"] is not None for row in rows)

        def usefulness(row: sqlite3.Row) -> float:
            count = row["occurrences"] if own is None else own[row["seq"]]
            rank = row["rank"]
            weight = 1 / log2(2 + (_UNRANKED if rank is None else rank)) if has_ranks else 1.0
            return float(count * max(1, row["transcripts"]) * weight)

        best = heapq.nlargest(limit, rows, key=usefulness)
        return [(row["seq"], known_word(row)) for row in best]

    def words_of(self, profile: str, transcripts: Sequence[CutTranscript]) -> dict[int, KnownWord]:
        """All words of these transcripts with their numbers, whatever their states; of those that were cut."""
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            cut = [words for each in transcripts if (words := self._words.words(each.seq)) is not None]
            ids = as_json({number for words in cut for number in words.ids})
            query = f"{SELECT} {FROM} WHERE w.seq IN (SELECT value FROM json_each(:words))"
            return {row["seq"]: known_word(row) for row in connection.rows(query, profile=seq, words=ids)}

    def find_forms(self, language: str, forms: Iterable[str]) -> dict[str, int]:
        """Find the numbers of the words that these forms are of; those that no text has are left out."""
        query = f"SELECT form, word FROM forms WHERE language = ? AND form {AMONG} AND word IS NOT NULL"
        return {row["form"]: row["word"] for row in self._connections.rows(query, language, as_json(forms))}

    def transcripts_with(self, profile: str, words: Sequence[int]) -> list[str]:
        """Ids of transcripts that have these words: as few as have all of them, then others to choose from."""
        rows = self._connections.rows(
            f"{BLOCKS} SELECT w.seq, t.id FROM json_each(?) AS given CROSS JOIN words AS w ON w.seq = given.value"
            " CROSS JOIN words AS b ON b.language = w.language AND b.folded = w.folded AND b.reading = ''"
            " CROSS JOIN forms AS f ON f.word = b.seq CROSS JOIN blocks"
            " CROSS JOIN form_counts AS c ON c.block = blocks.number AND c.form = f.seq"
            f" CROSS JOIN transcripts AS t ON t.seq = c.transcript WHERE t.profile = {PROFILE} GROUP BY 1, 2",
            *(as_json(words), profile),
        )
        having: dict[str, set[int]] = {}
        for word, transcript in rows:
            having.setdefault(transcript, set()).add(word)
        by_words = sorted(having, key=lambda each: len(having[each]), reverse=True)
        chosen: dict[str, None] = {}
        counted = Counter[int]()
        for enough in (1, _TRANSCRIPTS_A_WORD):
            for transcript in by_words:
                if transcript not in chosen and any(counted[word] < enough for word in having[transcript]):
                    counted.update(having[transcript])
                    chosen.setdefault(transcript)
        return list(chosen)

    def best_sentences(
        self, profile: str, transcripts: Sequence[CutTranscript], words: Iterable[int], known: Iterable[WordState]
    ) -> dict[int, SentencePlace]:
        """For each word the sentence that is best to learn it from: with little else unknown, neither long nor tiny."""
        wanted = set(words)
        best: dict[int, tuple[float, SentencePlace]] = {}
        for transcript in transcripts:
            row_words, flags = self._read(profile, transcript, known)
            if row_words is None:
                continue
            at = {place + 1: number for place, number in enumerate(row_words.ids) if number in wanted}
            for index, row in enumerate(_rows(row_words) if at else ()):
                for place in at.keys() & set(row):
                    own = bytes(flags[row_words.ids[each - 1]] for each in row)
                    sentence = _place(row_words, transcript, index, own)
                    cost = 10.0 * (sentence.unknown - 1) + abs(len(row) - _BEST_WORDS)
                    if at[place] not in best or cost < best[at[place]][0]:
                        best[at[place]] = cost, sentence
        return {number: sentence for number, (_, sentence) in best.items()}

    def count_at(
        self, connection: Connection, profile: int, known: Iterable[WordState]
    ) -> Callable[[int, int], frozenset[int]]:
        """Counter of the new words of the sentences in a cue, which is given by its transcript's number and its own.

        It gives the numbers of those sentences in which all other words are known, none for what was not cut yet.
        """
        flags = flags_of(self._states.current(connection, profile).codes, known)
        cut: dict[int, tuple[list[tuple[int, int]], list[bytes]]] = {}

        def count(transcript: int, cue: int) -> frozenset[int]:
            if transcript not in cut:
                words = self._words.words(transcript)
                begins = [] if words is None else list(zip(words.cues, words.offsets, strict=True))
                cut[transcript] = begins, [] if words is None else words.flags(flags).split(b"\0")[:-1]
            begins, rows = cut[transcript]
            first, end = max(0, bisect_right(begins, (cue, 0)) - 1), bisect_left(begins, (cue + 1, 0))
            unknown = map(_unknown, rows[first:end])
            return frozenset(len(each) for each in unknown if each.count(NEW) == len(each))

        return count

    def _read(
        self, profile: str, transcript: CutTranscript, known: Iterable[WordState]
    ) -> tuple[SentenceWords | None, bytes]:
        """The words of a transcript, and the flags of all words."""
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            words = self._words.words(transcript.seq)
            if seq is None or words is None:
                return None, b""
            return words, flags_of(self._states.current(connection, seq).codes, known)

    def _occurrences(
        self, profile: str, transcripts: Sequence[CutTranscript], known: Iterable[WordState]
    ) -> Mapping[int, int]:
        """How often each new word of these transcripts occurs in them."""
        total = Counter[int]()
        for transcript in transcripts:
            words, flags = self._read(profile, transcript, known)
            if words is None:
                continue
            counts = Counter(words.places)
            counts.update(words.repeated)
            for place, number in enumerate(words.ids, 1):
                if flags[number] == NEW:
                    total[number] += counts[place]
        return total


def _rows(words: SentenceWords) -> Iterable[Sequence[int]]:
    """The places of the words of each sentence."""
    begin, places = 0, words.places
    for _ in range(len(words.cues)):
        end = places.index(0, begin)
        yield places[begin:end]
        begin = end + 1


def _unknown(row: bytes) -> bytes:
    return row.translate(None, bytes((KNOWN,)))


def _place(words: SentenceWords, transcript: CutTranscript, index: int, row: bytes) -> SentencePlace:
    end: tuple[int | None, int] = None, 0
    if index + 1 < len(words.cues):
        end = words.cues[index + 1], words.offsets[index + 1]
    return SentencePlace(transcript, words.cues[index], words.offsets[index], *end, len(_unknown(row)))
