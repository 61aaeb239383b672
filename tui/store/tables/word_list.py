"""List of the words of a profile, those with a state and those of its transcripts, in pages; their counts and ranks."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tui.language.folding import split_search_words
from tui.language.tags import base_language, find_subtags
from tui.language.word import fold
from tui.records.pages import Page
from tui.records.word_states import WORD_STATES, WordState
from tui.records.word_stats import DayCount, StateCount
from tui.records.words import KnownWord
from tui.store.database import Connections, Table
from tui.store.known_words.word_rows import FROM, HAS_STATE, SELECT, STATE, UNNUMBERED, known_word, number_these
from tui.store.rows import AMONG, MAX_INTEGER, PROFILE, Connection, as_json
from tui.store.search import different_words, escape
from tui.store.tables.resource_table import cursor_place, page_limit, sorted_cursor
from tui.store.tables.sorting import check_size, read_sort
from tui.text.search_query import parse_query

_LISTED = f"""
WHERE ({HAS_STATE} OR (t.word IS NOT NULL AND w.reading = '' AND (
    w.language NOT IN (SELECT language FROM words INDEXED BY words_read WHERE reading <> '') OR NOT EXISTS (
        SELECT 1 FROM words AS r INDEXED BY words_read CROSS JOIN word_states AS o
        WHERE r.reading <> '' AND r.language = w.language AND r.folded = w.folded
            AND o.profile = :profile AND o.word = r.seq AND o.state <> ''))))
"""
"""Condition of the list. A word that has states for its readings stands there with these, not as a new one besides.

Most languages write no readings: whether one does is asked once, not for each word.
"""
_REVISIONS = """
SELECT (SELECT revision FROM totals WHERE profile = ?1 AND kind = 'words'),
    (SELECT revision FROM word_totals_revisions WHERE profile = ?1), (SELECT max(seq) FROM words),
    (SELECT count(*) FROM word_totals WHERE profile = ?1)
