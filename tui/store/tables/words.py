"""Tables of the library's word forms: their lemmas, how often they occur, and the sentences they stand in."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from tui.language.scripts import is_spaceless
from tui.language.tags import base_language
from tui.language.word import fold
from tui.language.word_kinds import CAPITAL, SMALL, find_capitals_inside, has_names
from tui.store.database import Table
from tui.store.known_words.word_rows import BLOCK, BLOCKS
from tui.store.rows import AMONG, MAX_INTEGER, Connection, as_json
from tui.store.search import TRIGRAM, escape, quote
from tui.system.spool import Spool
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.records.clips import ConcordanceLine

WRITTEN_BITS = 2
WRITTEN = (1 << WRITTEN_BITS) - 1
NUMBER = "iif(type = 'integer', value, value ->> 0)"
LEMMA = "iif(type = 'array', value ->> 1, NULL)"
"""A form's number and lemma in a row of ``json_each`` of what ``count_forms`` gives."""
_FORMS_AT_ONCE = 50_000
"""Number of different forms that are counted in memory."""
_FORMS_IN_A_PART = 5_000
"""Number of forms written by one statement: SQLite takes up to a kilobyte for each while it reads their JSON."""
_CANDIDATES = 2_000
"""Number of cues looked at for one concordance: enough to fill it, and few enough for the time between two keys."""
_SCANNED_TRANSCRIPTS = 30
"""Number of transcripts read through for a form that no index has, for the same reason."""


class Words(Table):
    """Table of word forms; languages are compared by their primary subtag, None is every language."""

    def unlemmatised(self, language: str, limit: int) -> tuple[str, ...]:
        """Forms in this language whose lemma has not been looked up yet."""
        query = "SELECT form FROM forms WHERE language = ? AND looked_up = 0 ORDER BY seq LIMIT ?"
        return tuple(self._connections.column(query, base_language(language), limit))

    def set_lemmas(self, language: str, lemmas: Mapping[str, str | None]) -> None:
        """Set the lemmas of forms; None where the dictionary has none, which is not asked again."""
        base = base_language(language)
        with self._connections.write() as connection:
            connection.executemany(
                "UPDATE forms SET word = iif(lemma IS ?1, word, NULL), lemma = ?1, looked_up = 1"
                " WHERE language = ?2 AND form = ?3",
                [(lemma, base, form) for form, lemma in lemmas.items()],
            )

    def forms_of(self, language: str, lemma: str) -> tuple[str, ...]:
        """The forms in the library that have this lemma."""
        query = "SELECT form FROM forms WHERE language = ? AND lemma = ? ORDER BY seq"
        return tuple(self._connections.column(query, base_language(language), lemma))

    def occurrences(self, profile: str, language: str | None, forms: Sequence[str]) -> tuple[int, tuple[int, ...]]:
        """Count these forms in the profile's transcripts: all of them, and per transcript, oldest first.

        Counted are words as the reader shows them, in transcripts of the language or of an unknown one; transcripts
        without any are left out. Counts of single words were taken at import; several words in a row, and words of a
        script without spaces that no import counted, are counted in the newest cues that have their characters.
        """
        from tui.language.segmentation import words

        wanted = {fold(form, language) for form in forms}
        several = {form for form in wanted if len(words(form, language)) > 1}
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            if seq is None:
                return 0, ()
            base = base_language(language)
            query = f"{BLOCKS} SELECT c.transcript, sum(c.n) {_counts_of(base)} GROUP BY c.transcript"
            rows = connection.rows(query, wanted=as_json(wanted), language=base, profile=seq)
            counts = Counter(dict[int, int](map(tuple, rows)))
            if not counts:  # no import cut a text so that it was a word
                several |= {form for form in wanted if is_spaceless(form)}
            if several:
                finder = _Finder(several, language)
                for row in _candidates(connection, seq, language, several):
                    counts[row["transcript"]] += sum(1 for _ in finder.spans(row["text"]))
        per_transcript = tuple(counts[number] for number in sorted(counts) if counts[number])
        return sum(per_transcript), per_transcript

    def concordance(
        self, profile: str, language: str | None, forms: Sequence[str], limit: int, exclude_sentence: str = ""
    ) -> tuple[ConcordanceLine, ...]:
        """Cues with any of these forms, newest first, at most ``limit`` out of the newest few thousand candidates.

        ``exclude_sentence`` is left out wherever it stands. Whole words count; in scripts without spaces, where words
        have no certain ends, any place where the form's characters stand.
        """
        from tui.records.clips import ConcordanceLine

        wanted = {fold(form, language) for form in forms if form.strip()}
        excluded = one_line(exclude_sentence)
        finder = _Finder(wanted, language)
        lines: list[ConcordanceLine] = []
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            if seq is None or not wanted or limit < 1:
                return ()
            for row in _candidates(connection, seq, language, wanted):
                span = next(finder.spans(row["text"]), None)
                if span is None or one_line(row["text"]) == excluded:
                    continue
                ((title, of),) = connection.rows("SELECT title, id FROM transcripts WHERE seq = ?", row["transcript"])
                lines.append(ConcordanceLine(row["text"], *span, title, of, row["position"], row["start_ms"]))
                if len(lines) == limit:
                    break
        return tuple(lines)


