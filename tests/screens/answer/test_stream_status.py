"""What is said of an answer while it comes, and once it is there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tui.errors import ProviderError
from tui.events import Failed, Finished, StateChanged, StreamState, Token
from tui.records.answers import AnswerState
from tui.screens.answer.answer_status import StreamStatus, day_of

MODEL = "ollama:qwen3:8b"


def finished(state: AnswerState = "complete", **more: Any) -> Finished:
    values = {"answer_id": None, "kept": False, "model": MODEL, "input_tokens": 120, "output_tokens": 40}
    return Finished(state, **{**values, "duration_ms": 3200, **more})


@pytest.mark.parametrize("state", ["preparing", "connecting", "thinking"])
def test_a_state_is_one_calm_word_however_much_there_is_to_say(state: StreamState) -> None:
    status = StreamStatus("", lambda: 0.0)
    status.note(StateChanged(state, MODEL, "a model that is not loaded yet takes a minute"))
    assert status.text() == f"{MODEL} · {state} · 0.0 s"


def test_what_is_waited_for_is_said_with_the_seconds_and_the_key_that_stops_it() -> None:
    at = [0.0]
    status = StreamStatus("", lambda: at[0])
    assert status.remark("esc") == ""
    status.note(StateChanged("preparing", MODEL, "waiting for Ollama"))
    at[0] = 12.7
    assert status.remark("esc") == "waiting for Ollama · 12 s · esc stops"
    assert status.remark("") == "waiting for Ollama · 12 s"
    at[0] = 75.0
    assert status.remark("esc") == "waiting for Ollama · 1:15 min · esc stops"
    status.note(StateChanged("connecting", MODEL, "the focus is the lexicon's"))
    assert status.remark("esc") == "the focus is the lexicon's"


def test_a_wait_counts_down() -> None:
    at = [0.0]
    status = StreamStatus("", lambda: at[0])
    status.note(StateChanged("waiting", MODEL, "slow down", 3.0))
    assert status.state_text() == "waiting, asks again in 3 s · 0.0 s"
    at[0] = 1.5
    assert status.state_text() == "waiting, asks again in 2 s · 1.5 s"
    assert status.remark("esc") == "slow down · waiting, asks again in 2 s · esc stops"
    at[0] = 3.0
    assert status.state_text() == "asking again · 3.0 s"
    status.note(Token("x"))
    assert status.state_text() == "streaming · 3.0 s"


def test_a_failure_after_some_text_leaves_a_partial_answer() -> None:
    status = StreamStatus(MODEL, lambda: 0.0)
    status.note(Token("x"))
    status.note(Failed(ProviderError("the cable broke")))
    status.note(finished("failed"))
    assert status.text() == f"{MODEL} · partial · 0.0 s"


def test_the_status_counts_tokens_a_second() -> None:
    at = [0.0]
    status = StreamStatus("", lambda: at[0])
    assert status.text() == "connecting · 0.0 s"
    status.note(StateChanged("preparing", MODEL, "loading the model"))
    assert status.text() == f"{MODEL} · preparing · 0.0 s"
    at[0] = 1.0
    for _ in range(41):
        status.note(Token("x"))
    at[0] = 2.0
    assert status.text() == f"{MODEL} · streaming · 41 tok/s · 2.0 s"
    at[0] = 75.0
    assert status.text().endswith("1:15 min")
    status.note(finished(cut=True, input_tokens=None))
    assert status.text() == f"{MODEL} · cut short · 40 tokens · 3.2 s"


def test_days_are_written_as_people_do() -> None:
    today = datetime.now(UTC)
    assert day_of(today.isoformat()).split()[0] == str(today.astimezone().day)
    assert day_of((today - timedelta(days=800)).isoformat()).split()[-1].isdigit()
    assert day_of("") == ""
    assert day_of("0001-01-01T00:00:00+14:00") == "", "there is no day before the first"
    assert day_of("9999-12-31T23:59:59-14:00") == ""
