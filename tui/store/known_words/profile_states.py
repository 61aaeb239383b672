"""States of a profile's words in memory, a byte for each word, brought up to date by what has changed since."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable

from tui.records.word_states import WORD_STATES, WordState
from tui.store.rows import as_json

CODES = {state: code for code, state in enumerate(WORD_STATES)}
_IGNORED = CODES["ignored"]


class ProfileStates:
    """States by the number of a word; ``revision`` is the profile's as of the last of them."""

    def __init__(self) -> None:
        self.revision = -1
        self.codes = bytearray(1)
        """For each number of a word its state, as its place in ``WORD_STATES``; 0 is no word."""

    def state_of(self, word: int) -> WordState:
        return WORD_STATES[self.codes[word]]


class StateTable:
    """The states of all profiles that were asked for; may be used from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: dict[int, ProfileStates] = {}

    def current(self, connection: sqlite3.Connection, profile: int) -> ProfileStates:
        """The states as this connection sees them, which must not have written any: that might be taken back."""
        with self._lock:
            states = self._of.setdefault(profile, ProfileStates())
            last = connection.execute("SELECT coalesce(max(seq), 0) FROM words").fetchone()[0]
            revision = revision_of(connection, profile)
            if states.revision < 0 or revision < states.revision:
                states = self._of[profile] = _loaded(connection, profile, last)
            elif revision > states.revision or last >= len(states.codes):
                first = len(states.codes)
                states.codes.extend(bytes(max(0, last + 1 - first)))
                changed = changed_words(connection, profile, states.revision)
                added = connection.execute("SELECT seq FROM words WHERE seq >= ?", (first,))
                _read(connection, profile, states, {*changed, *(row[0] for row in added)})
            states.revision = revision
            return states


def revision_of(connection: sqlite3.Connection, profile: int) -> int:
    """Number of the last change of the profile's words."""
    row = connection.execute("SELECT revision FROM totals WHERE profile = ? AND kind = 'words'", (profile,)).fetchone()
    return 0 if row is None else int(row[0])


def next_revision(connection: sqlite3.Connection, profile: int) -> int:
    """Count a change of the profile's words, and give its number."""
    mine = "WHERE profile = ? AND kind = 'words'"
    connection.execute(f"UPDATE totals SET revision = revision + 1 {mine}", (profile,))
    return int(connection.execute(f"SELECT revision FROM totals {mine}", (profile,)).fetchone()[0])


def changed_words(connection: sqlite3.Connection, profile: int, revision: int) -> list[int]:
    """Numbers of the words that were given another state since, and of those that take theirs over from one of them."""
    rows = connection.execute(
        "SELECT r.seq FROM word_states AS s INDEXED BY word_states_revision CROSS JOIN words AS c ON c.seq = s.word"
        " CROSS JOIN words AS r ON r.language = c.language AND r.folded = c.folded"
        " WHERE s.profile = ? AND s.revision > ? AND (r.seq = c.seq OR c.reading = '')",
        (profile, revision),
    )
    return [row[0] for row in rows]


def _loaded(connection: sqlite3.Connection, profile: int, last: int) -> ProfileStates:
    states = ProfileStates()
    codes = states.codes
    codes.extend(bytes(last))
    for (word,) in connection.execute("SELECT seq FROM words WHERE ignored"):
        codes[word] = _IGNORED
    own = "SELECT word, state FROM word_states WHERE profile = ? AND state <> ''"
    for word, state in connection.execute(own, (profile,)):
        codes[word] = CODES.get(state, 0)
    # A word with a reading has the state of the word without, unless it has one of its own.
    inherited = connection.execute(
        "SELECT r.seq, s.state FROM words AS r INDEXED BY words_read CROSS JOIN words AS b"
        " ON b.language = r.language AND b.folded = r.folded AND b.reading = ''"
        " CROSS JOIN word_states AS s ON s.profile = :profile AND s.word = b.seq AND s.state <> ''"
        " WHERE r.reading <> '' AND NOT EXISTS"
        " (SELECT 1 FROM word_states AS o WHERE o.profile = :profile AND o.word = r.seq AND o.state <> '')",
        {"profile": profile},
    )
    for word, state in inherited:
        codes[word] = CODES.get(state, 0)
    return states


def _read(connection: sqlite3.Connection, profile: int, states: ProfileStates, words: Iterable[int]) -> None:
    rows = connection.execute(
        "SELECT w.seq, w.ignored, nullif(own.state, ''), nullif(base.state, '') FROM json_each(:words) AS given"
        " CROSS JOIN words AS w ON w.seq = given.value"
        " LEFT JOIN word_states AS own ON own.profile = :profile AND own.word = w.seq"
        " LEFT JOIN words AS b ON b.language = w.language AND b.folded = w.folded AND b.reading = ''"
        " LEFT JOIN word_states AS base ON base.profile = :profile AND base.word = b.seq",
        {"words": as_json(words), "profile": profile},
    )
    for word, ignored, own, base in rows:
        states.codes[word] = CODES.get(own or base, _IGNORED if ignored else 0)
