"""``lode history`` and ``lode usage``: an answer as it is shown, and sums for people and for programs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from tests.cli.conftest import Lode, columns
from tui.records.answers import AnswerState, NewAnswer
from tui.store import Store

GPT = "openai:gpt-5-mini"


def given(
    store: Store,
    model: str = GPT,
    tokens: tuple[int | None, int | None] = (9, 3),
    *,
    month: str = "2026-11",
    state: AnswerState = "complete",
    milliseconds: int = 61_000,
) -> str:
    """Add an answer; gives its id."""
    answer = store.answers.begin(
        "default", NewAnswer("explanation", model, "Der Zug kommt.", "", "", "Explain.", "You teach.")
    )
    took: Any = {"duration_ms": milliseconds, "first_token_ms": 420}
    store.answers.finish(answer.id, state, input_tokens=tokens[0], output_tokens=tokens[1], text="A train.", **took)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE answers SET created_at = ? WHERE id = ?", (f"{month}-15T12:00:00.000Z", answer.id))
    return answer.id


def test_an_answer_is_shown_with_its_times_and_tokens(lode: Lode, store: Store) -> None:
    answer = given(store, milliseconds=2500)
    lines = lode("history", "show", answer[:5]).out.splitlines()
    assert lines[:3] == ["Der Zug kommt.", "", "A train."]
    assert {"tokens in   9", "first text  after 0.4 s", "took        2.5 s"} <= {*lines}
    whole = lode("history", "show", answer, "--json").json()
    assert (whole["first_token_ms"], whole["duration_ms"], whole["input_tokens"]) == (420, 2500, 9)
    lines = lode("history", "show", given(store, state="aborted")).out.splitlines()
    assert {"tokens in   at least 9", "tokens out  at least 3"} <= {*lines}


def test_programs_get_sums_in_rows_or_json(lode: Lode, store: Store) -> None:
    given(store, GPT, (1234, 5), month="2026-10")
    given(store, GPT, (None, None))
    assert columns(lode("usage")) == [
        ["2026-11", GPT, "1", "1", "0", "0", "61000"],
        ["2026-10", GPT, "1", "0", "1234", "5", "61000"],
    ]
    assert lode("usage", "--month", "2026-10", "--json").json() == [
        {
            "month": "2026-10",
            "model": GPT,
            "answers": 1,
            "uncounted": 0,
            "input_tokens": 1234,
            "output_tokens": 5,
            "duration_ms": 61000,
        }
    ]


def test_people_get_a_table_with_its_total(lode: Lode, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    given(store, GPT, (1, 2), month="2026-09")
    single = lode("usage", "--month", "2026-09", terminal=True)  # a row that is whole needs no total and no remark
    assert (len(single.out.splitlines()), "uncounted" in single.out, single.err) == (2, False, "")
    given(store, GPT, (1200, 30))
    given(store, GPT, (None, None))
    given(store, "ollama:qwen3:8b", (None, None))
    done = lode("usage", "--month", "2026-11", terminal=True)
    titles, openai, ollama, total = done.out.splitlines()
    assert titles.split() == ["month", "model", "answers", "uncounted", "tokens", "in", "out", "time"]
    assert openai.split() == ["2026-11", GPT, "2", "1", "≥", "1", "200", "≥", "30", "2:02"]
    assert ollama.split() == ["2026-11", "ollama:qwen3:8b", "1", "1", "?", "?", "1:01"]
    assert total.split() == ["total", "all", "models", "3", "2", "≥", "1", "200", "≥", "30", "3:03"]
    assert done.err == "2 answers without all token counts: the true sums are higher\n"
    given(store, "openrouter:anthropic/claude-haiku-4-5-20251001", (1200, None), month="2026-12")
    monkeypatch.setattr("tui.cli.output.console.width", lambda: 60)
    titles, row = lode("usage", "--month", "2026-12", terminal=True).out.splitlines()
    assert "uncounted" not in titles
    assert row.split()[-5:] == ["≥", "1", "200", "?", "1:01"]
    assert max(len(titles), len(row)) <= 60


def test_without_answers_people_are_told_and_programs_get_nothing(lode: Lode) -> None:
    assert lode("usage").out == ""
    assert lode("usage", "--json").json() == []
    assert lode("usage", terminal=True).err == "no answers yet\n"
    assert lode("usage", "--month", "2026-11", terminal=True).err == "no answers in 2026-11\n"
    for month in ("2026", "2026-13", "last"):
        wrong = lode("usage", "--month", month)
        wrong.check_refused(f"error: '{month}' is no month\nhint: write year and month, as in 2026-11\n", code=2)
