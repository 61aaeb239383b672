"""Ranks of words: their places in the frequency dictionary of their language, kept with the words."""

from __future__ import annotations

from collections.abc import Mapping

from tui.store.database import Table


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