def count_forms(texts: Iterable[str], language: str | None) -> Sequence[str]:
    """Count each word form, folded as the inventory has it, in objects of JSON; a form can be in several of them.

    Each form has a number: its count and, in the last two bits, how it is written somewhere, as ``language.word_kinds``
    has it (0: nothing tells). Where a segmenter gives it a lemma in its sentence, it has both in an array: alone, in
    あり and し nobody sees ある and する. Function words are left out.
    """
    from tui.language.segmentation import word_texts

    parts, plain, capitals, lemmas = Spool(), Counter[str](), set[str](), dict[str, str]()

    def write() -> None:
        for part in _folded(plain, capitals, lemmas, language):
            parts.append(part)
        plain.clear()
        capitals.clear()
        lemmas.clear()

    noted = _noting_capitals(texts, language, capitals) if language is not None and has_names(language) else texts
    for found in word_texts(noted, language, lemmas):
        plain.update(found)
        if len(plain) > _FORMS_AT_ONCE:
            write()
    write()
    return parts


def _noting_capitals(texts: Iterable[str], language: str, capitals: set[str]) -> Iterator[str]:
    """Pass the texts on, and note the words that have a capital inside of a sentence."""
    for text in texts:
        capitals.update(find_capitals_inside(text, language))
        yield text


def _folded(
    plain: Mapping[str, int], capitals: Collection[str], lemmas: Mapping[str, str], language: str | None
) -> Iterator[str]:
    counts: dict[str, int] = {}
    lemma_of: dict[str, str] = {}
    for form, n in plain.items():
        folded = fold(form, language)
        written = SMALL if form[0].islower() else CAPITAL if form in capitals else 0
        counts[folded] = (counts.get(folded, 0) + (n << WRITTEN_BITS)) | written
        if form in lemmas:
            lemma_of[folded] = lemmas[form]
    each = iter(counts.items())
    while part := list(islice(each, _FORMS_IN_A_PART)):
        given = {form: [number, lemma_of[form]] if form in lemma_of else number for form, number in part}
        yield json.dumps(given, ensure_ascii=False)


def insert_counts(connection: Connection, transcript: int, language: str | None, counts: str) -> None:
    """Add forms of a new transcript to the inventory, and their counts, as ``count_forms`` gives them, to its own."""
    write_forms(connection, language, counts)
    given = {"language": base_language(language), "transcript": transcript, "counts": counts}
    connection.execute(
        "INSERT INTO form_counts (block, form, transcript, n)"
        f" SELECT :transcript / {BLOCK}, f.seq, :transcript, {NUMBER} >> {WRITTEN_BITS}"
        " FROM json_each(:counts) AS given CROSS JOIN forms AS f ON f.form = given.key AND f.language = :language"
        " WHERE true ORDER BY f.seq"
        " ON CONFLICT (block, form, transcript) DO UPDATE SET n = n + excluded.n",
        given,
    )


def remove_counts(connection: Connection, transcript: int, language: str | None, counts: str) -> None:
    """Take the counts of texts that a transcript no longer has, as ``count_forms`` gives them, from its own."""
    given = {"language": base_language(language), "transcript": transcript, "counts": counts}
    mine = f"block = :transcript / {BLOCK} AND transcript = :transcript"
    connection.execute(
        f"UPDATE form_counts SET n = n - gone.times FROM (SELECT f.seq AS form, {NUMBER} >> {WRITTEN_BITS} AS times"
        " FROM json_each(:counts) AS given CROSS JOIN forms AS f ON f.form = given.key AND f.language = :language)"
        f" AS gone WHERE {mine} AND form_counts.form = gone.form",
        given,
    )
    connection.execute(
        f"DELETE FROM form_counts WHERE {mine} AND n < 1 AND form IN (SELECT f.seq FROM json_each(:counts) AS given"
        " CROSS JOIN forms AS f ON f.form = given.key AND f.language = :language)",
        given,
    )


