"""Words of transcripts by their sentences, kept once they were needed, and the counts that are made of them.

An import writes nothing of this: a transcript's words are cut into sentences when its counts are first asked for, and
stay until it is edited, read anew or deleted. Counts are kept in memory. After a change only those transcripts are
counted anew that have one of the words.
"""

from __future__ import annotations

import sqlite3
import struct
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tui.errors import damaged
from tui.language.forms.text_forms import TextForm
from tui.language.segmentation import is_segmented
from tui.language.sentences.sentence_forms import SentenceForms
from tui.language.tags import base_language
from tui.records.transcripts import Cue
from tui.records.word_states import WordState
from tui.records.words import WordCounts
from tui.store.database import Connections, Table
from tui.store.known_words.profile_states import StateTable, changed_words
from tui.store.known_words.sentence_words import SentenceWords, flags_of, number_bytes
from tui.store.known_words.word_rows import WordKey, add_words, forms_waiting, number_these, word_numbers
from tui.store.rows import as_json, full_id, profile_seq

CutBy = Literal["forms", "segmenter", ""]
"""What cut a transcript into words and said their lemmas: "" as long as lemmas of its forms were still to come."""
_FEW_CHANGES = 12
"""Number of changed words up to which each is looked for in the bytes of all transcripts."""
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
    """Counts of a profile as of a revision of its words: by the row of a transcript's words, with their numbers."""

    revision: int = -1
    known: frozenset[WordState] = frozenset()
    flags: bytes = b""
    counts: dict[int, tuple[bytes, WordCounts]] = field(default_factory=dict)
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
            found = {row["id"]: row for row in _rows(connection, profile, transcript_ids)}
            whole = [
                each if each in found else full_id(connection, "transcripts", profile, each) for each in transcript_ids
            ]
            found |= {
                row["id"]: row for row in _rows(connection, profile, [each for each in whole if each not in found])
            }
            return [CutTranscript(*found[each]) for each in dict.fromkeys(whole)]

    def cues(self, transcript: int) -> list[Cue]:
        """The cues of a transcript, as much of them as sentences need."""
        with self._connections.read() as connection:
            rows = connection.execute(
                "SELECT position, start_ms, end_ms, text, speaker FROM cues WHERE transcript = ? ORDER BY position",
                (transcript,),
            )
            return [Cue(*row) for row in rows]

    def save(
        self, transcript: int, language: str | None, sentences: Sequence[SentenceForms], *, has_lemmas: bool
    ) -> None:
        """Keep a transcript's words; ``has_lemmas`` tells that all lemmas there are of its language are known."""
        base = base_language(language)
        with self._connections.write() as connection:
            row = connection.execute("SELECT language FROM all_transcripts WHERE seq = ?", (transcript,)).fetchone()
            if row is None or row["language"] != language:
                return  # it was deleted or edited meanwhile
            numbers = _numbers(connection, base, (form for sentence in sentences for form in sentence.forms))
            words = SentenceWords.of(
                (sentence.cue, sentence.offset, [numbers[_key(form)] for form in sentence.forms])
                for sentence in sentences
            )
            cut_by: CutBy = "segmenter" if is_segmented(language) else "forms" if has_lemmas else ""
            connection.execute(
                "INSERT OR REPLACE INTO transcript_words (transcript, cut_by, ids, sentences) VALUES (?, ?, ?, ?)",
                (transcript, cut_by, *words.packed()),
            )

    def words(self, transcript: int) -> SentenceWords | None:
        """The words of a transcript by their sentences, None where they were not cut yet."""
        with self._connections.read() as connection:
            row = connection.execute(
                "SELECT seq, ids, sentences FROM transcript_words WHERE transcript = ?", (transcript,)
            ).fetchone()
            return None if row is None else _unpacked(row)

    def counts(
        self, profile: str, transcripts: Iterable[CutTranscript], known: Iterable[WordState]
    ) -> dict[str, WordCounts]:
        """Count the words of transcripts that were cut; those that were not are left out."""
        ids = {transcript.seq: transcript.id for transcript in transcripts}
        with self._connections.read() as connection:
            seq = profile_seq(connection, profile)
            if seq is None:
                return {}
            kept = self._kept.setdefault(seq, _Kept())
            with kept.lock:
                return self._counted(connection, seq, kept, ids, frozenset(known))

    def _counted(
        self,
        connection: sqlite3.Connection,
        profile: int,
        kept: _Kept,
        ids: Mapping[int, str],
        known: frozenset[WordState],
    ) -> dict[str, WordCounts]:
        states = self._states.current(connection, profile)
        flags = flags_of(states.codes, known)
        if kept.known != known or kept.revision > states.revision:
            kept.counts.clear()
            changed, stale = list[int](), dict[int, tuple[bytes, WordCounts]]()
        else:
            changed = changed_words(connection, profile, kept.revision) if kept.revision < states.revision else []
            stale = _forget(kept, changed)
        before = kept.flags
        kept.revision, kept.known, kept.flags = states.revision, known, flags
        rows = connection.execute(
            "SELECT w.seq, w.transcript FROM json_each(?) AS given"
            " CROSS JOIN transcript_words AS w ON w.transcript = given.value",
            (as_json(ids),),
        ).fetchall()
        waiting = [row[0] for row in rows if row[0] not in kept.counts]
        query = "SELECT seq, ids, sentences FROM transcript_words WHERE seq IN (SELECT value FROM json_each(?))"
        for row in connection.execute(query, (as_json(waiting),)):
            try:
                words, old, counts = _unpacked(row), stale.get(row["seq"]), None
                if old is not None and len(changed) <= _FEW_CHANGES:
                    counts = words.recounted(old[1], changed, before, flags)
                kept.counts[row["seq"]] = row["ids"], counts or words.counts(flags)
            except IndexError as error:
                raise damaged("the words of a transcript", error) from error
        return {ids[transcript]: kept.counts[seq][1] for seq, transcript in rows}


