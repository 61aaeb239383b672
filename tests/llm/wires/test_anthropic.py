"""Anthropic's messages: what their events mean, and what is asked."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.llm.asking import ASK, SCHEMA, Form, asked, text_of
from tests.llm.fakes import dialects
from tests.llm.fakes.dialects import answer, fault, stream
from tests.llm.fakes.fake_anthropic import (
    ANTHROPIC,
    MESSAGE_STOP,
    PING,
    block_delta,
    block_start,
    block_stop,
    error,
    events,
    message_delta,
    message_start,
    text_delta,
    thinking_delta,
)
from tests.llm.fakes.fake_server import delta, sse
from tests.llm.wires import decoding
from tests.llm.wires.decoding import ALIEN, BOOM, CUT, NO_JSON, NOTHING, ONLY_THOUGHTS, Case, after_thought, bad, ok
from tui.errors import ProviderError
from tui.llm.protocol import StreamEnd, TextDelta, Thinking
from tui.llm.wires.anthropic_messages import AnthropicMessages

HAL = (text_delta("Hal"), text_delta("lo"))
END = (message_delta("end_turn"), MESSAGE_STOP)
CACHED: dict[str, Any] = {"cache_creation_input_tokens": 20, "cache_read_input_tokens": 100}
TOOL = block_start(type="tool_use", id="t", name="f", input={})
NO_TEXTS = (
    block_delta("input_json_delta", partial_json="{}"),
    block_delta("citations_delta", citation="{}"),
    block_delta("signature_delta", signature="text"),
)


def said(*values: dict[str, Any], tokens: tuple[int | None, int | None] = (None, 5), finish: str = "stop") -> Case:
    """A stream that says "Hallo" and then these."""
    return ok(events(*HAL, *values), "Hallo", finish, tokens)


def told(*values: dict[str, Any], error: str) -> Case:
    return bad(events(*HAL, *values), error, "Hallo")


STREAMS: dict[str, Case] = {
    **decoding.usual(ANTHROPIC),
    "length": said(message_delta("max_tokens"), MESSAGE_STOP, finish="length"),
    "context full": said(message_delta("model_context_window_exceeded"), MESSAGE_STOP, finish="length"),
    "stop sequence": said(message_delta("stop_sequence")),
    "a reason yet to be invented": said(message_delta("enough")),
    "without message_delta": said(MESSAGE_STOP, tokens=(None, None)),
    "after message_stop": said(*END, text_delta("!")),
    "text in the start of a block": ok(
        events(block_start(type="text", text="Hal"), text_delta("lo"), *END), "Hallo", tokens=(None, 5)
    ),
    "hidden thoughts": after_thought(
        ok(
            events(block_start(type="redacted_thinking", data="c2ln"), block_stop(), *HAL, *END),
            "Hallo",
            tokens=(None, 5),
        )
    ),
    "thoughts between texts": (
        events(HAL[0], thinking_delta("hm"), thinking_delta("hm"), HAL[1], *END),
        [TextDelta("Hal"), Thinking(), TextDelta("lo"), StreamEnd("stop", None, 5)],
        "",
    ),
    "what is not text": said(PING, TOOL, *NO_TEXTS, {"type": "weather", "text": "rain"}, *END),
    # Tokens: sums, not increments; what went through the cache is input too.
    "cached tokens": said(message_start(7, **CACHED), *END, tokens=(127, 5)),
    "tokens told twice": said(
        message_start(7, **CACHED), message_delta("end_turn", 5, input_tokens=7, **CACHED), tokens=(127, 5)
    ),
    "tokens told late": said(message_start(0), message_delta("end_turn", 5, input_tokens=9), tokens=(9, 5)),
    "tokens told early": said(
        message_start(9), message_delta("end_turn", 5, input_tokens=0, cache_read_input_tokens=None), tokens=(9, 5)
    ),
    # What goes wrong.
    "refusal": bad(
        dialects.denial(ANTHROPIC, "This could do harm.").body, "refused: Fake refuses to answer: This could do harm."
    ),
    "refusal after text": told(
        message_delta("refusal", 2, {"type": "refusal", "category": "bio", "explanation": None}),
        error="refused: Fake refuses to answer: bio",
    ),
    "refusal without a word": told(message_delta("refusal"), error="refused: Fake refuses to answer"),
    "only thoughts": after_thought(bad(events(thinking_delta("hm"), message_delta("max_tokens")), ONLY_THOUGHTS)),
    "tool": bad(
        events(message_delta("tool_use")), "provider_protocol: Fake wanted to call a tool instead of answering"
    ),
    "pause": told(message_delta("pause_turn"), error="provider_failed: Fake broke off with an error"),
    "overloaded": bad(
        events(message_start(), error("overloaded_error", "Overloaded")),
        "provider_unavailable: Fake is overloaded: Overloaded",
    ),
    "error": told(error("api_error", "boom"), error=BOOM),
    "rate limit": told(
        error("rate_limit_error", "slow down"), error="rate_limited: Fake allows no more requests for now: slow down"
    ),
    "error without a name": bad(sse(error("api_error", "boom"), done=False), BOOM),
    "error without a type": bad(b'event: error\ndata: {"message": "boom"}\n\n', BOOM),
    "error as text": bad(b"event: error\ndata: boom\n\n", BOOM),
    "whole error": bad(json.dumps(error("api_error", "boom")).encode(), BOOM),
    "cut": told(error=CUT),
    "cut inside a character": bad(events(*HAL, text_delta("食"))[:-12], CUT, "Hallo"),
    "another format": bad(sse(delta("Hal")), ALIEN),
    "no JSON": bad(b"event: message_start\ndata: hello\n\n", NO_JSON),
    "content that is none": bad(b'{"type":"message","content":7,"stop_reason":"end_turn"}', NOTHING),
}


def test_the_answer_is_the_same_however_its_bytes_are_cut() -> None:
    decoding.assert_same_however_cut(AnthropicMessages(), STREAMS)


async def test_a_model_that_allows_less_output_is_asked_for_less_from_then_on() -> None:
    said = "max_tokens: 16384 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku-20240307"
    async with asked(ANTHROPIC) as (server, provider):
        server.enqueue(fault(ANTHROPIC, 400, said), stream(ANTHROPIC, "Gut"), answer(ANTHROPIC, {"lemma": "gut"}))
        events_ = [event async for event in provider.stream(ASK)]
        assert text_of(events_) == "Gut"
        await provider.structured(ASK, Form)
        assert [chat.body["max_tokens"] for chat in server.chats] == [16384, 4096, 4096]


REFUSED_THINKING = '"thinking.type.disabled" is not supported for this model'
REFUSED_EFFORT = "This model does not support the effort parameter."


LITTLE: dict[tuple[str, ...], tuple[dict[str, str] | None, str | None]] = {
    (): ({"type": "disabled"}, None),
    (REFUSED_THINKING,): (None, "low"),
    (REFUSED_THINKING, REFUSED_EFFORT): (None, None),
    (REFUSED_THINKING, "output_config: Extra inputs are not permitted"): (None, None),
}


@pytest.mark.parametrize("refusals", LITTLE)
async def test_a_short_answer_is_thought_about_as_little_as_the_model_can(refusals: tuple[str, ...]) -> None:
    thinking, effort = LITTLE[refusals]
    async with asked(ANTHROPIC) as (server, provider):
        server.enqueue(*(fault(ANTHROPIC, 400, said) for said in refusals))
        server.on_chat = lambda request: answer(ANTHROPIC, {"lemma": "gut"})
        if len(refusals) > 1:  # a question is two requests at most; what they taught counts for the next
            with pytest.raises(ProviderError):
                await provider.structured(ASK, Form)
        for _ in range(2):
            assert (await provider.structured(ASK, Form)).value == Form("gut")
        assert len(server.chats) == len(refusals) + 2
        for chat in server.chats[-2:]:
            assert chat.body.get("thinking") == thinking
            assert chat.body["output_config"].get("effort") == effort
            assert chat.body["output_config"]["format"] == {"type": "json_schema", "schema": SCHEMA}


async def test_models_come_in_pages_the_last_of_which_has_no_cursor() -> None:
    async with asked(ANTHROPIC) as (server, provider):
        assert await provider.models() == dialects.MODELS
        paths = [request.path for request in server.requests]
        assert paths == ["/v1/models?limit=1000", "/v1/models?limit=1000&after_id=fake-medium"]
    page = AnthropicMessages().models({"data": [{"id": "a"}, 7, {"id": 7}, {}], "has_more": True, "last_id": None})
    assert (page.models, page.following) == (("a",), None)


async def test_an_empty_address_path_is_right_with_and_without_v1() -> None:
    async with asked(ANTHROPIC, path="/v1/") as (server, provider):
        server.enqueue(stream(ANTHROPIC, "Gut"))
        events_ = [event async for event in provider.stream(replace(ASK, system=" "))]
        assert events_ == [TextDelta("Gut"), StreamEnd("stop", 7, 5)]
        assert "system" not in server.chats[0].body, "a blank one is left out"
