"""Structured output: asks for a JSON object by the strictest mode that a model understands.

A looser mode is tried when a request in a stricter one fails, whatever the status: some servers answer what they do not
know with a 500. Somebody waits for the answer and a gateway counts failures, so there are two requests at most; what
they teach is remembered, and the next question begins with the next mode.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

import msgspec

from tui.errors import ProviderError
from tui.llm import protocol
from tui.llm.http.answer_stream import stream_answer
from tui.llm.http.client import ProviderClient
from tui.llm.http.decoder import ThinkFilter
from tui.llm.http.errors import BrokenServer, RefusedRequest, TransientError
from tui.llm.http.refusals import Refusals
from tui.llm.wires.wire_format import ApiCall, JsonMode, merge_fields

T = TypeVar("T")
_MAY_BE_THE_MODE = frozenset(
    ("request_refused", "provider_refused", "provider_failed", "model_not_found", "empty_answer")
)
"""Codes of errors that the mode may be to blame for: not the account, the connection, nor what is in the answer."""
_decode = json.JSONDecoder().raw_decode
_MAX_TEXT = 50_000
_MAX_STARTS = 20
"""Number of opening braces that are tried; a text with more is no answer."""


@dataclass(frozen=True, slots=True)
class StructuredOutput:
    """Structured output of one provider."""

    http: ProviderClient
    refusals: Refusals

    async def ask(
        self, request: protocol.ChatRequest, form: type[T], *, on_wait: protocol.OnWait = protocol.ignore_wait
    ) -> protocol.StructuredAnswer[T]:
        """Ask for a filled-in form, see ``Provider.structured``; one repetition at most, in a looser mode or not."""
        schema = strict_schema(form)  # type: ignore[arg-type]  # mypy does not know that classes can be hashed
        model, refusals, wire = request.model, self.refusals, self.http.wire
        refused = await refusals.of(model)
        refusals.begin(model)
        modes = wire.json_modes(schema)
        left = [mode for mode in modes if mode.name not in refused] or [modes[-1]]
        for is_last in (False, True):
            mode = left[0]
            call, fields = await refusals.add_allowed(self._call(request, schema, mode), wire.structured_fields, model)
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
                    if error.pause >= 1:
                        on_wait(protocol.Waiting(error.pause, error.message))
                    await asyncio.sleep(error.pause)
                elif error.code == "provider_unavailable":
                    await refusals.suspect(model, mode.name)
                if is_last or not left:
                    raise
            except SchemaMismatch as error:
                await self._step_down(model, left, on_wait)
                if is_last or not left:
                    what, hint = f"gave no structured answer: {error}", "try a model that can answer in JSON"
                    raise self.http.endpoint.error(what, hint, "invalid_structured") from None
            else:
                await refusals.answered(model, mode.name)
                return answer
        raise AssertionError("the second request returns or raises")

    def _call(self, request: protocol.ChatRequest, schema: Mapping[str, Any], mode: JsonMode) -> ApiCall:
        worded = replace(request, system=request.system + _in_words(schema)) if mode.in_words else request
        call = self.http.wire.chat(worded, streamed=False)
        return replace(call, body=merge_fields(call.body or {}, mode.fields))

    def _may_be_the_mode(self, error: ProviderError, model: str, mode: JsonMode) -> bool:
        if isinstance(error, BrokenServer):
            return not self.refusals.is_taken(model, mode.name)  # else it is broken for a moment
        return error.code in _MAY_BE_THE_MODE

    async def _step_down(self, model: str, left: list[JsonMode], on_wait: protocol.OnWait) -> None:
        await self.refusals.suspect(model, left.pop(0).name)
        if left:
            on_wait(protocol.Preparing("this form is refused, asking in another way"))

    async def _whole(
        self, call: ApiCall, model: str, form: type[T], on_wait: protocol.OnWait
    ) -> protocol.StructuredAnswer[T]:
        """Ask for one answer that is not streamed."""
        texts: list[str] = []
        end: protocol.StreamEnd | None = None
        answer = stream_answer(self.http, call, model, streamed=False)
        async with self.http.endpoint.key.forget_if_refused(), aclosing(answer) as batches:
            async for batch in batches:
                for event in batch:
                    if isinstance(event, protocol.TextDelta):
                        texts.append(event.text)
                    elif isinstance(event, protocol.StreamEnd):
                        end = event
                    elif isinstance(event, protocol.Preparing):
                        on_wait(event)
        if end is None or end.finish == "length":
            what = "ran into its length limit in the middle of a structured answer"
            raise self.http.endpoint.error(what, "try a model that thinks less", "answer_cut")
        value = conform(first_object("".join(texts)), form)
        return protocol.StructuredAnswer(value, end.input_tokens, end.output_tokens)


def _in_words(schema: Mapping[str, Any]) -> str:
    # "json" in small letters: DeepSeek refuses its JSON mode without that word.
    return (
        "\n\nAnswer in json: one JSON object and nothing else, no code fence, no words around it. "
        f"It must conform to this JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )


class SchemaMismatch(ValueError):
    """The answer is not the form that was asked for; the message says where."""


def first_object(text: str) -> Mapping[str, Any]:
    """The first JSON object in the text, whatever stands around it. Raises ``SchemaMismatch`` where there is none."""
    thinking = ThinkFilter()
    text = thinking.feed(text[:_MAX_TEXT]) + thinking.finish()
    start = -1
    for _ in range(_MAX_STARTS):
        if (start := text.find("{", start + 1)) < 0:
            break
        with suppress(ValueError, RecursionError):
            found: dict[str, Any] = _decode(text, start)[0]
            return found
    raise SchemaMismatch("there is no JSON object in it")


def conform(value: Any, form: type[T]) -> T:
    """Convert an answer to the form: what it does not name is dropped, and what has a default may be missing.

    Raises ``SchemaMismatch`` for a wrong type or a missing property.
    """
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise SchemaMismatch(str(error)) from None


@cache
def strict_schema(form: type[Any]) -> dict[str, Any]:
    """The JSON Schema of a form of texts, numbers, lists and other forms, as providers want it in their strict mode.

    Every property is required and no other allowed; of two types, one of them null, there is a list. The forms within
    it stand where they are used, as not every server follows references: a form cannot hold itself.
    """
    forms: dict[str, Any] = msgspec.json.schema_components([form])[1]
    return _inline_form(forms[form.__name__], forms)


def _inline_form(schema: Mapping[str, Any], forms: Mapping[str, Any]) -> dict[str, Any]:
    properties = {name: _inline_property(each, forms) for name, each in schema["properties"].items()}
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def _inline_property(schema: Mapping[str, Any], forms: Mapping[str, Any]) -> dict[str, Any]:
    inlined = {name: value for name, value in schema.items() if name not in ("default", "anyOf", "$ref")}
    if "$ref" in schema:
        inlined |= _inline_form(forms[schema["$ref"].rpartition("/")[2]], forms)
    if "anyOf" in schema:
        inlined["type"] = [kind["type"] for kind in schema["anyOf"]]
    if "items" in schema:
        inlined["items"] = _inline_property(schema["items"], forms)
    return inlined
