"""Table of word states: which words a profile knows, marked one or many at a time, and the way back for undo."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tui.language.scripts import is_word_of
from tui.language.tags import base_language
from tui.language.word_form import FormKey, TextForm
from tui.language.word_kinds import CAPITAL
from tui.records.word_states import WordState
from tui.records.words import TextWord, WordMark
from tui.store.database import Connections, Table
from tui.store.known_words.word_rows import ProfileStates, StateTable, WordKey, add_words, next_revision, word_numbers
from tui.store.rows import AMONG, PROFILE, Connection, as_json, now, to_text
from tui.store.trash_entry import TrashEntry

_MARKED = """
SELECT w.seq, w.lemma, given.value ->> 3 AS wanted, given.value ->> 4 AS said_by, given.value ->> 5 AS said_at,
    w.reading = given.value ->> 2 AS is_own, coalesce(s.state, '') AS state, s.source, s.changed_at
FROM json_each(:given) AS given
    CROSS JOIN words AS w ON w.language = given.value ->> 0 AND w.folded = given.value ->> 1
    LEFT JOIN word_states AS s ON s.profile = :profile AND s.word = w.seq
WHERE w.reading = given.value ->> 2 OR (given.value ->> 2 = '' AND s.state <> '')
"""
"""Query of the words that marks are about: without a reading they are about all readings that have a state too."""


class WordStates(Table):
    """States of words per profile. Languages are compared by their primary subtag."""

    def __init__(self, connections: Connections) -> None:
        super().__init__(connections)
        self.states = StateTable()

    def mark(self, profile: str, marks: Sequence[WordMark], source: str, *, only: Sequence[WordState] = ()) -> int:
        """Give words other states, which one undo takes back; gives how many words have another one now.

        ``only`` are the states that words may have had for it; a word without one is new.
        """
        moment = now()
        wanted = {WordKey.of(base_language(mark.language), mark.lemma, mark.reading): mark for mark in marks}
        given = to_text(
            [(*key, mark.state, mark.source or source, mark.changed_at or moment) for key, mark in wanted.items()]
        )
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            add_words(connection, ((key, mark.lemma) for key, mark in wanted.items()))
            rows = connection.rows(_MARKED, given=given, profile=seq)
            rows.sort(key=lambda row: row["is_own"])  # what names the reading holds before what names none
            last = {row["seq"]: row for row in rows}
            others = [row for row in last.values() if row["state"] != row["wanted"]]
            changed = [row for row in others if not only or (row["state"] or "new") in only]
            if not changed:
                return 0
            marked_before = [row for row in changed if row["source"] is not None]
            before = {
                "without": [row["seq"] for row in changed if row["source"] is None],
                "with": [[row["seq"], row["state"], row["source"], row["changed_at"]] for row in marked_before],
            }
            entry = TrashEntry(undo={"words": before})
            lemma = changed[0]["lemma"]
            entry.save(connection, seq, "words", f"the state of {lemma}", len(changed), subject=lemma)
            marked = [[row["seq"], row["wanted"], row["said_by"], row["said_at"]] for row in changed]
            write_states(connection, seq, marked)
            return len(changed)

    def is_from(self, source: str, profile: str, language: str, lemma: str) -> bool:
        """Whether the state of a word, in any of its readings, comes from this source."""
        key = WordKey.of(base_language(language), lemma)
        query = (
            "SELECT 1 FROM words AS w JOIN word_states AS s ON s.word = w.seq"
            f" AND s.profile = {PROFILE} AND s.source = ? WHERE w.language = ? AND w.folded = ? LIMIT 1"
        )
        return self._connections.row(query, profile, source, key.language, key.folded) is not None

    def count_in(self, profile: str, language: str, lemmas: Sequence[str], states: Sequence[WordState]) -> int:
        """How many of these words are in one of these states; one that was never counted or marked is new."""
        keys = {WordKey.of(language, lemma) for lemma in lemmas}
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            numbers = {} if seq is None else word_numbers(connection, keys)
            current = None if seq is None else self.states.current(connection, seq)
        found = (current.state_of(numbers[key]) if current and key in numbers else "new" for key in keys)
        return sum(state in states for state in found)

    def resolve(
        self, profile: str, language: str | None, texts: Sequence[tuple[TextForm, ...]]
    ) -> tuple[tuple[TextWord, ...], ...]:
        """The words of texts, with their states."""
        base = base_language(language)
        forms = {form.key: form for text in texts for form in text}
        with self._connections.read() as connection:
            seq = connection.profile_seq(profile)
            states = None if seq is None else self.states.current(connection, seq)
            found = _resolved(connection, base, forms.values())
            names = _names(connection, base, [form.form for key, form in forms.items() if found[key][0] is None])
        known: dict[FormKey, tuple[str, str, WordState]] = {}
        for key, (number, lemma, reading) in found.items():
            is_name = number is None and forms[key].form in names
            known[key] = lemma, reading, "ignored" if is_name else _state(states, number, base, lemma)
        return tuple(tuple(TextWord(form.start, form.end, *known[form.key]) for form in text) for text in texts)


def write_states(connection: Connection, profile: int, rows: Sequence[Sequence[Any]]) -> None:
    """Write states as rows of word, state ("" for none), source and moment, as one change of the profile's words."""
    connection.execute(
        "INSERT OR REPLACE INTO word_states (profile, word, state, source, changed_at, revision)"
        " SELECT ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, ? FROM json_each(?)",
        (profile, next_revision(connection, profile), as_json(rows)),
    )


