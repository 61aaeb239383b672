"""What is said of an answer while it comes and once it is there; in a narrow column its model's name gives way last."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from rich.cells import cell_len
from textual.app import App, ComposeResult

from tests.hostile import FORBIDDEN, HOSTILE
from tui.errors import ProviderError
from tui.events import Failed, Finished, StateChanged, StreamState, Token
from tui.records.answers import AnswerState
from tui.screens.answer.answer_status import AnswerStatus, StreamStatus, day_of

MODEL = "ollama:qwen3:8b"


def finished(state: AnswerState = "complete", **more: Any) -> Finished:
    values = {"answer_id": None, "kept": False, "model": MODEL, "input_tokens": 120, "output_tokens": 40}
    return Finished(state, **{**values, "duration_ms": 3200, **more})


def test_the_state_is_one_calm_word_with_the_seconds_and_tokens_a_second() -> None:
    at = [0.0]
    status = StreamStatus("", lambda: at[0])
    assert status.text() == "connecting · 0.0 s"
    states: tuple[StreamState, ...] = ("preparing", "connecting", "thinking")
    for state in states:
        status.note(StateChanged(state, MODEL, "a model that is not loaded yet takes a minute"))
        assert status.text() == f"{MODEL} · {state} · 0.0 s"
    at[0] = 1.0
    for _ in range(41):
        status.note(Token("x"))
    at[0] = 2.0
    assert status.text() == f"{MODEL} · streaming · 41 tok/s · 2.0 s"
    at[0] = 75.0
    assert status.text().endswith("1:15 min")
    status.note(finished(cut=True, input_tokens=None))
    assert status.text() == f"{MODEL} · cut short · 40 tokens · 3.2 s"


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
    status.note(Failed(ProviderError("the cable broke")))
    status.note(finished("failed"))
    assert status.text() == f"{MODEL} · partial · 3.0 s", "of an answer that fails after some text"


def test_days_are_written_as_people_do() -> None:
    today = datetime.now(UTC)
    assert day_of(today.isoformat()).split()[0] == str(today.astimezone().day)
    assert day_of((today - timedelta(days=800)).isoformat()).split()[-1].isdigit()
    for no_day in (
        "",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
    ):  # none before the first, after the last
        assert day_of(no_day) == ""


class Line(App[None]):
    def compose(self) -> ComposeResult:
        yield AnswerStatus()


async def test_in_a_narrow_column_less_is_said_before_the_name_shrinks_and_all_is_literal() -> None:
    async with Line().run_test(size=(60, 3)) as pilot:
        line = pilot.app.query_one(AnswerStatus)

        async def draw(width: int, model: str, said: str, *, here: bool = False) -> str:
            await pilot.resize_terminal(width, 3)
            line.model, line.state, line.here = model, said, here
            await pilot.pause()
            strip = line.render_line(0)
            assert cell_len(strip.text) == width
            return strip.text.rstrip()

        for width, expected in (
            (60, "   openai:gpt-5-mini · done · 16 + 8 tokens · 0.2 s"),
            (45, "   openai:gpt-5-mini · done · 0.2 s"),
            (30, "   openai:gpt… · done · 0.2 s"),
        ):
            assert await draw(width, "openai:gpt-5-mini", "done · 16 + 8 tokens · 0.2 s") == expected
        assert await draw(40, "a:b", "thinking · 1.0 s", here=True) == " ▌ a:b · thinking · 1.0 s", (
            "without colours too"
        )
        for name, text in HOSTILE.items():
            assert not set(await draw(50, text, text)) & set(FORBIDDEN + "\n\r\t"), name