def forget_words(connection: sqlite3.Connection, transcript: int) -> None:
    """Forget the words of a transcript: they are to be cut anew."""
    connection.execute("DELETE FROM transcript_words WHERE transcript = ?", (transcript,))


def _forget(kept: _Kept, changed: Sequence[int]) -> dict[int, tuple[bytes, WordCounts]]:
    """Forget the counts of the transcripts that have one of the changed words; gives what they were."""
    if len(changed) > _MANY_CHANGES:
        gone = list(kept.counts)
    elif len(changed) <= _FEW_CHANGES:
        # Bytes that only happen to be those of a number cost a count, and no more.
        gone = list[int]()
        for wanted in map(number_bytes, changed):
            gone += [seq for seq, (ids, _) in kept.counts.items() if wanted in ids]
        gone = list(dict.fromkeys(gone))
    else:
        numbers = frozenset(number_bytes(number) for number in changed)
        gone = [
            seq
            for seq, (ids, _) in kept.counts.items()
            if not numbers.isdisjoint(each for (each,) in struct.iter_unpack("4s", ids))
        ]
    return {seq: kept.counts.pop(seq) for seq in gone}


def _rows(connection: sqlite3.Connection, profile: str, ids: Sequence[str]) -> list[sqlite3.Row]:
    return connection.execute(
        "SELECT t.id, t.seq, t.language, w.cut_by FROM json_each(?) AS given"
        " CROSS JOIN transcripts AS t ON t.id = given.value"
        " LEFT JOIN transcript_words AS w ON w.transcript = t.seq WHERE t.profile = ?",
        (as_json(ids), profile_seq(connection, profile)),
    ).fetchall()


def _unpacked(row: sqlite3.Row) -> SentenceWords:
    try:
        return SentenceWords.unpacked(row["ids"], row["sentences"])
    except (ValueError, struct.error) as error:
        raise damaged("the words of a transcript", error) from error


def _key(form: TextForm) -> tuple[str, str | None, str]:
    return form.form if form.lemma is None else "", form.lemma, form.reading


def _numbers(
    connection: sqlite3.Connection, language: str, forms: Iterable[TextForm]
) -> dict[tuple[str, str | None, str], int]:
    """The numbers of the words of forms, which are added where they are missing."""
    different = {_key(form): form for form in forms}
    plain = [form.form for form in different.values() if form.lemma is None]
    number_these(connection, forms_waiting(connection, language, plain))
    rows = connection.execute(
        "SELECT f.form, f.word FROM json_each(?) AS given CROSS JOIN forms AS f"
        " ON f.form = given.value AND f.language = ?",
        (as_json(plain), language),
    )
    of_forms = dict(map(tuple, rows))
    numbers: dict[tuple[str, str | None, str], int] = {}
    rest: dict[tuple[str, str | None, str], tuple[WordKey, str]] = {}
    for key, form in different.items():
        if form.lemma is None and form.form in of_forms:
            numbers[key] = of_forms[form.form]
        else:
            lemma = form.form if form.lemma is None else form.lemma
            rest[key] = WordKey.of(language, lemma, form.reading), lemma
    add_words(connection, dict(rest.values()).items())
    found = word_numbers(connection, {key for key, _ in rest.values()})
    return numbers | {key: found[word] for key, (word, _) in rest.items()}
