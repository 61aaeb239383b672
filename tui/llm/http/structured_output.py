"""Structured output: asks for a JSON object by the strictest mode that a model understands.

A looser mode is tried only when the server refuses the format or the answer is blank or invalid; the mode that held is
remembered per model.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar

from tui.errors import ProviderError
from tui.llm.http.answer_stream import AnswerStreams
from tui.llm.http.api_key import ApiKey
from tui.llm.http.errors import RefusedRequest, TransientError
from tui.llm.http.optional_fields import ABOUT_PARAMETER, OptionalFieldsMemory, is_about
from tui.llm.protocol import ChatRequest, Preparing, StreamEnd, StructuredAnswer, TextDelta, Waiting
from tui.llm.structured import SchemaMismatch, conform, first_object, strict_schema
from tui.llm.wires.wire_format import ApiCall, JsonMode, WireFormat, merged

T = TypeVar("T")
_ABOUT_FORMAT = re.compile(
    r"response_?format|response_?(?:json_?)?schema|response_?mime|output_config|json|schema|structured|grammar"
    r"|\bstrict\b|\bformat\b",
    re.IGNORECASE,
)


class StructuredOutput:
    def __init__(
        self, wire: WireFormat, key: ApiKey, answers: AnswerStreams, fields: OptionalFieldsMemory, label: str
    ) -> None:
        self._wire = wire
        self._key = key
        self._answers = answers
        self._fields = fields
        self._label = label
        self._mode_of: dict[str, int] = {}

    async def ask(
        self, request: ChatRequest, form: type[T], on_wait: Callable[[Waiting | Preparing], None]
    ) -> StructuredAnswer[T]:
        """Ask for a filled-in form, see ``Provider.structured``."""
        schema = strict_schema(form)  # type: ignore[arg-type]  # mypy does not know that classes can be hashed
        modes = self._wire.json_modes(schema)
        problem: Exception | None = None
        for number in range(self._mode_of.get(request.model, 0), len(modes)):
            try:
                mode, is_last = modes[number], number == len(modes) - 1
                worded = replace(request, system=request.system + _in_words(schema)) if mode.in_words else request
                answer = await self._in_mode(worded, form, mode, is_last=is_last, on_wait=on_wait)
            except _FormatRefused as error:
                problem = error.refusal
                continue
            except SchemaMismatch as error:
                problem = error
                continue
            self._mode_of[request.model] = number
            return answer
        if isinstance(problem, ProviderError):
            raise problem
        raise ProviderError(
            f"{self._label} gave no structured answer: {problem}",
            hint="try a model that can answer in JSON",
            code="invalid_structured",
        )

    async def _in_mode(
        self,
        request: ChatRequest,
        form: type[T],
        mode: JsonMode,
        *,
        is_last: bool,
        on_wait: Callable[[Waiting | Preparing], None],
    ) -> StructuredAnswer[T]:
        asked = self._wire.chat(request, streamed=False)
        asked = replace(asked, body=merged(asked.body or {}, mode.fields))
        while True:
            call, fields = self._fields.added(asked, self._wire.structured_fields, request.model)
            try:
                return await self._whole(call, request.model, form, on_wait)
            except RefusedRequest as error:
                if self._fields.drop(fields, request.model, error):
                    continue
                if not is_last and is_about(error, _ABOUT_FORMAT, ABOUT_PARAMETER):
                    raise _FormatRefused(error) from None
                raise
            except ProviderError as error:
                if error.code == "empty_answer":
                    raise _FormatRefused(error) from None
                raise

    async def _whole(
        self, call: ApiCall, model: str, form: type[T], on_wait: Callable[[Waiting | Preparing], None]
    ) -> StructuredAnswer[T]:
        """Ask for one answer that is not streamed; one more try where that may help."""
        texts: list[str] = []
        end: StreamEnd | None = None
        for attempt in (0, 1):
            try:
                answer = self._answers.stream(call, model, streamed=False)
                async with self._key.forget_if_refused(), aclosing(answer) as batches:
                    async for batch in batches:
                        for event in batch:
                            if isinstance(event, TextDelta):
                                texts.append(event.text)
                            elif isinstance(event, StreamEnd):
                                end = event
                            elif isinstance(event, Preparing):
                                on_wait(event)
                break
            except TransientError as error:
                if attempt or texts:
                    raise
                if error.pause >= 1:
                    on_wait(Waiting(error.pause, error.message))
                await asyncio.sleep(error.pause)
        if end is None or end.finish == "length":
            raise ProviderError(
                f"{self._label} ran into its length limit in the middle of a structured answer",
                hint="try a model that thinks less",
                code="answer_cut",
            )
        value = conform(first_object("".join(texts)), form)
        return StructuredAnswer(value, end.input_tokens, end.output_tokens)


class _FormatRefused(Exception):
    def __init__(self, refusal: ProviderError) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def _in_words(schema: Mapping[str, Any]) -> str:
    # "json" in small letters: DeepSeek refuses its JSON mode without that word.
    return (
        "\n\nAnswer in json: one JSON object and nothing else, no code fence, no words around it. "
        f"It must conform to this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )
