"""Statistics of words: how many of each state there are, and their places in the frequency dictionary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from tui.language.tags import base_language
from tui.records.word_states import WordState
from tui.records.words import DayCount
from tui.store.database import Table
from tui.store.rows import AMONG, PROFILE, as_json

_DAYS = 371
"""Days back that clips are counted for: a calendar of a year, whatever day of the week it begins on."""
_MAX_CLIPS = 100_000
"""Maximum clips that are counted, the newest: their dates stand in no index, and nobody keeps 300 a day for a year."""


class WordStatistics(Table):
    """Counts by day, by the clock on the wall (SQLite's ``localtime``); ranks of words, which all profiles share."""

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
