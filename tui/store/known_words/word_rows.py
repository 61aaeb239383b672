"""Rows of words: a lemma of a language, as it is folded, and the reading where one tells two words apart.

In memory a profile has a byte for the state of each, brought up to date by what has changed since.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from tui.language.scripts import is_word_of
from tui.language.tags import base_language
from tui.language.word import fold
from tui.language.word_kinds import CAPITAL, SMALL
from tui.records.word_states import MAX_LEMMA, WORD_STATES, WordState
from tui.store.rows import AMONG, as_json, now, record, to_text

if TYPE_CHECKING:
    from tui.records.clips import FocusWord
    from tui.records.words import KnownWord

BLOCK = 32
"""Number of transcripts whose counts stand together: they are written by transcript, and looked up by form.

A form is looked for in every block, and a transcript writes to its block only. Were they all in one order by form, as
they once were, each transcript would write to as many places of the file as it has forms.
"""
BLOCKS = (
    "WITH RECURSIVE blocks (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM blocks"
    f" WHERE number < (SELECT max(seq) / {BLOCK} FROM all_transcripts))"
)
OTHER_SCRIPT, NAME = 1, 2
"""Why a word without a state is ignored (``words.ignored``), 0 where it is not: a number counts as another script."""


class WordKey(NamedTuple):
    """Key of a word: the primary subtag of its language, its folded lemma, and its reading, "" for whatever reading."""

    language: str
    folded: str
    reading: str = ""

    @classmethod
    def of(cls, language: str, lemma: str, reading: str = "") -> WordKey:
        """The key of a lemma; ``language`` is a primary subtag."""
        return cls(language, fold(lemma, language), reading)


def add_words(connection: sqlite3.Connection, words: Iterable[tuple[WordKey, str]]) -> None:
    """Add words with their lemmas as they are written.

    Those that are there stay as they are, unless a capital tells now how one that was folded is written ("Zug").
    """
    rows = [(*key, lemma, 0 if is_word_of(key.language, lemma) else OTHER_SCRIPT) for key, lemma in words]
    connection.execute(
        "INSERT INTO words (language, folded, reading, lemma, ignored) SELECT value ->> 0, value ->> 1, value ->> 2,"
        " value ->> 3, value ->> 4 FROM json_each(?) WHERE true ON CONFLICT DO UPDATE SET lemma = excluded.lemma"
        " WHERE words.lemma = words.folded AND excluded.lemma <> words.lemma",
        (to_text(rows),),
    )


def word_numbers(connection: sqlite3.Connection, keys: Iterable[WordKey]) -> dict[WordKey, int]:
    """The numbers of words by their keys; those that are not there are left out."""
    rows = connection.execute(
        "SELECT w.language, w.folded, w.reading, w.seq FROM json_each(?) AS given CROSS JOIN words AS w"
        " ON w.language = given.value ->> 0 AND w.folded = given.value ->> 1 AND w.reading = given.value ->> 2",
        (to_text(list(keys)),),
    )
    return {WordKey(*key): seq for *key, seq in rows}


UNNUMBERED = "SELECT seq, language, form, lemma FROM forms WHERE word IS NULL LIMIT ?"
"""Query for forms that have no number of a word yet."""


def number_these(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> None:
    """Give these forms (``seq``, ``language``, ``form``, ``lemma``) the numbers of their words.

    The word is that of the form's lemma; a form without one stands for itself.

    Sums of occurrences that were made without them hold no longer, and which of the words are names may be another.
    """
    if not rows:
        return
    last = connection.execute("SELECT coalesce(max(seq), 0) FROM words").fetchone()[0]
    keys = {row["seq"]: WordKey.of(row["language"], row["lemma"] or row["form"]) for row in rows}
    add_words(connection, {keys[row["seq"]]: row["lemma"] or row["form"] for row in rows}.items())
    numbers = word_numbers(connection, set(keys.values()))
    connection.executemany(
        "UPDATE forms SET word = ? WHERE seq = ?", [(numbers[key], seq) for seq, key in keys.items()]
    )
    renamed = mark_names(connection, numbers.values())
    note_changes(connection, [word for word in renamed if word <= last])  # nobody has read the others yet
    connection.execute("DELETE FROM word_totals_revisions")


def mark_names(connection: sqlite3.Connection, words: Iterable[int]) -> list[int]:
    """Ignore those of these words that are names, and no longer those that were; gives what has changed.

    A name is shown with its capital.
    """
    rows = connection.execute(
        "SELECT w.seq, w.language, w.folded, w.ignored, max(f.written & ?) AS small, max(f.written & ?) AS capital"
        " FROM json_each(?) AS given CROSS JOIN words AS w ON w.seq = given.value CROSS JOIN forms AS f"
        " ON f.word = w.seq WHERE w.ignored IN (0, ?) GROUP BY w.seq",
        (SMALL, CAPITAL, as_json(words), NAME),
    )
    changed = []
    for seq, language, folded, before, small, capital in rows.fetchall():
        ignored = NAME if capital and not small else 0
        if ignored != before:
            lemma = folded[:1].upper() + folded[1:] if ignored else folded
            changed.append((ignored, lemma if fold(lemma, language) == folded else folded, seq))
    connection.executemany("UPDATE words SET ignored = ?, lemma = ? WHERE seq = ?", changed)
    return [seq for _, _, seq in changed]


def note_changes(connection: sqlite3.Connection, words: Sequence[int]) -> None:
    """Count a change of these words in every profile where they have no state: who has read them reads them anew."""
    for (profile,) in connection.execute("SELECT seq FROM profiles").fetchall() if words else ():
        connection.execute(
            "INSERT INTO word_states (profile, word, state, source, changed_at, revision)"
            " SELECT ?, value, '', '', '', ? FROM json_each(?) WHERE true"
            " ON CONFLICT DO UPDATE SET revision = excluded.revision WHERE state = ''",
            (profile, next_revision(connection, profile), as_json(words)),
        )


def forms_waiting(connection: sqlite3.Connection, language: str, forms: Iterable[str]) -> list[sqlite3.Row]:
    """Those of these forms that have no number of a word yet."""
    return connection.execute(
        "SELECT f.seq, f.language, f.form, f.lemma FROM json_each(?) AS given CROSS JOIN forms AS f"
        " ON f.form = given.value AND f.language = ? WHERE f.word IS NULL",
        (as_json(forms), language),
    ).fetchall()


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
    from tui.records.words import KnownWord

    return record(KnownWord, row, is_name=bool(row["is_name"]))


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


# Words that were seen: a clip has them, or an answer is about them. Seen is the least that can be known of a word.

_SEEN_IN_CLIPS = """
SELECT c.profile, coalesce(json_extract(c.focus, '$.language'), t.language) AS language,
    json_extract(c.focus, '$.surface') AS surface, json_extract(c.focus, '$.lemma') AS lemma,
    min(c.created_at) AS moment, 'clip' AS source