def restore_states(connection: Connection, profile: int, words: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Undo a ``mark``: words have their old states again. Gives those that they had until now, for the way back."""
    without = [[word, "", "", ""] for word in words["without"]]
    restored = without + list(words["with"])
    query = (
        f"SELECT word, state, source, changed_at FROM word_states WHERE profile = ? AND state <> '' AND word {AMONG}"
    )
    numbers = [row[0] for row in restored]
    had = {row[0]: list(row) for row in connection.execute(query, (profile, as_json(numbers)))}
    write_states(connection, profile, restored)
    return {"without": [word for word in numbers if word not in had], "with": list(had.values())}


def _state(states: ProfileStates | None, number: int | None, language: str, lemma: str) -> WordState:
    if states is not None and number is not None and number < len(states.codes):
        return states.state_of(number)
    return "new" if is_word_of(language, lemma) else "ignored"


def _names(connection: Connection, language: str, forms: Sequence[str]) -> set[str]:
    """Those of these forms, whose words were never counted, that are names by how they are written."""
    query = (
        "SELECT f.form FROM json_each(?) AS given CROSS JOIN forms AS f ON f.form = given.value AND f.language = ?"
        " WHERE f.written = ?"
    )
    return set(connection.column(query, as_json(forms), language, CAPITAL))


def _resolved(
    connection: Connection, language: str, forms: Iterable[TextForm]
) -> dict[FormKey, tuple[int | None, str, str]]:
    """The number, lemma and reading of the words of forms; no number for one that was never counted or marked."""
    resolved: dict[FormKey, tuple[int | None, str, str]] = {}
    rest: dict[FormKey, WordKey] = {}
    rows = connection.execute(
        "SELECT f.form, f.lemma, f.word FROM json_each(?) AS given CROSS JOIN forms AS f"
        " ON f.form = given.value AND f.language = ?",
        (as_json({form.form for form in forms if form.lemma is None}), language),
    )
    lemmas = {row[0]: (row[2], row[1] or row[0]) for row in rows}
    for form in forms:
        number, lemma = lemmas.get(form.form, (None, form.form)) if form.lemma is None else (None, form.lemma)
        resolved[form.key] = number, lemma, form.reading
        if number is None:
            rest[form.key] = WordKey.of(language, lemma, form.reading)
    numbers = word_numbers(connection, {*rest.values(), *(WordKey(language, key.folded) for key in rest.values())})
    for each, key in rest.items():
        number = numbers.get(key, numbers.get(WordKey(language, key.folded)))
        resolved[each] = number, resolved[each][1], key.reading
    return resolved
