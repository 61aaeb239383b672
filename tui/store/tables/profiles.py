"""Table of profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.store.database import Table

if TYPE_CHECKING:
    from tui.records.library import ProfileSummary


class Profiles(Table):
    def summaries(self) -> tuple[ProfileSummary, ...]:
        """Profiles by name, with the counts that triggers keep, so a million clips take no longer than none."""
        from tui.records.library import ProfileSummary

        kinds = ("files", "transcripts", "clips")
        counts = ", ".join(f"coalesce(max(n) FILTER (WHERE kind = '{kind}'), 0)" for kind in kinds)
        rows = self._connections.rows(
            f"SELECT name, {counts} FROM profiles LEFT JOIN totals ON profile = profiles.seq"
            " GROUP BY profiles.seq ORDER BY name"
        )
        return tuple(ProfileSummary(*row) for row in rows)

    def revisions(self, profile: str) -> dict[str, str]:
        """Revisions of what a profile has, by kind ("file", "clip" …): another text after every change of the kind."""
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            rows = connection.rows("SELECT kind, revision FROM totals WHERE profile = ?", seq)
            revisions = {row[0].removesuffix("s"): str(row[1]) for row in rows}
            exported = connection.value("SELECT max(created_at) FROM exports WHERE profile = ?", seq)
            if exported is not None:  # the list of clips says which of them a deck has
                revisions["clip"] += f" {exported}"
            return revisions
