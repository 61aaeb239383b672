"""Words of transcripts by their sentences, kept once they were needed, and the counts that are made of them.

An import writes nothing of this: a transcript's words are cut into sentences when its counts are first asked for, and
stay until it is edited, read anew or deleted. Counts are kept in memory. After a change only those transcripts are
counted anew that have one of the words.
"""

import sqlite3
import struct
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tui.errors import damaged
from tui.language.cue_sentences import SentenceForms
from tui.language.segmentation import is_segmented
from tui.language.tags import base_language
from tui.language.word_form import FormKey, TextForm
from tui.records.transcripts import Cue
from tui.records.word_states import WordState
from tui.records.words import WordCounts
from tui.store.database import Connections, Table
from tui.store.known_words import word_rows
from tui.store.known_words.sentence_words import SentenceWords, flags_of, number_character
from tui.store.known_words.word_rows import StateTable, WordKey
from tui.store.rows import AMONG, Connection, as_json

CutBy = Literal["forms", "segmenter", ""]
"""What cut a transcript into words and said their lemmas: "" as long as lemmas of its forms were still to come."""
_STAMP = """
    SELECT (SELECT group_concat(revision) FROM totals WHERE profile = ? AND kind IN ('transcripts', 'words')),
        (SELECT count(*) FROM transcript_words), (SELECT max(seq) FROM transcript_words)
"""
"""Query for what changes with the counts of a profile's transcripts."""
_CUES = "SELECT position, start_ms, end_ms, text, speaker FROM cues WHERE transcript = ? ORDER BY position"
_REVISION = (
    "SELECT revision FROM totals WHERE kind = 'transcripts'"
    " AND profile = (SELECT profile FROM all_transcripts WHERE seq = ?)"
)
_FEW_CHANGES = 12
"""Number of changed words up to which each is looked for in the words of all transcripts."""
_MANY_CHANGES = 1_000
"""Number of changed words from which on everything is counted anew."""


@dataclass(frozen=True, slots=True)
class CutTranscript:
    """A transcript whose words may be cut: its id, number and language, and what cut it, None where nothing has."""

    id: str
    seq: int
    language: str | None
    cut_by: CutBy | None


@dataclass(slots=True)
class _Kept:
    """Counts of a profile as of a revision of its words: by the row of a transcript's words, with these as a text.

    ``every`` are those of all its transcripts, as of a ``stamp``.
    """

    revision: int = -1
    known: frozenset[WordState] = frozenset()
    flags: bytes = b""
    counts: dict[int, tuple[str, WordCounts]] = field(default_factory=dict)
    stamp: tuple[object, ...] = ()
    every: Mapping[int, WordCounts] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


class TranscriptWords(Table):
    """Table of the words of transcripts by their sentences."""

    def __init__(self, connections: Connections, states: StateTable) -> None:
        super().__init__(connections)
        self._states = states
        self._kept: dict[int, _Kept] = {}

    def wanted(self, profile: str, transcript_ids: Sequence[str]) -> list[CutTranscript]:
        """The transcripts with these ids or unambiguous beginnings; raises ``NotFound`` as all that takes ids does."""
        with self._connections.read() as connection:
            found = _found(connection, profile, transcript_ids)
            whole = [
                each if each in found else connection.full_id("transcripts", profile, each) for each in transcript_ids
            ]
            found |= _found(connection, profile, [each for each in whole if each not in found])
            return [found[each] for each in dict.fromkeys(whole)]

    def cues(self, transcript: int) -> list[Cue]:
        """The cues of a transcript, as much of them as sentences need."""
        return [Cue(*row) for row in self._connections.rows(_CUES, transcript)]

    def is_as(self, transcript: CutTranscript) -> bool:
        """Whether the transcript is there still, in that language and cut as it was."""
        query = (
            "SELECT t.language, w.cut_by FROM all_transcripts AS t"
            " LEFT JOIN transcript_words AS w ON w.transcript = t.seq WHERE t.seq = ?"
        )
        row = self._connections.row(query, transcript.seq)
        return row is not None and tuple(row) == (transcript.language, transcript.cut_by)

    def revision(self, transcript: int) -> int:
        """Number that grows with every change of a transcript of the same profile."""
        return int(self._connections.value(_REVISION, transcript) or 0)

    def save(
        self, transcript: CutTranscript, forms: SentenceForms, cues: Sequence[Cue], revision: int, *, has_lemmas: bool
    ) -> None:
        """Keep a transcript's words; ``has_lemmas`` tells that all lemmas there are of its language are known.

        They are those of ``cues``, which were read at a ``revision``, and are forgotten where these are edited by now.
        """
        language = transcript.language
        with self._connections.write() as connection:
            row = connection.row("SELECT language FROM all_transcripts WHERE seq = ?", transcript.seq)
            if row is None or row["language"] != language:
                return  # it was deleted or edited meanwhile
            is_as_it_was = connection.value(_REVISION, transcript.seq) == revision
            if not is_as_it_was and [Cue(*each) for each in connection.rows(_CUES, transcript.seq)] != list(cues):
                return
            numbers = _numbers(connection, base_language(language), forms.different)
            words = SentenceWords.of(
                (cue, offset, [numbers[place] for place in places]) for cue, offset, places in forms.sentences
            )
            cut_by: CutBy = "segmenter" if is_segmented(language) else "forms" if has_lemmas else ""
            ids, sentences = words.packed()
            columns = {"transcript": transcript.seq, "cut_by": cut_by, "ids": ids, "sentences": sentences}
            connection.insert("transcript_words", columns, replacing=True)

    def words(self, transcript: int) -> SentenceWords | None:
        """The words of a transcript by their sentences, None where they were not cut yet."""
        query = "SELECT seq, ids, sentences FROM transcript_words WHERE transcript = ?"
        row = self._connections.row(query, transcript)
        return None if row is None else _unpacked(row)

    def counts(
        self, profile: str, transcripts: Iterable[CutTranscript], known: Iterable[WordState]
    ) -> dict[str, WordCounts]:
        """Count the words of transcripts that were cut; those that were not are left out."""
        ids = {transcript.seq: transcript.id for transcript in transcripts}
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            if seq is None:
                return {}
            kept = self._kept.setdefault(seq, _Kept())
            with kept.lock:
                found = self._count(connection, seq, kept, ids, frozenset(known))
                return {ids[each]: counts for each, counts in found.items()}

    def every(self, profile: str, known: Iterable[WordState]) -> Mapping[int, WordCounts]:
        """The counts of all transcripts that were cut, by their numbers; nothing is counted while nothing changes."""
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            if seq is None:
                return {}
            kept = self._kept.setdefault(seq, _Kept())
            with kept.lock:
                stamp = frozenset(known), *connection.rows(_STAMP, seq)[0]
                if kept.stamp != stamp:
                    numbers = connection.column("SELECT seq FROM transcripts WHERE profile = ?", seq)
                    kept.every = self._count(connection, seq, kept, numbers, frozenset(known))
                    kept.stamp = stamp
                return kept.every

    def _count(
        self, connection: Connection, profile: int, kept: _Kept, wanted: Iterable[int], known: frozenset[WordState]
    ) -> dict[int, WordCounts]:
        states = self._states.current(connection, profile)
        flags = flags_of(states.codes, known)
        if kept.known != known or kept.revision > states.revision:
            kept.counts.clear()
            changed, stale = list[int](), dict[int, tuple[str, WordCounts]]()
        else:
            changed = word_rows.changed_words(connection, profile, kept.revision)
            stale = _forget(kept, changed)
        before = kept.flags
        kept.revision, kept.known, kept.flags = states.revision, known, flags
        rows = connection.rows(
            "SELECT w.seq, w.transcript FROM json_each(?) AS given"
            " CROSS JOIN transcript_words AS w ON w.transcript = given.value",
            as_json(wanted),
        )
        cut: dict[int, int] = dict(map(tuple, rows))
        waiting = [seq for seq in cut if seq not in kept.counts]
        query = f"SELECT seq, ids, sentences FROM transcript_words WHERE seq {AMONG}"
        for row in connection.execute(query, (as_json(waiting),)):
            try:
                words, old = _unpacked(row), stale.get(row["seq"])
                if old is not None:  # a row's words never change
                    few = words.recounted(old[1], changed, before, flags) if len(changed) <= _FEW_CHANGES else None
                    kept.counts[row["seq"]] = old[0], few or words.counts(flags)
                else:
                    kept.counts[row["seq"]] = words.ids_as_text(), words.counts(flags)
            except IndexError as error:
                raise damaged("the words of a transcript", error) from error
        return {transcript: kept.counts[seq][1] for seq, transcript in cut.items()}


