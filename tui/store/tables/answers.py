"""Table of answers, the history: every breakdown and explanation as it was given."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, TypedDict, Unpack

from tui.errors import damaged
from tui.records.answers import Answer, AnswerState, FollowUp, NewAnswer, Usage
from tui.records.clips import FocusWord
from tui.store import rows
from tui.store.focus_words import focus_from_text, focus_to_text
from tui.store.known_words.word_rows import record_seen
from tui.store.rows import AMONG, PROFILE, Connection, as_json, record
from tui.store.search import Field, codes_in, codes_named, field_of, flags, folded_words, language_in, text_in
from tui.store.tables.resource_table import ResourceTable, count_with_word
from tui.store.tables.sorting import text_key
from tui.store.trash_entry import TrashEntry
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
WHERE profile = (SELECT seq FROM profiles WHERE name = :profile)
    AND created_at >= coalesce(date(:month || '-01', '-1 day'), '')
    AND created_at < coalesce(date(:month || '-01', '+1 month', '+1 day'), '~')
GROUP BY month, model
HAVING :month IN ('', month)
ORDER BY month DESC, answers DESC, model
"""
"""Query of ``usage``; its dates only narrow the index down, a day on each side of the UTC month, or are null."""


_FOLLOW_UPS = (
    "SELECT json_group_array(json(follow_up)) FROM (SELECT json_object("
    + ", ".join(
        f"'{each.name}', {'f.prompt' if each.name == 'question' else f'f.{each.name}'}" for each in fields(FollowUp)
    )
    + ") AS follow_up FROM answers AS f WHERE f.follows = r.id ORDER BY f.seq)"
)


class AnswerChanges(TypedDict, total=False):
    """Fields of an answer that change while it is given."""

    error: str | None
    focus_word: FocusWord | None
    text: str | None
    input_tokens: int | None
    output_tokens: int | None
    duration_ms: int | None
    first_token_ms: int | None
    cut: bool
    translation: str
    sentence_reading: str