def write_forms(connection: Connection, language: str | None, counts: str) -> None:
    """Add forms, as ``count_forms`` gives them, to the inventory.

    One that is written in another way now loses the number of its word, which is or is no name when it gets it again;
    so does one of which a text says the lemma, where none was found when it was looked up alone.
    """
    given = {"language": base_language(language), "counts": counts, "small": SMALL}
    connection.execute(
        "INSERT INTO forms (language, form, written, lemma, looked_up)"
        f" SELECT :language, key, {NUMBER} & {WRITTEN}, {LEMMA}, {LEMMA} IS NOT NULL FROM json_each(:counts) WHERE true"
        " ON CONFLICT DO UPDATE SET written = written | excluded.written, word = iif(written & :small, word, NULL)"
        " WHERE written | excluded.written <> written",
        given,
    )
    connection.execute(
        "UPDATE forms SET lemma = value ->> 1, looked_up = 1, word = NULL FROM json_each(:counts) AS given"
        " WHERE forms.language = :language AND forms.form = key AND type = 'array' AND value ->> 1 <> key"
        " AND coalesce(forms.lemma, forms.form) = forms.form",
        given,
    )


def restore_count(connection: Connection, row: Mapping[str, Any]) -> None:
    """Put a count back that an older Lode put into the trash."""
    connection.insert("form_counts", {**row, "block": row["transcript"] // BLOCK})


def delete_counts(connection: Connection, transcript: int, limit: int = -1) -> int:
    """Delete so many counts of a transcript, or all that are left (SQLite's meaning of -1); gives their number."""
    mine = f"block = :transcript / {BLOCK} AND transcript = :transcript"
    return connection.execute(
        f"DELETE FROM form_counts WHERE {mine} AND form IN (SELECT form FROM form_counts WHERE {mine} LIMIT :limit)",
        {"transcript": transcript, "limit": limit},
    ).rowcount


def _counts_of(language: str) -> str:
    """The counts ``c`` of the ``wanted`` forms in the transcripts ``t`` of a profile, for a query with ``BLOCKS``.

    CROSS JOIN keeps the order: from the few forms to their counts, never through all counts of the profile.
    """
    in_language = " AND f.language IN (:language, '')" if language else ""
    return (
        f"FROM json_each(:wanted) AS wanted CROSS JOIN forms AS f ON f.form = wanted.value{in_language}"
        " CROSS JOIN blocks AS b CROSS JOIN form_counts AS c ON c.block = b.number AND c.form = f.seq"
        " CROSS JOIN transcripts AS t ON t.seq = c.transcript WHERE t.profile = :profile"
    )


class _Finder:
    """Finds forms in texts: whole words, or rows of words; in scripts without spaces their characters anywhere."""

    def __init__(self, forms: Iterable[str], language: str | None) -> None:
        self._language = language
        self._anywhere = [form for form in forms if is_spaceless(form)]
        self._rows: dict[str, list[tuple[str, ...]]] = {}
        for form in forms:
            row = tuple(folded for folded, _, _ in self._each_word(form))
            if row and not is_spaceless(form):
                self._rows.setdefault(row[0], []).append(row)
        self._has_single_words = all(len(row) == 1 for rows in self._rows.values() for row in rows)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans of the forms in a text, as code point offsets."""
        for form in self._anywhere:
            for match in re.finditer(re.escape(form), text, re.IGNORECASE):
                yield match.span()
        if not self._rows:
            return
        if self._has_single_words:  # most often the first place is all that is asked for
            yield from ((start, end) for folded, start, end in self._each_word(text) if folded in self._rows)
            return
        words = list(self._each_word(text))
        for index, (folded, start, _) in enumerate(words):
            for row in self._rows.get(folded, ()):
                if row == tuple(word[0] for word in words[index : index + len(row)]):
                    yield start, words[index + len(row) - 1][2]
                    break

    def _each_word(self, text: str) -> Iterator[tuple[str, int, int]]:
        from tui.language.segmentation import each_word

        for word in each_word(text, self._language):
            yield fold(word.text, self._language), word.start, word.end


def _candidates(
    connection: Connection, profile: int, language: str | None, forms: Collection[str]
) -> Iterator[sqlite3.Row]:
    """Cues that may have one of the forms, newest first, each once, not more than ``_CANDIDATES`` of a sort."""
    spaceless = [form for form in forms if is_spaceless(form)]
    spaced = [form for form in forms if not is_spaceless(form)]
    long, short = [[form for form in spaceless if (len(form) < TRIGRAM) == is_short] for is_short in (False, True)]
    base = base_language(language)
    own, unknown = f"p{profile}x{base}", f"p{profile}x"
    scope, scopes = ("c.scope IN (?, ?)", (own, unknown)) if base else ("c.scope GLOB ?", (f"{unknown}*",))
    # CROSS JOIN keeps the full-text table outermost: it gives its rows newest first, so that nothing is sorted.
    indexed = f"FROM {{table}} AS f CROSS JOIN cues AS c ON c.seq = f.rowid WHERE {{table}} MATCH ? AND {scope}"
    searches: list[tuple[str, Sequence[object]]] = []
    """Queries that end in a condition, so that one more can follow."""
    if spaced:
        expression = "text : (" + " OR ".join(quote(form) for form in spaced) + ")"
        if base:
            expression = f"scope : ({quote(own)} OR {quote(unknown)}) AND {expression}"
        searches.append((indexed.format(table="cues_words"), (expression, *scopes)))
    if long:
        expression = " OR ".join(quote(form) for form in long)
        searches.append((indexed.format(table="cues_trigrams"), (expression, *scopes)))
    if short:
        like = " OR ".join([r"c.text LIKE ? ESCAPE '\'"] * len(short))
        within = _transcripts_to_scan(connection, profile, base, short)
        patterns = (f"%{escape(form)}%" for form in short)
        scanned = f"FROM cues AS c WHERE c.transcript {AMONG} AND c.spaceless AND ({like})"
        searches.append((scanned, (as_json(within), *patterns)))
    seen: set[int] = set()
    for search, parameters in searches:
        for row in islice(_newest_in_sight(connection, search, parameters), _CANDIDATES):
            if row["seq"] not in seen:
                seen.add(row["seq"])
                yield row


def _newest_in_sight(connection: Connection, search: str, parameters: Sequence[object]) -> Iterator[sqlite3.Row]:
    """The cues that are found, newest first, less those of transcripts that were deleted.

    These may be half a million in a row, so they are not stepped over one by one: the search begins anew below them.
    Only of a transcript that was edited by hand each is stepped over, as others' cues lie between.
    """
    hidden = set(connection.column("SELECT seq FROM all_transcripts WHERE discarded IS NOT NULL"))
    scattered = list[int]()
    number = "f.rowid" if " AS f " in search else "c.seq"
    columns = "c.seq, c.transcript, c.position, c.start_ms, c.text"
    query = (
        f"SELECT {columns} {search} AND NOT c.transcript {AMONG} AND {number} < ?"
        f" ORDER BY {number} DESC LIMIT {_CANDIDATES}"
    )
    below: int | None = MAX_INTEGER
    while below is not None:
        rows, below = connection.execute(query, (*parameters, as_json(scattered), below)), None
        for row in rows:
            if row["transcript"] in hidden:
                ends = "SELECT min(seq), max(seq), count(*) FROM cues WHERE transcript = ?"
                ((first, last, count),) = connection.rows(ends, row["transcript"])
                below = first
                if last - first + 1 != count:  # its cues are no neighbours any more: some came by hand
                    scattered.append(row["transcript"])
                    below = row["seq"]
                break
            yield row


def _transcripts_to_scan(connection: Connection, profile: int, base: str, forms: Sequence[str]) -> list[int]:
    """Choose the transcripts to search for forms too short for the trigram index: the newest that have them as words.

    Where none has (part of a word, or several words), just the newest ones.
    """
    given = {"language": base, "profile": profile, "limit": _SCANNED_TRANSCRIPTS}
    query = f"{BLOCKS} SELECT DISTINCT c.transcript {_counts_of(base)} ORDER BY 1 DESC LIMIT :limit"
    return connection.column(query, **given, wanted=as_json(forms)) or connection.column(
        "SELECT seq FROM transcripts WHERE profile = :profile AND (:language = '' OR language IS NULL OR"
        " lower(language) = :language OR lower(language) GLOB :language || '[-_]*') ORDER BY seq DESC LIMIT :limit",
        **given,
    )
