"""Table of answers, the history: every breakdown and explanation as it was given."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence

from tui.records import Answer, AnswerKind, AnswerState, Deletion, FocusWord, Usage
from tui.store.focus_words import count_with_word, focus_from_text, focus_to_text, word_key
from tui.store.rows import (
    new_id,
    now,
    profile_for_writing,
    profile_seq,
    record,
    row_numbers,
)
from tui.store.search import codes_in, folded_words, named
from tui.store.tables.resource_table import ResourceTable
from tui.store.trash_entry import delete_sentences
from tui.text.display import ANSWER_STATE_WORDS

_USAGE = """
SELECT strftime('%Y-%m', created_at, 'localtime') AS month,
    model,
    count(*) AS answers,
    sum(model NOT LIKE 'lexicon:%' AND (state <> 'complete' OR input_tokens IS NULL OR output_tokens IS NULL))
        AS uncounted,
    coalesce(sum(input_tokens), 0) AS input_tokens,
    coalesce(sum(output_tokens), 0) AS output_tokens,
    sum(duration_ms) AS duration_ms
FROM answers INDEXED BY answers_usage
WHERE profile = :profile
    AND created_at >= coalesce(date(:month || '-01', '-1 day'), '')
    AND created_at < coalesce(date(:month || '-01', '+1 month', '+1 day'), '~')
GROUP BY month, model
HAVING :month IN ('', month)
ORDER BY month DESC, answers DESC, model
"""
"""The dates only narrow the index down, a day on each side of the UTC month; without a month they are null."""


class Answers(ResourceTable[Answer]):
    """Found by the sentence, the focus, its lemma, the model's name, the state and the kind."""

    name = "answers"
    select = "SELECT r.* FROM answers AS r"
    facets = (named("state", ANSWER_STATE_WORDS), codes_in("kind"))
    kind = Answer

    def build(self, row: sqlite3.Row) -> Answer:
        return record(Answer, row, focus_word=focus_from_text(row["focus_word"]), cut=bool(row["cut"]))

    def begin(
        self,
        profile: str,
        kind: AnswerKind,
        model: str,
        sentence: str,
        focus: str,
        context: str,
        prompt: str,
        sys_msg: str,
    ) -> Answer:
        """Record the question. Its state is aborted until ``finish``, so that a killed process leaves the truth."""
        with self._connections.write() as connection:
            answer_id = new_id()
            connection.execute(
                "INSERT INTO answers (id, profile, kind, model, sentence, focus, context, prompt, sys_msg, question,"
                " focus_word, surface, lemma, text, state, duration_ms, created_at, folded)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, '', '', 'aborted', 0, ?, ?)",
                (
                    *(answer_id, profile_for_writing(connection, profile), kind, model, sentence, focus, context),
                    *(prompt, sys_msg, _question(kind, model, sentence, focus, prompt, sys_msg), word_key(focus)),
                    *(now(), folded_words(sentence, focus, model)),
                ),
            )
            return self.build(self.row(connection, answer_id))

    def update(
        self,
        answer_id: str,
        *,
        focus_word: FocusWord | None = None,
        text: str | None = None,
        duration_ms: int | None = None,
        first_token_ms: int | None = None,
    ) -> None:
        """Write down what has come so far; what is not given stays. Raises ``NotFound`` for an answer that is gone."""
        with self._connections.write() as connection:
            if focus_word is not None:
                _write(connection, self.row(connection, answer_id), focus_word, None)
            changed = connection.execute(
                "UPDATE answers SET text = coalesce(?, text), duration_ms = coalesce(?, duration_ms),"
                " first_token_ms = coalesce(?, first_token_ms) WHERE id = ?",
                (text, duration_ms, first_token_ms, answer_id),
            )
            if changed.rowcount == 0:
                self.row(connection, answer_id)

    def finish(
        self,
        answer_id: str,
        state: AnswerState,
        *,
        error: str | None = None,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        duration_ms: int = 0,
        first_token_ms: int | None = None,
        focus_word: FocusWord | None = None,
        text: str | None = None,
        cut: bool = False,
    ) -> Answer:
        """Record how it ended, ``cut`` when at the model's limit; a focus word or text not given stays as it was."""
        with self._connections.write() as connection:
            _write(connection, self.row(connection, answer_id), focus_word, text)
            connection.execute(
                "UPDATE answers SET state = ?, error = ?, input_tokens = ?, output_tokens = ?, duration_ms = ?,"
                " first_token_ms = coalesce(?, first_token_ms), cut = ? WHERE id = ?",
                (state, error, input_tokens, output_tokens, duration_ms, first_token_ms, cut, answer_id),
            )
            return self.build(self.row(connection, answer_id))

    def delete(self, profile: str, answer_ids: Sequence[str]) -> Deletion:
        with self._connections.write() as connection:
            return delete_sentences(connection, "answers", row_numbers(connection, "answers", profile, answer_ids))

    def usage(self, profile: str, month: str = "") -> tuple[Usage, ...]:
        """Sums per month and model, the newest month first and in it the model that was asked most.

        ``month`` ("2026-11") leaves out all others. Moments are kept in UTC; a month here is one of the clock on the
        wall (SQLite's ``localtime``). Only an index is read, never a text.
        """
        with self._connections.read() as connection:
            parameters = {"profile": profile_seq(connection, profile), "month": month}
            return tuple(record(Usage, row) for row in connection.execute(_USAGE, parameters))

    def kept(
        self, profile: str, kind: AnswerKind, model: str, sentence: str, focus: str, prompt: str, sys_msg: str
    ) -> Answer | None:
        """The newest complete answer to exactly this question."""
        with self._connections.read() as connection:
            row = connection.execute(
                f"{self.select} WHERE r.profile = ? AND r.question = ? AND r.state = 'complete'"
                " ORDER BY r.seq DESC LIMIT 1",
                (profile_seq(connection, profile), _question(kind, model, sentence, focus, prompt, sys_msg)),
            ).fetchone()
        return None if row is None else self.build(row)

    def count_with(self, profile: str, word: str) -> int:
        """How many complete breakdowns have this word, or another form of this lemma, as their focus."""
        with self._connections.read() as connection:
            breakdowns = "kind = 'breakdown' AND state = 'complete'"
            return count_with_word(connection, "answers", profile_seq(connection, profile), word, breakdowns)


def _question(kind: str, model: str, sentence: str, focus: str, prompt: str, sys_msg: str) -> str:
    """One short key for all that makes a question: the same key, the same question."""
    asked = json.dumps([kind, model, sentence, focus, prompt, sys_msg], ensure_ascii=True)
    return hashlib.sha256(asked.encode("ascii")).hexdigest()


def _write(connection: sqlite3.Connection, row: sqlite3.Row, focus_word: FocusWord | None, text: str | None) -> None:
    if text is not None:
        connection.execute("UPDATE answers SET text = ? WHERE seq = ?", (text, row["seq"]))
    if focus_word is not None:
        lemma = focus_word.lemma or ""
        connection.execute(
            "UPDATE answers SET focus_word = ?, lemma = ?, folded = ? WHERE seq = ?",
            (
                *(focus_to_text(focus_word), word_key(lemma)),
                *(folded_words(row["sentence"], row["focus"], row["model"], lemma), row["seq"]),
            ),
        )
