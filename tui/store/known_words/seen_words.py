"""Words that were seen: a clip has them, or an answer is about them. Seen is the least that can be known of a word."""

import sqlite3
from collections.abc import Mapping

from tui.language.tags import base_language
from tui.language.words import fold
from tui.records.clips import FocusWord
from tui.records.words import MAX_LEMMA
from tui.store.known_words.word_rows import WordKey, add_words, next_revision, word_numbers
from tui.store.rows import AMONG, as_json, now

_CLIPS = """
SELECT c.profile, coalesce(json_extract(c.focus, '$.language'), t.language) AS language,
    json_extract(c.focus, '$.surface') AS surface, json_extract(c.focus, '$.lemma') AS lemma,
    min(c.created_at) AS moment, 'clip' AS source
FROM clips AS c LEFT JOIN all_transcripts AS t ON t.id = c.transcript_id
WHERE c.surface <> ''
GROUP BY c.profile, 2, c.surface, c.lemma
"""
_ANSWERS = """
SELECT profile, json_extract(focus_word, '$.language') AS language, json_extract(focus_word, '$.surface') AS surface,
    json_extract(focus_word, '$.lemma') AS lemma, min(created_at) AS moment, 'answer' AS source
FROM answers WHERE focus_word IS NOT NULL AND state = 'complete' GROUP BY profile, 2, surface, lemma
"""


def record_all_seen(connection: sqlite3.Connection) -> None:
    """Record the words of all clips and answers as seen, as of the first of them."""
    for query in (_CLIPS, _ANSWERS):
        for profile, language, surface, lemma, moment, source in connection.execute(query).fetchall():
            if isinstance(surface, str) and isinstance(language, str):
                _record(connection, profile, language, surface, lemma or "", moment=moment, source=source)


def record_seen(
    connection: sqlite3.Connection, profile: int, focus: FocusWord | None, transcript_id: str | None, source: str
) -> None:
    """Record the focus word of a clip or an answer as seen, unless it has another state already.

    Its language is that of the transcript where it does not say one; of an unknown one nothing is recorded.
    """
    if focus is None or not focus.surface.strip():
        return
    language = focus.language
    if language is None and transcript_id is not None:
        row = connection.execute("SELECT language FROM all_transcripts WHERE id = ?", (transcript_id,)).fetchone()
        language = row[0] if row is not None else None
    if language is not None:
        _record(connection, profile, language, focus.surface, focus.lemma or "", moment=now(), source=source)


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


def _record(
    connection: sqlite3.Connection, profile: int, language: str, surface: str, lemma: str, *, moment: str, source: str
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
    if unseen:
        revision = next_revision(connection, profile)
        connection.executemany(
            "INSERT OR REPLACE INTO word_states (profile, word, state, source, changed_at, revision)"
            " VALUES (?, ?, 'seen', ?, ?, ?)",
            [(profile, number, source, moment, revision) for number in unseen],
        )