FROM clips AS c LEFT JOIN all_transcripts AS t ON t.id = c.transcript_id
WHERE c.surface <> ''
GROUP BY c.profile, 2, c.surface, c.lemma
"""
_SEEN_IN_ANSWERS = """
SELECT profile, json_extract(focus_word, '$.language') AS language, json_extract(focus_word, '$.surface') AS surface,
    json_extract(focus_word, '$.lemma') AS lemma, min(created_at) AS moment, 'answer' AS source
FROM answers WHERE focus_word IS NOT NULL AND state = 'complete' GROUP BY profile, 2, surface, lemma
"""


def record_all_seen(connection: sqlite3.Connection) -> None:
    """Record the words of all clips and answers as seen, as of the first of them."""
    for query in (_SEEN_IN_CLIPS, _SEEN_IN_ANSWERS):
        for profile, language, surface, lemma, moment, source in connection.execute(query).fetchall():
            if isinstance(surface, str) and isinstance(language, str):
                _record_word(connection, profile, language, surface, lemma or "", moment=moment, source=source)


def record_seen(
    connection: sqlite3.Connection,
    profile: int,
    focus: FocusWord | None,
    transcript_id: str | None,
    source: str,
    *,
    only: Set[int] | None = None,
) -> None:
    """Record the focus word of a clip or an answer as seen, unless it has another state already.

    Its language is that of the transcript where it does not say one; of an unknown one nothing is recorded. With
    ``only``, no other words than these are.
    """
    if focus is None or not focus.surface.strip():
        return
    language = focus.language
    if language is None and transcript_id is not None:
        row = connection.execute("SELECT language FROM all_transcripts WHERE id = ?", (transcript_id,)).fetchone()
        language = row[0] if row is not None else None
    if language is not None:
        word = focus.surface, focus.lemma or ""
        _record_word(connection, profile, language, *word, moment=now(), source=source, only=only)


def new_by_hand(connection: sqlite3.Connection, profile: int) -> dict[int, list[object]]:
    """The states of words that somebody marked as new, by the words' numbers: those that being seen takes away."""
    query = "SELECT word, state, source, changed_at FROM word_states WHERE profile = ? AND state = 'new'"
    return {row[0]: list(row) for row in connection.execute(query, (profile,))}


def states_before(
    connection: sqlite3.Connection, profile: int, revision: int, were_new: Mapping[int, list[object]]
) -> dict[str, list[object]]:
    """The states that the words had which were recorded as seen since a revision, for ``restore_states``.

    ``were_new`` is what ``new_by_hand`` gave then. Other readings of these words kept the states of their own.
    """
    query = "SELECT word FROM word_states WHERE profile = ? AND revision > ?"
    seen = [row[0] for row in connection.execute(query, (profile, revision))]
    return {
        "without": [word for word in seen if word not in were_new],
        "with": [were_new[word] for word in seen if word in were_new],
    }


def _record_word(
    connection: sqlite3.Connection,
    profile: int,
    language: str,
    surface: str,
    lemma: str,
    *,
    moment: str,
    source: str,
    only: Set[int] | None = None,
) -> None:
    base = base_language(language)
    lemmas = {lemma.strip()} - {""}
    # A model may give another lemma ("sich freuen") than the library counts the word by.
    form = connection.execute(
        "SELECT lemma FROM forms WHERE form = ? AND language = ? AND looked_up", (fold(surface.strip(), base), base)
    ).fetchone()
    if form is not None and form[0]:
        lemmas.add(form[0])
    lemmas = lemmas or {surface.strip()}
    keys = {WordKey.of(base, each): each for each in lemmas if len(each) <= MAX_LEMMA}
    numbers = word_numbers(connection, keys)
    if len(numbers) < len(keys):
        add_words(connection, keys.items())
        numbers = word_numbers(connection, keys)
    known = connection.execute(
        f"SELECT word FROM word_states WHERE profile = ? AND word {AMONG} AND state NOT IN ('', 'new')",
        (profile, as_json(numbers.values())),
    )
    unseen = sorted(set(numbers.values()) - {row[0] for row in known})
    unseen = unseen if only is None else [number for number in unseen if number in only]
    if unseen:
        revision = next_revision(connection, profile)
        connection.executemany(
            "INSERT OR REPLACE INTO word_states (profile, word, state, source, changed_at, revision)"
            " VALUES (?, ?, 'seen', ?, ?, ?)",
            [(profile, number, source, moment, revision) for number in unseen],
        )
