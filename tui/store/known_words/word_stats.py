"""Statistics of words: how many of each state there are, and their places in the frequency dictionary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from tui.language.tags import base_language
from tui.records.word_states import WordState
from tui.records.words import DayCount
from tui.store.database import Table
from tui.store.rows import as_json, profile_seq

_DAYS = 371
"""Days back that clips are counted for: a calendar of a year, whatever day of the week it begins on."""
_MAX_CLIPS = 100_000
"""Maximum clips that are counted, the newest: their dates stand in no index, and nobody keeps 300 a day for a year."""


class WordStatistics(Table):
    """Counts by day, by the clock on the wall (SQLite's ``localtime``)."""

    def known_over_time(self, profile: str, language: str | None, known: Iterable[WordState]) -> tuple[DayCount, ...]:
        """The days on which words came into one of these states, with how many were in one by the end of each."""
        with self._connections.read() as connection:
            rows = connection.execute(
                "SELECT date(s.changed_at, 'localtime') AS day, count(*) AS n FROM word_states AS s"
                " JOIN words AS w ON w.seq = s.word WHERE s.profile = :profile"
                " AND s.state IN (SELECT value FROM json_each(:known))"
                " AND (:language IS NULL OR w.language = :language)"
                " GROUP BY day HAVING day IS NOT NULL ORDER BY day",
                {
                    "profile": profile_seq(connection, profile),
                    "known": as_json(known),
                    "language": None if language is None else base_language(language),
                },
            ).fetchall()
        total, days = 0, []
        for day, count in rows:
            total += count
            days.append(DayCount(day, total))
        return tuple(days)

    def clips_by_day(self, profile: str, language: str | None) -> tuple[DayCount, ...]:
        """The days of the last year with clips of words in this language, None of any, and how many each has."""
        with self._connections.read() as connection:
            rows = connection.execute(
                "SELECT date(c.created_at, 'localtime') AS day,"
                " coalesce(json_extract(c.focus, '$.language'), t.language) AS language"
                " FROM (SELECT * FROM clips WHERE profile = ? ORDER BY seq DESC LIMIT ?) AS c"
                " LEFT JOIN transcripts AS t ON t.id = c.transcript_id"
                " WHERE c.created_at >= date('now', ?)",
                (profile_seq(connection, profile), _MAX_CLIPS, f"-{_DAYS} days"),
            ).fetchall()
        wanted = None if language is None else base_language(language)
        counts = Counter(row["day"] for row in rows if wanted is None or base_language(row["language"]) == wanted)
        return tuple(DayCount(day, counts[day]) for day in sorted(day for day in counts if day is not None))


class WordRanks(Table):
    """Ranks of words, which all profiles share. Languages are primary subtags."""

    def languages(self) -> list[str]:
        """Languages that have words."""
        with self._connections.read() as connection:
            # Skips from each language to the next one in the index.
            rows = connection.execute(
                "WITH RECURSIVE found (language) AS (SELECT min(language) FROM words UNION ALL"
                " SELECT (SELECT min(language) FROM words WHERE language > found.language) FROM found"
                " WHERE found.language IS NOT NULL) SELECT language FROM found WHERE language <> ''"
            )
            return [row[0] for row in rows]

    def are_of(self, language: str, dictionary: str, *, every_word: bool) -> bool:
        """Whether words have the ranks of this dictionary ("" is none): all of them, or those that were there then."""
        with self._connections.read() as connection:
            query = "SELECT dictionary, words FROM frequency_sources WHERE language = ?"
            row = connection.execute(query, (language,)).fetchone()
            last = connection.execute("SELECT max(seq) FROM words WHERE language = ?", (language,)).fetchone()[0] or 0
        if row is None:
            return not dictionary
        return row["dictionary"] == dictionary and (not dictionary or not every_word or row["words"] >= last)

    def save(self, language: str, dictionary: str, title: str, ranks: Mapping[tuple[str, str], int]) -> None:
        """Give the words of a language the ranks of a dictionary, by folded lemma and reading."""
        with self._connections.write() as connection:
            rows = connection.execute(
                "SELECT seq, folded, reading, rank FROM words WHERE language = ?", (language,)
            ).fetchall()
            found = [
                (ranks.get((row["folded"], row["reading"]), ranks.get((row["folded"], ""))), row["seq"], row["rank"])
                for row in rows
            ]
            connection.executemany(
                "UPDATE words SET rank = ? WHERE seq = ?", [(rank, seq) for rank, seq, old in found if rank != old]
            )
            connection.execute(
                "INSERT OR REPLACE INTO frequency_sources (language, dictionary, title, words) VALUES (?, ?, ?, ?)",
                (language, dictionary, title, max((row["seq"] for row in rows), default=0)),
            )
