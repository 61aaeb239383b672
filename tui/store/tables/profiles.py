"""Table of profiles: each came into being with the first thing that was written to it."""

from __future__ import annotations

from tui.records.library import ProfileSummary
from tui.store.database import Table


class Profiles(Table):
    def names(self) -> tuple[str, ...]:
        """Names of the profiles, sorted."""
        with self._connections.read() as connection:
            return tuple(row[0] for row in connection.execute("SELECT name FROM profiles ORDER BY name"))

    def summaries(self) -> tuple[ProfileSummary, ...]:
        """Profiles by name, with the counts that triggers keep, so a million clips take no longer than none."""
        kinds = ("files", "transcripts", "clips")
        counts = ", ".join(f"coalesce(max(n) FILTER (WHERE kind = '{kind}'), 0)" for kind in kinds)
        with self._connections.read() as connection:
            rows = connection.execute(
                f"SELECT name, {counts} FROM profiles LEFT JOIN totals ON profile = profiles.seq"
                " GROUP BY profiles.seq ORDER BY name"
            )
            return tuple(ProfileSummary(*row) for row in rows)
