"""Structured output: asks for a JSON object by the strictest mode that a model understands.

A looser mode is tried when a request in a stricter one fails, whatever the status: some servers answer what they do not
know with a 500. Somebody waits for the answer and a gateway counts failures, so there are two requests at most; what
they teach is remembered, and the next question begins with the next mode.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar

from tui.errors import ProviderError
from tui.llm.http.answer_stream import AnswerStreams
from tui.llm.http.api_key import ApiKey
from tui.llm.http.errors import BrokenServer, RefusedRequest, TransientError
from tui.llm.http.refusals import Refusals
from tui.llm.protocol import ChatRequest, Preparing, StreamEnd, StructuredAnswer, TextDelta, Waiting
from tui.llm.structured import SchemaMismatch, conform, first_object, strict_schema
from tui.llm.wires.wire_format import ApiCall, JsonMode, WireFormat, merge_fields

T = TypeVar("T")
_MAY_BE_THE_MODE = frozenset(
    ("request_refused", "provider_refused", "provider_failed", "model_not_found", "empty_answer")
)
"""Codes of errors that the mode may be to blame for: not the account, the connection, nor what is in the answer."""


class StructuredOutput:
    def __init__(self, wire: WireFormat, key: ApiKey, answers: AnswerStreams, refusals: Refusals, label: str) -> None:
        self._wire = wire
        self._key = key
        self._answers = answers
        self._refusals = refusals
        self._label = label

    async def ask(
        self, request: ChatRequest, form: type[T], on_wait: Callable[[Waiting | Preparing], None]
    ) -> StructuredAnswer[T]:
        """Ask for a filled-in form, see ``Provider.structured``; one repetition at most, in a looser mode or not."""
        schema = strict_schema(form)  # type: ignore[arg-type]  # mypy does not know that classes can be hashed
        model, refusals = request.model, self._refusals
        refused = await refusals.of(model)
        refusals.begin(model)
        modes = self._wire.json_modes(schema)
        left = [mode for mode in modes if mode.name not in refused] or [modes[-1]]
        for is_last in (False, True):
            mode = left[0]
            call, fields = await refusals.added(self._call(request, schema, mode), self._wire.structured_fields, model)
            try:
                answer = await self._whole(call, model, form, on_wait)
            except ProviderError as error:
                if isinstance(error, RefusedRequest) and await refusals.drop(fields, model, error):
                    pass
                elif self._may_be_the_mode(error, model, mode):
                    await self._step_down(model, left, on_wait)
                elif not isinstance(error, TransientError):
                    raise
                elif not is_last:
                    await _pause(error, on_wait)
                elif error.code == "provider_unavailable":
                    await refusals.suspect(model, mode.name)
                if is_last or not left:
                    raise
            except SchemaMismatch as error:
                await self._step_down(model, left, on_wait)
                if is_last or not left:
                    raise ProviderError(
                        f"{self._label} gave no structured answer: {error}",
                        hint="try a model that can answer in JSON",
                        code="invalid_structured",
                    ) from None
            else:
                await refusals.answered(model, mode.name)
                return answer
        raise AssertionError("the second request returns or raises")

    def _call(self, request: ChatRequest, schema: Mapping[str, Any], mode: JsonMode) -> ApiCall:
        worded = replace(request, system=request.system + _in_words(schema)) if mode.in_words else request
        call = self._wire.chat(worded, streamed=False)
        return replace(call, body=merge_fields(call.body or {}, mode.fields))

    def _may_be_the_mode(self, error: ProviderError, model: str, mode: JsonMode) -> bool:
        if isinstance(error, BrokenServer):
            return not self._refusals.is_taken(model, mode.name)  # else it is broken for a moment
        return error.code in _MAY_BE_THE_MODE

    async def _step_down(
        self, model: str, left: list[JsonMode], on_wait: Callable[[Waiting | Preparing], None]
    ) -> None:
        await self._refusals.suspect(model, left.pop(0).name)
        if left:
            on_wait(Preparing("this form is refused, asking in another way"))

    async def _whole(
        self, call: ApiCall, model: str, form: type[T], on_wait: Callable[[Waiting | Preparing], None]
    ) -> StructuredAnswer[T]:
        """Ask for one answer that is not streamed."""
        texts: list[str] = []
        end: StreamEnd | None = None
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
        if end is None or end.finish == "length":
            raise ProviderError(
                f"{self._label} ran into its length limit in the middle of a structured answer",
                hint="try a model that thinks less",
                code="answer_cut",
            )
        value = conform(first_object("".join(texts)), form)
        return StructuredAnswer(value, end.input_tokens, end.output_tokens)


async def _pause(error: TransientError, on_wait: Callable[[Waiting | Preparing], None]) -> None:
    if error.pause >= 1:
        on_wait(Waiting(error.pause, error.message))
    await asyncio.sleep(error.pause)


def _in_words(schema: Mapping[str, Any]) -> str:
    # "json" in small letters: DeepSeek refuses its JSON mode without that word.
    return (
        "\n\nAnswer in json: one JSON object and nothing else, no code fence, no words around it. "
        f"It must conform to this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )
