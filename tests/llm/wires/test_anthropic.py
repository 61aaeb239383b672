"""Anthropic's messages: what their events mean, and what is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.llm.asking import ASK, SCHEMA, Form, asked, text_of
from tests.llm.fakes import dialects
from tests.llm.fakes.dialects import answer, fault, stream
from tests.llm.fakes.fake_anthropic import (
    ANTHROPIC,
    MESSAGE_STOP,
    PING,
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
from tests.llm.wires.decoding import ALIEN, BOOM, CUT, NO_JSON, Case, assert_same_however_cut, good, usual
from tui.errors import ProviderError
from tui.llm.protocol import ChatRequest, StreamEnd, StreamEvent, TextDelta, Thinking
from tui.llm.wires.anthropic_messages import AnthropicMessages

HAL = (text_delta("Hal"), text_delta("lo"))
END = (message_delta("end_turn"), MESSAGE_STOP)
HALF: list[StreamEvent] = [TextDelta("Hallo")]

STREAMS: dict[str, Case] = {
    **usual(ANTHROPIC),
    "length": (events(*HAL, message_delta("max_tokens"), MESSAGE_STOP), good("Hallo", "length", (None, 5)), ""),
    "context full": (
        events(*HAL, message_delta("model_context_window_exceeded"), MESSAGE_STOP),
        good("Hallo", "length", (None, 5)),
        "",
    ),
    "stop sequence": (events(*HAL, message_delta("stop_sequence")), good("Hallo", tokens=(None, 5)), ""),
    "a reason yet to be invented": (events(*HAL, message_delta("enough")), good("Hallo", tokens=(None, 5)), ""),
    "without message_delta": (events(*HAL, MESSAGE_STOP), good("Hallo"), ""),
    "after message_stop": (events(*HAL, *END, text_delta("!")), good("Hallo", tokens=(None, 5)), ""),
    "text in the start of a block": (
        events(block_start(type="text", text="Hal"), text_delta("lo"), *END),
        good("Hallo", tokens=(None, 5)),
        "",
    ),
    "hidden thoughts": (
        events(block_start(type="redacted_thinking", data="c2ln"), block_stop(), *HAL, *END),
        [Thinking(), *good("Hallo", tokens=(None, 5))],
        "",
    ),
    "thoughts between texts": (
        events(text_delta("Hal"), thinking_delta("hm"), thinking_delta("hm"), text_delta("lo"), *END),
        [TextDelta("Hal"), Thinking(), *good("lo", tokens=(None, 5))],
        "",
    ),
    "what is not text": (
        events(
            PING,
            block_start(type="tool_use", id="t", name="f", input={}),
            {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": {}}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "text"}},
            {"type": "weather", "text": "rain"},
            *HAL,
            *END,
        ),
        good("Hallo", tokens=(None, 5)),
        "",
    ),
    # Tokens: sums, not increments; what went through the cache is input too.
    "cached tokens": (
        events(message_start(7, cache_creation_input_tokens=20, cache_read_input_tokens=100), *HAL, *END),
        good("Hallo", tokens=(127, 5)),
        "",
    ),
    "tokens told twice": (
        events(
            message_start(7, cache_creation_input_tokens=0, cache_read_input_tokens=100),
            *HAL,
            message_delta("end_turn", 5, input_tokens=7, cache_creation_input_tokens=0, cache_read_input_tokens=100),
        ),
        good("Hallo", tokens=(107, 5)),
        "",
    ),
    "tokens told late": (
        events(message_start(0), *HAL, message_delta("end_turn", 5, input_tokens=9)),
        good("Hallo", tokens=(9, 5)),
        "",
    ),
    "tokens told early": (
        events(message_start(9), *HAL, message_delta("end_turn", 5, input_tokens=0, cache_read_input_tokens=None)),
        good("Hallo", tokens=(9, 5)),
        "",
    ),
    # What goes wrong.
    "refusal": (
        dialects.denial(ANTHROPIC, "This could do harm.").body,
        [],
        "refused: Fake refuses to answer: This could do harm.",
    ),
    "refusal after text": (
        events(*HAL, message_delta("refusal", 2, {"type": "refusal", "category": "bio", "explanation": None})),
        HALF,
        "refused: Fake refuses to answer: bio",
    ),
    "refusal without a word": (events(*HAL, message_delta("refusal")), HALF, "refused: Fake refuses to answer"),
    "only thoughts": (
        events(thinking_delta("hm"), message_delta("max_tokens")),
        [Thinking()],
        "answer_cut: Fake ran into its length limit before it said anything",
    ),
    "tool": (
        events(message_delta("tool_use")),
        [],
        "provider_protocol: Fake wanted to call a tool instead of answering",
    ),
    "pause": (events(*HAL, message_delta("pause_turn")), HALF, "provider_failed: Fake broke off with an error"),
    "overloaded": (
        events(message_start(), error("overloaded_error", "Overloaded")),
        [],
        "provider_unavailable: Fake is overloaded: Overloaded",
    ),
    "error": (events(*HAL, error("api_error", "boom")), HALF, BOOM),
    "rate limit": (
        events(*HAL, error("rate_limit_error", "slow down")),
        HALF,
        "rate_limited: Fake allows no more requests for now: slow down",
    ),
    "error without a name": (sse(error("api_error", "boom"), done=False), [], BOOM),
    "error without a type": (b'event: error\ndata: {"message": "boom"}\n\n', [], BOOM),
    "error as text": (b"event: error\ndata: boom\n\n", [], BOOM),
    "whole error": (json.dumps(error("api_error", "boom")).encode(), [], BOOM),
    "cut": (events(*HAL), HALF, CUT),
    "cut inside a character": (events(text_delta("Hallo"), text_delta("食"))[:-12], HALF, CUT),
    "another format": (sse(delta("Hal")), [], ALIEN),
    "no JSON": (b"event: message_start\ndata: hello\n\n", [], NO_JSON),
    "content that is none": (
        b'{"type":"message","content":7,"stop_reason":"end_turn"}',
        [],
        "empty_answer: Fake answered nothing",
    ),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", STREAMS.values(), ids=STREAMS)
def test_the_answer_is_the_same_however_its_bytes_are_cut(case: Case) -> None:
    assert_same_however_cut(AnthropicMessages(), case)


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


@pytest.mark.parametrize(
    ("refusals", "thinking", "effort"),
    [
        ([], {"type": "disabled"}, None),
        ([REFUSED_THINKING], None, "low"),
        ([REFUSED_THINKING, REFUSED_EFFORT], None, None),
        ([REFUSED_THINKING, "output_config: Extra inputs are not permitted"], None, None),
    ],
)
async def test_a_short_answer_is_thought_about_as_little_as_the_model_can(
    refusals: list[str], thinking: dict[str, str] | None, effort: str | None
) -> None:
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


async def test_models_come_in_pages() -> None:
    async with asked(ANTHROPIC) as (server, provider):
        assert await provider.models() == dialects.MODELS
        paths = [request.path for request in server.requests]
        assert paths == ["/v1/models?limit=1000", "/v1/models?limit=1000&after_id=fake-medium"]


@pytest.mark.parametrize("page", [7, {}, {"data": 7}, {"data": None}])
def test_a_list_of_models_that_is_none_is_refused(page: Any) -> None:
    with pytest.raises(ValueError, match="no list"):
        AnthropicMessages().models(page)


def test_a_page_without_a_cursor_is_the_last() -> None:
    page = AnthropicMessages().models({"data": [{"id": "a"}, 7, {"id": 7}, {}], "has_more": True, "last_id": None})
    assert (page.models, page.following) == (("a",), None)


def test_a_blank_system_message_is_left_out() -> None:
    assert "system" not in (AnthropicMessages().chat(ChatRequest("m", " ", "x"), streamed=False).body or {})


async def test_an_empty_address_path_is_right_with_and_without_v1() -> None:
    async with asked(ANTHROPIC, path="/v1/") as (server, provider):
        server.enqueue(stream(ANTHROPIC, "Gut"))
        events_ = [event async for event in provider.stream(ASK)]
        assert events_ == [TextDelta("Gut"), StreamEnd("stop", 7, 5)]
