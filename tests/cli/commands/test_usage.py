"""``lode usage``: sums for people, for programs, and what they leave open."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.cli.conftest import Lode, columns
from tui.store import Store


def given(store: Store, month: str, model: str, tokens: tuple[int | None, int | None]) -> None:
    answer = store.answers.begin("default", "explanation", model, "s", "", "", "p", "m")
    store.answers.finish(
        answer.id, "complete", input_tokens=tokens[0], output_tokens=tokens[1], duration_ms=61_000, text="x"
    )
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE answers SET created_at = ? WHERE id = ?", (f"{month}-15T12:00:00.000Z", answer.id))


def test_programs_get_rows_or_json(lode: Lode, store: Store) -> None:
    given(store, "2026-10", "openai:gpt-5-mini", (1234, 5))
    given(store, "2026-11", "openai:gpt-5-mini", (None, None))
    assert columns(lode("usage")) == [
        ["2026-11", "openai:gpt-5-mini", "1", "1", "0", "0", "61000"],
        ["2026-10", "openai:gpt-5-mini", "1", "0", "1234", "5", "61000"],
    ]
    assert lode("usage", "--month", "2026-10", "--json").json() == [
        {
            "month": "2026-10",
            "model": "openai:gpt-5-mini",
            "answers": 1,
            "uncounted": 0,
            "input_tokens": 1234,
            "output_tokens": 5,
            "duration_ms": 61000,
        }
    ]


def test_people_get_a_table_with_its_total_and_what_is_not_known(lode: Lode, store: Store) -> None:
    given(store, "2026-11", "openai:gpt-5-mini", (1200, 30))
    given(store, "2026-11", "openai:gpt-5-mini", (None, None))
    given(store, "2026-11", "ollama:qwen3:8b", (None, None))
    done = lode("usage", terminal=True)
    titles, openai, ollama, total = done.out.splitlines()
    assert titles.split() == ["month", "model", "answers", "uncounted", "tokens", "in", "out", "time"]
    assert openai.split() == ["2026-11", "openai:gpt-5-mini", "2", "1", "≥", "1", "200", "≥", "30", "2:02"]
    assert ollama.split() == ["2026-11", "ollama:qwen3:8b", "1", "1", "?", "?", "1:01"]
    assert total.split() == ["total", "all", "models", "3", "2", "≥", "1", "200", "≥", "30", "3:03"]
    assert done.err == "2 answers without all token counts: the true sums are higher\n"


def test_a_single_row_that_is_whole_needs_neither_total_nor_remark(lode: Lode, store: Store) -> None:
    given(store, "2026-11", "openai:gpt-5-mini", (1, 2))
    done = lode("usage", terminal=True)
    assert len(done.out.splitlines()) == 2
    assert "uncounted" not in done.out
    assert done.err == ""


def test_without_answers_people_are_told_and_programs_get_nothing(lode: Lode) -> None:
    assert lode("usage").out == ""
    assert lode("usage", "--json").json() == []
    assert lode("usage", terminal=True).err == "no answers yet\n"
    assert lode("usage", "--month", "2026-11", terminal=True).err == "no answers in 2026-11\n"


@pytest.mark.parametrize("month", ["2026", "2026-13", "last"])
def test_what_is_no_month_is_wrong_usage(lode: Lode, month: str) -> None:
    done = lode("usage", "--month", month)
    assert done.code == 2
    assert done.err.splitlines()[-2:] == [f"error: '{month}' is no month", "hint: write year and month, as in 2026-11"]


def test_a_narrow_terminal_keeps_every_sum(lode: Lode, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    given(store, "2026-11", "openrouter:anthropic/claude-haiku-4-5-20251001", (1200, None))
    monkeypatch.setattr("tui.cli.output.console.width", lambda: 60)
    titles, row = lode("usage", terminal=True).out.splitlines()
    assert titles.split() == ["month", "model", "answers", "tokens", "in", "out", "time"]
    assert row.split()[-5:] == ["≥", "1", "200", "?", "1:01"]
    assert max(len(titles), len(row)) <= 60
