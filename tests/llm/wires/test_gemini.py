"""Gemini: what its responses mean, and what is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.llm.asking import ASK, SCHEMA, Form, asked
from tests.llm.fakes import dialects
from tests.llm.fakes.dialects import answer, fault
from tests.llm.fakes.fake_gemini import GEMINI, chunk, counts, error, text, thought
from tests.llm.fakes.fake_server import delta, json_reply, sse
from tests.llm.wires.decoding import (
    ALIEN,
    BOOM,
    CUT,
    NO_JSON,
    NOTHING,
    Case,
    assert_same_however_cut,
    good,
    outcome,
    usual,
)
from tui.errors import ProviderError
from tui.llm.protocol import ChatRequest, StreamEvent, TextDelta, Thinking
from tui.llm.wires.gemini import Gemini

HALF: list[StreamEvent] = [TextDelta("Hal")]


def body(*chunks: Any) -> bytes:
    return sse(*chunks, done=False)


def listed(*chunks: Any) -> bytes:
    """As the stream comes without ``alt=sse``: one list."""
    return ("[" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in chunks) + "]").encode()


STREAMS: dict[str, Case] = {
    **usual(GEMINI),
    "a reason with every piece": (
        body(chunk(text("Hal"), finish="STOP"), chunk(text("lo"), finish="STOP")),
        good("Hallo"),
        "",
    ),
    "the reason without content": (
        body(chunk(text("Hallo")), {"candidates": [{"finishReason": "STOP", "index": 0}]}),
        good("Hallo"),
        "",
    ),
    "several parts": (
        body(chunk(thought("hm"), text("Hal"), {"text": "lo", "thoughtSignature": "c2ln"}, finish="STOP")),
        [Thinking(), *good("Hallo")],
        "",
    ),
    "what is not text": (
        body(
            chunk({"functionCall": {"name": "f", "args": {"text": "no"}}}, {"inlineData": {"data": "c2ln"}}),
            chunk({"text": None}, {"text": 7}, {"thoughtSignature": "text"}),
            {"candidates": []},
            {"candidates": [{"content": {}}, {"content": {"parts": [text("second")]}}]},
            chunk(text("Hallo"), finish="STOP"),
        ),
        good("Hallo"),
        "",
    ),
    "thoughts are paid for": (
        body(
            chunk(thought("hm"), usage={"promptTokenCount": 7, "thoughtsTokenCount": 40}),
            chunk(text("Hallo"), finish="STOP", usage=counts(7, 45, thoughts=40)),
        ),
        [Thinking(), *good("Hallo", tokens=(7, 45))],
        "",
    ),
    "length": (body(chunk(text("Hal"), finish="MAX_TOKENS")), good("Hal", "length"), ""),
    "without alt=sse": (listed(chunk(text("Hal")), chunk(text("lo"), finish="STOP")), good("Hallo"), ""),
    # What goes wrong.
    "question blocked": (
        body({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 7}}),
        [],
        "content_filtered: Fake withheld the answer (content filter): the question was blocked, SAFETY",
    ),
    "question not blocked": (
        body({"promptFeedback": {"safetyRatings": []}, **chunk(text("Hal"), finish="STOP")}),
        good("Hal"),
        "",
    ),
    "answer withheld": (
        body(chunk(text("Hal")), chunk(finish="SAFETY")),
        HALF,
        "content_filtered: Fake withheld the answer (content filter): SAFETY",
    ),
    "answer withheld with a word": (
        body(chunk(text("Hal")), chunk(finish="RECITATION", message="it is a poem")),
        HALF,
        "content_filtered: Fake withheld the answer (content filter): it is a poem",
    ),
    "only thoughts": (
        body(chunk(thought("hm")), chunk(finish="MAX_TOKENS")),
        [Thinking()],
        "answer_cut: Fake ran into its length limit before it said anything",
    ),
    "nothing said": (body(chunk(text(""), finish="STOP")), [], NOTHING),
    "overloaded": (
        body(error(503, "The model is overloaded.")),
        [],
        "provider_unavailable: Fake is overloaded: The model is overloaded.",
    ),
    "error": (body(chunk(text("Hal")), error(500, "boom")), HALF, BOOM),
    "quota": (
        body(chunk(text("Hal")), error(429, "quota")),
        HALF,
        "rate_limited: Fake allows no more requests for now: quota",
    ),
    "error in a list": (listed(error(500, "boom")), [], BOOM),
    "whole error": (json.dumps(error(500, "boom")).encode(), [], BOOM),
    "cut": (body(chunk(text("Hal"))), HALF, CUT),
    "cut inside a character": (body(chunk(text("Hal")), chunk(text("食")))[:-100], HALF, CUT),
    "list cut": (listed(chunk(text("Hal")), chunk(text("lo")))[:-20], [], CUT),
    "lists in lists": (b"[" * 900 + b"]" * 900, [], ALIEN),
    "no JSON": (b"data: hello\n\n", [], NO_JSON),
    "number": (b"data: 7\n\n", [], ALIEN),
    "another format": (sse(delta("Hal")), [], ALIEN),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", STREAMS.values(), ids=STREAMS)
def test_the_answer_is_the_same_however_its_bytes_are_cut(case: Case) -> None:
    assert_same_however_cut(Gemini(), case)


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        *((reason, "") for reason in ("STOP", "FINISH_REASON_UNSPECIFIED", "MAX_TOKENS", "CONTINUATION")),
        *(
            (reason, "content_filtered")
            for reason in (
                "SAFETY",
                "RECITATION",
                "LANGUAGE",
                "BLOCKLIST",
                "PROHIBITED_CONTENT",
                "SPII",
                "IMAGE_SAFETY",
                "ESCALATION",
                "MODEL_ARMOR",
                "PUP_LIMITED_DISABLED",
                "YET_TO_BE_INVENTED",
            )
        ),
        *((reason, "provider_protocol") for reason in ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL")),
        *((reason, "provider_failed") for reason in ("OTHER", "MALFORMED_RESPONSE", "NO_IMAGE")),
    ],
)
def test_every_reason_to_finish_is_an_end_or_an_error_that_names_it(reason: str, code: str) -> None:
    events, said = outcome(Gemini(), body(chunk(text("Hal"), finish=reason)))
    assert events[0] == TextDelta("Hal")
    assert said.partition(":")[0] == code
    assert (len(events) == 2) == (code == "")
    assert code not in ("content_filtered", "provider_failed") or said.endswith(reason)


NO_BUDGET = "Budget 0 is invalid. This model only works in thinking mode."
NO_LEVEL = "Thinking level is not supported for this model."


@pytest.mark.parametrize(
    ("refusals", "config"),
    [
        ([], {"thinkingBudget": 0}),
        ([NO_BUDGET], {"thinkingLevel": "low"}),
        ([NO_BUDGET, NO_LEVEL], None),
        (["Thinking budget is not supported for this model.", NO_LEVEL], None),
        (["Thinking is not enabled for models/gemini-2.0-flash-lite"], {"thinkingLevel": "low"}),
        (["Unable to submit request because thinking is not supported by this model."], {"thinkingLevel": "low"}),
        (["The model does not support setting thinking_budget to 0"], {"thinkingLevel": "low"}),
    ],
)
async def test_a_short_answer_is_thought_about_as_little_as_the_model_can(
    refusals: list[str], config: dict[str, Any] | None
) -> None:
    async with asked(GEMINI) as (server, provider):
        server.enqueue(*(fault(GEMINI, 400, said) for said in refusals))
        server.on_chat = lambda request: answer(GEMINI, {"lemma": "gut"})
        if len(refusals) > 1:  # a question is two requests at most; what they taught counts for the next
            with pytest.raises(ProviderError):
                await provider.structured(ASK, Form)
        for _ in range(2):
            assert (await provider.structured(ASK, Form)).value == Form("gut")
        assert len(server.chats) == len(refusals) + 2
        for chat in server.chats[-2:]:
            asked_for = dict(chat.body["generationConfig"])
            assert asked_for.pop("thinkingConfig", None) == config
            assert asked_for == {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}


async def test_a_bad_key_comes_as_400_and_is_a_key_all_the_same() -> None:
    detail = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
    said = error(400, "API key not valid. Please pass a valid API key.", details=[detail])
    async with asked(GEMINI) as (server, provider):
        server.enqueue(json_reply(said, 400))
        with pytest.raises(ProviderError) as refused:
            await anext(provider.stream(ASK))
        assert refused.value.code == "key_refused"
        assert "FAKE_API_KEY" in refused.value.message


async def test_models_come_in_pages_and_lose_their_prefix() -> None:
    async with asked(GEMINI) as (server, provider):
        assert await provider.models() == dialects.MODELS
        paths = [request.path for request in server.requests]
        assert paths == ["/v1beta/models?pageSize=1000", "/v1beta/models?pageSize=1000&pageToken=2"]


def test_models_that_generate_no_content_are_left_out() -> None:
    rows = [
        {"name": "models/gemini-x", "supportedGenerationMethods": ["generateContent"]},
        {"name": "models/unknown"},
        {"name": "models/gemini-embedding-x", "supportedGenerationMethods": ["embedContent"]},
        {"name": "models/gemini-x-image", "supportedGenerationMethods": ["generateContent"]},
        {"name": "models/nano-banana-x", "supportedGenerationMethods": ["generateContent"]},
        {"name": 7},
        7,
    ]
    assert Gemini().models({"models": rows}).models == ("gemini-x", "unknown")
    assert Gemini().models({}).models == ()


@pytest.mark.parametrize("page", [7, [], {"models": 7}])
def test_a_list_of_models_that_is_none_is_refused(page: Any) -> None:
    with pytest.raises(ValueError, match="no list"):
        Gemini().models(page)


@pytest.mark.parametrize("model", ["gemini-x", "models/gemini-x"])
def test_a_model_may_be_named_with_its_prefix(model: str) -> None:
    assert Gemini().chat(ChatRequest(model, "", "x"), streamed=False).path == "/v1beta/models/gemini-x:generateContent"


def test_a_model_cannot_change_the_address() -> None:
    path = Gemini().chat(ChatRequest("../x?key=1#:y/é", "", "x"), streamed=True).path
    assert path == "/v1beta/models/..%2Fx%3Fkey%3D1%23%3Ay%2F%C3%A9:streamGenerateContent?alt=sse"
