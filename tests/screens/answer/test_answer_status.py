"""The line above one of two answers: in a narrow column the model's name is the last that gives way."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from tests.hostile import FORBIDDEN, WORST
from tui.screens.answer.answer_status import AnswerStatus


class Line(App[None]):
    def compose(self) -> ComposeResult:
        yield AnswerStatus()


async def drawn(width: int, model: str, said: str, *, here: bool = False) -> str:
    app = Line()
    async with app.run_test(size=(width, 3)) as pilot:
        line = app.query_one(AnswerStatus)
        line.model, line.state, line.here = model, said, here
        await pilot.pause()
        strip = line.render_line(0)
        assert cell_len(strip.text) == width
        return strip.text.rstrip()


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (60, "   openai:gpt-5-mini · done · 16 + 8 tokens · 0.2 s"),
        (45, "   openai:gpt-5-mini · done · 0.2 s"),
        (30, "   openai:gpt… · done · 0.2 s"),
    ],
)
async def test_less_is_said_before_the_name_shrinks(width: int, line: str) -> None:
    assert await drawn(width, "openai:gpt-5-mini", "done · 16 + 8 tokens · 0.2 s") == line


async def test_the_answer_that_the_keys_are_for_is_marked_without_colours_too() -> None:
    assert await drawn(40, "a:b", "thinking · 1.0 s", here=True) == " ▌ a:b · thinking · 1.0 s"


@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
async def test_hostile_names_are_literal_and_harmless(text: str) -> None:
    assert not set(await drawn(50, text, text)) & set(FORBIDDEN + "\n\r\t")