class Answers(ResourceTable[Answer]):
    """Table of answers, searched by the sentence, the focus, its lemma, the model's name, the state and the kind."""

    name = "answers"
    select = f"SELECT r.*, ({_FOLLOW_UPS}) AS follow_ups FROM answers AS r"
    listed = "follows IS NULL"
    facets = (codes_named("state", ANSWER_STATE_WORDS), codes_in("kind"))
    fields: Mapping[str, Field] = {
        "lang": field_of(language_in("json_extract(focus_word, '$.language')")),
        "state": field_of(codes_named("state", ANSWER_STATE_WORDS)),
        "kind": field_of(codes_in("kind")),
        "model": field_of(text_in("model")),
        "word": field_of(text_in("focus || ' ' || lemma")),
        "has": flags(translation="translation <> ''"),
    }
    sort_keys: ClassVar[Mapping[str, str]] = {
        "focus": text_key("r.surface"),
        "sentence": text_key("r.folded"),
        "model": text_key("r.model"),
        "kind": "r.kind",
        "state": "r.state",
        "asked_on": "nullif((SELECT count(*) FROM answers AS f WHERE f.follows = r.id), 0)",
        "tokens": "coalesce(r.input_tokens, 0) + r.output_tokens",
        "took": "r.duration_ms",
    }
    kind = Answer

    def build(self, row: sqlite3.Row) -> Answer:
        return record(
            Answer,
            row,
            focus_word=focus_from_text(row["focus_word"]),
            cut=bool(row["cut"]),
            follow_ups=tuple(map(_follow_up, rows.json_value(row["follow_ups"]))),
        )

    def begin(self, profile: str, asked: NewAnswer) -> Answer:
        """Record the question. Its state is aborted until ``finish``, so that a killed process leaves the truth."""
        columns = {field.name: getattr(asked, field.name) for field in fields(NewAnswer) if field.name != "known_by"}
        columns |= {"question": _question(asked), "surface": rows.word_key(asked.focus), "lemma": "", "text": ""}
        columns |= {"folded": folded_words(asked.sentence, asked.focus, asked.model), "duration_ms": 0}
        with self._connections.write() as connection:
            answer_id, seq = rows.new_id(), connection.profile_for_writing(profile)
            about = {"id": answer_id, "profile": seq, "state": "aborted", "created_at": rows.now()}
            connection.insert("answers", {**columns, **about})
            return self.build(self.row(connection, answer_id))

    def update(self, answer_id: str, **changes: Unpack[AnswerChanges]) -> None:
        """Write down what is given; what is not, or None, stays. Raises ``NotFound`` for an answer that is gone."""
        focus_word = changes.pop("focus_word", None)
        columns: dict[str, object] = {name: value for name, value in changes.items() if value is not None}
        with self._connections.write() as connection:
            if focus_word is not None:
                row, lemma = self.row(connection, answer_id), focus_word.lemma or ""
                folded = folded_words(row["sentence"], row["focus"], row["model"], lemma)
                columns |= {"focus_word": focus_to_text(focus_word), "lemma": rows.word_key(lemma), "folded": folded}
            if not columns or not connection.update("answers", "id", answer_id, columns):
                self.row(connection, answer_id)

    def finish(self, answer_id: str, state: AnswerState, **changes: Unpack[AnswerChanges]) -> Answer:
        """Record how it ended, ``cut`` when at the model's limit; a focus word or text not given stays as it was."""
        with self._connections.write() as connection:
            connection.update("answers", "id", answer_id, {"state": state})
            self.update(answer_id, **changes)
            row = self.row(connection, answer_id)
            answer = self.build(row)
            if state == "complete":
                record_seen(connection, row["profile"], answer.focus_word, None, "answer")
            return answer

    def usage(self, profile: str, month: str = "") -> tuple[Usage, ...]:
        """Sums per month and model, the newest month first and in it the model that was asked most.

        ``month`` ("2026-11") leaves out all others. Moments are kept in UTC; a month here is one of the clock on the
        wall (SQLite's ``localtime``). Only an index is read, never a text.
        """
        return tuple(record(Usage, row) for row in self._connections.rows(_USAGE, profile=profile, month=month))

    def find_kept(self, profile: str, asked: NewAnswer) -> Answer | None:
        """The newest complete answer to this question, one that was asked in exactly these words before all others."""
        row = self._connections.row(
            f"{self.select} WHERE r.profile = {PROFILE} AND r.question = ? AND r.state = 'complete'"
            " ORDER BY (r.prompt = ? AND r.sys_msg = ?) DESC, r.seq DESC LIMIT 1",
            *(profile, _question(asked), asked.prompt, asked.sys_msg),
        )
        return None if row is None else self.build(row)

    def take_out(self, connection: Connection, seqs: Sequence[int]) -> TrashEntry:
        """Take what was asked on out with them."""
        query = f"SELECT seq FROM answers WHERE follows IN (SELECT id FROM answers WHERE seq {AMONG})"
        return super().take_out(connection, sorted({*seqs, *connection.column(query, as_json(seqs))}))

    def count_with(self, profile: str, word: str) -> int:
        """Count the complete breakdowns with this word, or another form of this lemma, as their focus."""
        return count_with_word(self._connections, "answers", profile, word, "kind = 'breakdown' AND state = 'complete'")


def _follow_up(values: Mapping[str, Any]) -> FollowUp:
    try:
        return FollowUp(**{**values, "cut": bool(values["cut"])})
    except (TypeError, KeyError) as error:
        raise damaged("an answer of the library", error) from error


def _question(asked: NewAnswer) -> str:
    """Hash of all that makes a question: the same hash, the same question."""
    words = asked.known_by or (asked.prompt, asked.sys_msg)
    text = json.dumps([asked.kind, asked.model, asked.sentence, asked.focus, *words], ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