"""
"""Query for what changes with the words of the list."""
_DAYS = 371
"""Days back that clips are counted for: a calendar of a year, whatever day of the week it begins on."""
_MAX_CLIPS = 100_000
"""Maximum clips that are counted, the newest: their dates stand in no index, and nobody keeps 300 a day for a year."""
_FORMS_AT_ONCE = 20_000
"""Number of forms that get the numbers of their words in one transaction."""
_BEING_SUMMED = -2
_STATES = " ".join(f"WHEN '{state}' THEN {place}" for place, state in enumerate(WORD_STATES))
_SORT_KEYS: Mapping[str, str] = {
    "word": "0",
    "state": f"CASE {STATE} {_STATES} END",
    "lang": "w.language",
    "times": "coalesce(t.occurrences, 0)",
    "texts": "coalesce(t.transcripts, 0)",
    "rank": "coalesce(w.rank, {none})",
    "from": "iif(s.state <> '', s.source, {none})",
    "changed": "iif(s.state <> '', s.revision, {none})",
}
"""Key of each column that the list is sorted by; then the lemma, where all are the same. ``none`` comes last."""
_ORDERS: Mapping[str, str] = {"lemma": "word", "occurrences": "times"}
"""Columns of the orders that have other names."""


_FACETS: Mapping[str, tuple[str, Callable[[str], str]]] = {
    "state": (
        f"{STATE} IN (SELECT value FROM json_each({{}}))",
        lambda word: as_json(state for state in WORD_STATES if state.startswith(word.casefold())),
    ),
    "language": ("w.language IN (SELECT value FROM json_each({}))", lambda word: as_json(find_subtags(word))),
    "source": (r"s.state <> '' AND s.source LIKE {} ESCAPE '\'", lambda word: f"{escape(word.casefold())}%"),
}
"""Further conditions by which a word of ``q`` finds words, each with the value for it."""
FIELDS = {"lang": "language", "state": "state", "source": "source"}
"""Fields of a query, and which of these conditions each names."""


@dataclass(frozen=True, slots=True)
class WordFilter:
    """Words of a list: of a language ("" is the unknown one, None all), in one of these states, with all of ``q``.

    A word of ``q`` stands in the lemma or its reading, or begins the state, the source or the language's name; where
    the lemma ``begins`` with it, only that counts.
    """

    language: str | None = None
    states: tuple[WordState, ...] = ()
    q: str = ""
    begins: bool = False


class WordList(Table):
    """The list of words, with sums of how often each occurs in the transcripts of a profile, and statistics of it.

    Days are those of the clock on the wall (SQLite's ``localtime``). Ranks of words are shared by all profiles.
    """

    def __init__(self, connections: Connections) -> None:
        super().__init__(connections)
        self._counted: tuple[tuple[object, ...], int] = (), 0

    def page(
        self, profile: str, wanted: WordFilter, sort: str, offset: int, limit: int, after: str | None = None
    ) -> Page[KnownWord]:
        """A page; a cursor is one of a list in this order."""
        order = read_sort("words", _ORDERS.get(sort, sort) or "word")
        last = None if after is None else cursor_place("words", order, after)
        limit, offset = page_limit(limit), 0 if last is not None else max(0, offset)
        with self._connections.read() as connection:
            condition, parameters = _condition(wanted, connection.profile_seq(profile))
            total = self._count(connection, condition, parameters, is_whole=not wanted.states and not wanted.q)
            check_size("words", order.column, total)
            largest = "'~'" if order.column == "from" else MAX_INTEGER
            is_descending = order.is_descending("words")
            key = _SORT_KEYS[order.column].format(none=-1 if is_descending else largest)
            way, beyond = ("DESC", "<") if is_descending else ("ASC", ">")
            tie, behind = ("DESC", "<") if order.is_turned else ("ASC", ">")
            if last is not None:
                place = "SELECT language, folded, reading FROM words WHERE seq = :seq"
                behind = f"(w.language, w.folded, w.reading) {behind} ({place})"
                condition += f" AND ({key} {beyond} :key OR ({key} = :key AND {behind}))"
                parameters |= {"key": last[0], "seq": last[1]}
            columns = [f"{key} {way}"] if order.column != "word" else []
            columns += [f"w.{column} {tie}" for column in ("language", "folded", "reading")]
            rows = connection.rows(
                f"{SELECT}, {key} AS key {FROM} {condition} ORDER BY {', '.join(columns)} LIMIT :limit OFFSET :offset",
                **parameters,
                limit=limit + 1,
                offset=offset,
            )
            shown, following = rows[:limit], None
            if shown and len(rows) > limit:
                following = sorted_cursor("words", order, shown[-1]["key"], shown[-1]["seq"])
            return Page(tuple(map(known_word, shown)), total, offset, following)

    def _count(
        self, connection: Connection, condition: str, parameters: Mapping[str, object], *, is_whole: bool
    ) -> int:
        """Count the words of a list; those of a whole language are kept until one is added or has another state."""
        asked = (condition, *parameters.values(), *connection.rows(_REVISIONS, parameters["profile"])[0])
        if is_whole and self._counted[0] == asked:
            return self._counted[1]
        total = int(connection.value(f"SELECT count(*) {FROM} {condition}", **parameters))
        if is_whole:
            self._counted = asked, total
        return total

    def state_counts(self, profile: str, language: str | None) -> tuple[StateCount, ...]:
        """Count the words of the list by language and state."""
        with self._connections.read() as connection:
            condition, parameters = _condition(WordFilter(language), connection.profile_seq(profile))
            query = f"SELECT w.language, {STATE} AS state, count(*) {FROM} {condition} GROUP BY 1, 2"
            counts = [StateCount(*row) for row in connection.rows(query, **parameters) if row["state"] in WORD_STATES]
        return tuple(sorted(counts, key=lambda each: (each.language, WORD_STATES.index(each.state))))

    def each(self, profile: str, language: str | None) -> Iterator[Sequence[KnownWord]]:
        """Iterate over the words that have a state, by language and lemma, some at a time."""
        given: dict[str, object] = {"wanted": None if language is None else base_language(language)}
        given |= {"language": "", "folded": "", "reading": ""}
        query = (
            f"{SELECT}, w.folded {FROM} WHERE s.state <> ''"
            " AND (w.language, w.folded, w.reading) > (:language, :folded, :reading)"
            " AND (:wanted IS NULL OR w.language = :wanted) ORDER BY w.language, w.folded, w.reading LIMIT 2000"
        )
        seq = self._connections.value(f"SELECT {PROFILE}", profile)
        while rows := self._connections.rows(query, profile=seq, **given):
            yield tuple(map(known_word, rows))
            given |= {name: rows[-1][name] for name in ("language", "folded", "reading")}

    def prepare(self, profile: str) -> None:
        """Bring the numbers of forms and the sums of occurrences up to date; seconds for thousands of transcripts."""
        while self._connections.row(UNNUMBERED, 1):
            with self._connections.write() as connection:
                number_these(connection, connection.rows(UNNUMBERED, _FORMS_AT_ONCE))
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            summed = connection.value("SELECT revision FROM word_totals_revisions WHERE profile = ?", seq)
            if seq is None or summed == _transcripts_revision(connection, seq):
                return
        with self._connections.write() as connection:
            # Whoever numbers forms meanwhile removes this row: then what is summed now is not the last word.
            connection.insert("word_totals_revisions", {"profile": seq, "revision": _BEING_SUMMED}, replacing=True)
        with self._connections.read() as connection:  # which takes the time, and keeps nobody from writing
            revision = _transcripts_revision(connection, seq)
            sums = connection.rows(
                "SELECT ?1, f.word, sum(c.n), count(DISTINCT c.transcript)"
                " FROM form_counts AS c CROSS JOIN forms AS f ON f.seq = c.form"
                " WHERE c.transcript IN (SELECT seq FROM transcripts WHERE profile = ?1) AND f.word IS NOT NULL"
                " GROUP BY f.word",
                seq,
            )
        with self._connections.write() as connection:
            connection.execute("DELETE FROM word_totals WHERE profile = ?", (seq,))
            connection.executemany(
                "INSERT INTO word_totals (profile, word, occurrences, transcripts) VALUES (?, ?, ?, ?)", sums
            )
            connection.execute(
                "UPDATE word_totals_revisions SET revision = ? WHERE profile = ? AND revision = ?",
                (revision, seq, _BEING_SUMMED),
            )

    def known_over_time(self, profile: str, language: str | None, known: Iterable[WordState]) -> tuple[DayCount, ...]:
        """The days on which words came into one of these states, with how many were in one by the end of each."""
        day = "date(s.changed_at, 'localtime')"
        rows = self._connections.rows(
            f"SELECT {day} AS day, sum(count(*)) OVER (ORDER BY {day}) FROM word_states AS s"
            f" JOIN words AS w ON w.seq = s.word WHERE s.profile = {PROFILE} AND s.state {AMONG}"
            " AND (?3 IS NULL OR w.language = ?3) AND day IS NOT NULL GROUP BY day ORDER BY day",
            *(profile, as_json(known), None if language is None else base_language(language)),
        )
        return tuple(DayCount(*row) for row in rows)

    def clips_by_day(self, profile: str, language: str | None) -> tuple[DayCount, ...]:
        """The days of the last year with clips of words in this language, None of any, and how many each has."""
        rows = self._connections.rows(
            "SELECT date(c.created_at, 'localtime') AS day,"
            " coalesce(json_extract(c.focus, '$.language'), t.language) AS language"
            f" FROM (SELECT * FROM clips WHERE profile = {PROFILE} ORDER BY seq DESC LIMIT ?) AS c"
            " LEFT JOIN transcripts AS t ON t.id = c.transcript_id WHERE c.created_at >= date('now', ?)",
            *(profile, _MAX_CLIPS, f"-{_DAYS} days"),
        )
        wanted = None if language is None else base_language(language)
        counts = Counter(row["day"] for row in rows if wanted is None or base_language(row["language"]) == wanted)
        return tuple(DayCount(day, counts[day]) for day in sorted(day for day in counts if day is not None))

    def languages(self) -> list[str]:
        """Languages that have words; they are primary subtags here and below."""
        # Skips from each language to the next one in the index.
        return self._connections.column(
            "WITH RECURSIVE found (language) AS (SELECT min(language) FROM words UNION ALL"
            " SELECT (SELECT min(language) FROM words WHERE language > found.language) FROM found"
            " WHERE found.language IS NOT NULL) SELECT language FROM found WHERE language <> ''"
        )

    def has_ranks_of(self, language: str, dictionary: str, *, every_word: bool) -> bool:
        """Whether words have the ranks of this dictionary ("" is none): all of them, or those that were there then."""
        with self._connections.read() as connection:
            row = connection.row("SELECT dictionary, words FROM frequency_sources WHERE language = ?", language)
            last = connection.value("SELECT max(seq) FROM words WHERE language = ?", language) or 0
        if row is None:
            return not dictionary
        return row["dictionary"] == dictionary and (not dictionary or not every_word or row["words"] >= last)

    def save_ranks(self, language: str, dictionary: str, title: str, ranks: Mapping[tuple[str, str], int]) -> None:
        """Give the words of a language the ranks of a dictionary, by folded lemma and reading."""
        with self._connections.write() as connection:
            rows = connection.rows("SELECT seq, folded, reading, rank FROM words WHERE language = ?", language)
            changed = [
                (rank, seq)
                for seq, folded, reading, old in rows
                if (rank := ranks.get((folded, reading), ranks.get((folded, "")))) != old
            ]
            connection.executemany("UPDATE words SET rank = ? WHERE seq = ?", changed)
            columns: dict[str, object] = {"language": language, "dictionary": dictionary, "title": title}
            columns["words"] = max((row["seq"] for row in rows), default=0)
            connection.insert("frequency_sources", columns, replacing=True)


def _condition(wanted: WordFilter, profile: int | None) -> tuple[str, dict[str, object]]:
    conditions = [_LISTED]
    given: dict[str, object] = {"profile": profile}
    if wanted.language is not None:
        conditions.append("w.language = :language")
        given["language"] = base_language(wanted.language)
    if wanted.states:
        conditions.append(f"{STATE} IN (SELECT value FROM json_each(:states))")
        given["states"] = as_json(wanted.states)
    different_words(wanted.q, split_search_words)
    for number, term in enumerate(parse_query(wanted.q, FIELDS)):
        if term.field:
            either = [_FACETS[FIELDS[term.field]][0].format(f":q{number}")]
            given[f"q{number}"] = _FACETS[FIELDS[term.field]][1](term.text)
        else:
            either = [rf"w.folded LIKE :q{number} ESCAPE '\' OR w.reading LIKE :q{number} ESCAPE '\'"]
            begin = "" if wanted.begins else "%"
            given[f"q{number}"] = f"{begin}{escape(fold(term.text, wanted.language))}%"
            for name, (condition, parameter) in _FACETS.items() if not term.is_exact and not wanted.begins else ():
                either.append(condition.format(f":{name}{number}"))
                given[f"{name}{number}"] = parameter(term.text)
        conditions.append(f"{'NOT ' if term.is_negated else ''}({' OR '.join(either)})")
    return " AND ".join(conditions), given


def _transcripts_revision(connection: Connection, profile: int) -> int:
    return int(connection.value("SELECT revision FROM totals WHERE profile = ? AND kind = 'transcripts'", profile))
