"""A model that reads the prompts of batches, and answers as models do: miscounting, repeating, inventing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from tui.correcting.answers import AnsweredLine
from tui.correcting.batches import Batch
from tui.correcting.prompts import write_correction_prompt, write_translation_prompt
from tui.llm.correction import CorrectionForm, TranslationForm, read_lines
from tui.llm.http.structured_output import conform

_LINES = re.compile(r"^<lines>\n(.*?)\n</lines>$", re.MULTILINE | re.DOTALL)


class Entry(NamedTuple):
    """An entry of an answer: a number, the text that the model quotes, and its own."""

    number: int
    original: str
    text: str


Answering: TypeAlias = Callable[[list[Entry]], Sequence[Entry]]
"""What a model makes of the lines that it reads, each of which comes with its own text as the new one."""


class FakeModel:
    """Model that answers by a function, whatever it is asked; ``asked`` are the batches so far."""

    def __init__(self, answering: Answering) -> None:
        self.asked: list[Batch] = []
        self._answering = answering

    async def correct(self, batch: Batch) -> tuple[AnsweredLine, ...]:
        return read_lines(conform(self._answer(batch, write_correction_prompt(batch), "corrected"), CorrectionForm))

    async def translate(self, batch: Batch) -> tuple[AnsweredLine, ...]:
        prompt = write_translation_prompt(batch, "en")
        return read_lines(conform(self._answer(batch, prompt, "translation"), TranslationForm))

    def _answer(self, batch: Batch, prompt: str, name: str) -> dict[str, Any]:
        self.asked.append(batch)
        entries = self._answering(read_rows(prompt))
        return {"lines": [{"number": each.number, "original": each.original, name: each.text} for each in entries]}


def read_rows(prompt: str) -> list[Entry]:
    """Read the lines that a prompt asks about, as a model can."""
    [block] = _LINES.findall(prompt)
    rows = [row.partition(" ") for row in block.split("\n")]
    return [Entry(int(number), json.loads(quoted), json.loads(quoted)) for number, _, quoted in rows]


def shift(entries: Sequence[Entry], by: int) -> list[Entry]:
    """Shift the numbers of an answer, as a model does that has counted a line too many."""
    return [each._replace(number=each.number + by) for each in entries]