def forget_words(connection: Connection, transcript: int) -> None:
    """Forget the words of a transcript: they are to be cut anew."""
    connection.execute("DELETE FROM transcript_words WHERE transcript = ?", (transcript,))


def _forget(kept: _Kept, changed: Sequence[int]) -> dict[int, tuple[str, WordCounts]]:
    """Forget the counts of the transcripts that have one of the changed words; gives what they were."""
    wanted = {number_character(number) for number in changed}
    if len(changed) > _MANY_CHANGES:
        gone = list(kept.counts)
    elif len(changed) <= _FEW_CHANGES:
        gone = [seq for seq, (ids, _) in kept.counts.items() if any(each in ids for each in wanted)]
    else:
        gone = [seq for seq, (ids, _) in kept.counts.items() if not wanted.isdisjoint(ids)]
    return {seq: kept.counts.pop(seq) for seq in gone}


def _found(connection: Connection, profile: str, ids: Sequence[str]) -> dict[str, CutTranscript]:
    rows = connection.execute(
        "SELECT t.id, t.seq, t.language, w.cut_by FROM json_each(?) AS given"
        " CROSS JOIN transcripts AS t ON t.id = given.value"
        " LEFT JOIN transcript_words AS w ON w.transcript = t.seq WHERE t.profile = ?",
        (as_json(ids), connection.profile_seq(profile)),
    )
    return {row["id"]: CutTranscript(*row) for row in rows}


def _unpacked(row: sqlite3.Row) -> SentenceWords:
    try:
        return SentenceWords.unpacked(row["ids"], row["sentences"])
    except (ValueError, LookupError, struct.error) as error:
        raise damaged("the words of a transcript", error) from error


def _numbers(connection: Connection, language: str, forms: Sequence[TextForm]) -> list[int]:
    """The numbers of the words of forms, in their order; words are added where they are missing."""
    plain = [form.form for form in forms if form.lemma is None]
    word_rows.number_these(connection, word_rows.forms_waiting(connection, language, plain))
    rows = connection.execute(
        "SELECT f.form, f.word FROM json_each(?) AS given CROSS JOIN forms AS f"
        " ON f.form = given.value AND f.language = ?",
        (as_json(plain), language),
    )
    of_forms: dict[str, int] = dict(map(tuple, rows))
    rest: dict[FormKey, tuple[WordKey, str]] = {}
    for form in forms:
        if form.lemma is not None or form.form not in of_forms:
            lemma = form.form if form.lemma is None else form.lemma
            rest[form.key] = WordKey.of(language, lemma, form.reading), lemma
    word_rows.add_words(connection, dict(rest.values()).items())
    found = word_rows.word_numbers(connection, {word for word, _ in rest.values()})
    return [found[rest[form.key][0]] if form.key in rest else of_forms[form.form] for form in forms]
