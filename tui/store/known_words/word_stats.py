"""Statistics of a profile's words and clips: known words over time, clips a day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tui.language.tags import base_language
from tui.records.word_states import WordState
from tui.records.words import DayCount
from tui.store.database import Table
from tui.store.rows import as_json, profile_seq

_DAYS = 371
"""Days back that clips are counted for: a calendar of a year, whatever day of the week it begins on."""
_MOST_CLIPS = 100_000
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
                (profile_seq(connection, profile), _MOST_CLIPS, f"-{_DAYS} days"),
            ).fetchall()
        wanted = None if language is None else base_language(language)
        counts = Counter(row["day"] for row in rows if wanted is None or base_language(row["language"]) == wanted)
        return tuple(DayCount(day, counts[day]) for day in sorted(day for day in counts if day is not None))
