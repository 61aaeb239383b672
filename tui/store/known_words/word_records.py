"""Queries that read words with their states and how often they occur, as records."""

from __future__ import annotations

import sqlite3

from tui.records.words import KnownWord
from tui.store.known_words.word_rows import NAME
from tui.store.rows import record

STATE = "coalesce(nullif(s.state, ''), CASE WHEN w.ignored THEN 'ignored' ELSE 'new' END)"
HAS_STATE = "coalesce(s.state, '') NOT IN ('', 'new')"
SELECT = f"""
SELECT w.seq, w.language, w.lemma, w.reading, {STATE} AS state,
    CASE WHEN s.state <> '' THEN s.source ELSE '' END AS source,
    CASE WHEN s.state <> '' THEN s.changed_at ELSE '' END AS changed_at,
    coalesce(t.occurrences, 0) AS occurrences, coalesce(t.transcripts, 0) AS transcripts, w.rank,
    w.ignored = {NAME} AS is_name,
    coalesce(s.revision, 0) AS revision
"""
FROM = """
FROM words AS w
    LEFT JOIN word_states AS s ON s.profile = :profile AND s.word = w.seq
    LEFT JOIN word_totals AS t ON t.profile = :profile AND t.word = CASE w.reading WHEN '' THEN w.seq ELSE
        (SELECT b.seq FROM words AS b WHERE b.language = w.language AND b.folded = w.folded AND b.reading = '') END
"""
"""Tables of words ``w`` with the profile's states ``s`` and sums ``t``: those of a word with a reading are its lemma's.
"""


def known_word(row: sqlite3.Row) -> KnownWord:
    """The word of a row of ``SELECT``."""
    return record(KnownWord, row, is_name=bool(row["is_name"]))
