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
from tests.llm.wires import decoding
from tests.llm.wires.decoding import ALIEN, BOOM, CUT, NO_JSON, NOTHING, ONLY_THOUGHTS, Case, after_thought, bad, ok
from tui.errors import ProviderError
from tui.llm.protocol import ChatRequest, StreamEnd, TextDelta
from tui.llm.wires.gemini import Gemini


def body(*chunks: Any) -> bytes:
    return sse(*chunks, done=False)


def listed(*chunks: Any) -> bytes:
    """As the stream comes without ``alt=sse``: one list."""
    return ("[" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in chunks) + "]").encode()


HAL, LO = chunk(text("Hal")), chunk(text("lo"), finish="STOP")
WITHHELD = "content_filtered: Fake withheld the answer (content filter)"

STREAMS: dict[str, Case] = {
    **decoding.usual(GEMINI),
    "a reason with every piece": ok(body(chunk(text("Hal"), finish="STOP"), LO), "Hallo"),
    "the reason without content": ok(
        body(chunk(text("Hallo")), {"candidates": [{"finishReason": "STOP", "index": 0}]}), "Hallo"
    ),
    "several parts": after_thought(
        ok(body(chunk(thought("hm"), text("Hal"), {"text": "lo", "thoughtSignature": "c2ln"}, finish="STOP")), "Hallo")
    ),
    "what is not text": ok(
        body(
            chunk({"functionCall": {"name": "f", "args": {"text": "no"}}}, {"inlineData": {"data": "c2ln"}}),
            chunk({"text": None}, {"text": 7}, {"thoughtSignature": "text"}),
            {"candidates": []},
            {"candidates": [{"content": {}}, {"content": {"parts": [text("second")]}}]},
            chunk(text("Hallo"), finish="STOP"),
        ),
        "Hallo",
    ),
    "thoughts are paid for": after_thought(
        ok(
            body(
                chunk(thought("hm"), usage={"promptTokenCount": 7, "thoughtsTokenCount": 40}),
                chunk(text("Hallo"), finish="STOP", usage=counts(7, 45, thoughts=40)),
            ),
            "Hallo",
            tokens=(7, 45),
        )
    ),
    "without alt=sse": ok(listed(HAL, LO), "Hallo"),
    # What goes wrong.
    "question blocked": bad(
        body({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 7}}),
        f"{WITHHELD}: the question was blocked, SAFETY",
    ),
    "question not blocked": ok(body({"promptFeedback": {"safetyRatings": []}, **LO}), "lo"),
    "answer withheld": bad(body(HAL, chunk(finish="SAFETY")), f"{WITHHELD}: SAFETY", "Hal"),
    "answer withheld with a word": bad(
        body(HAL, chunk(finish="RECITATION", message="it is a poem")), f"{WITHHELD}: it is a poem", "Hal"
    ),
    "only thoughts": after_thought(bad(body(chunk(thought("hm")), chunk(finish="MAX_TOKENS")), ONLY_THOUGHTS)),
    "nothing said": bad(body(chunk(text(""), finish="STOP")), NOTHING),
    "overloaded": bad(body(error(503, "Too many.")), "provider_unavailable: Fake is overloaded: Too many."),
    "error": bad(body(HAL, error(500, "boom")), BOOM, "Hal"),
    "quota": bad(body(HAL, error(429, "quota")), "rate_limited: Fake allows no more requests for now: quota", "Hal"),
    "error in a list": bad(listed(error(500, "boom")), BOOM),
    "whole error": bad(json.dumps(error(500, "boom")).encode(), BOOM),
    "cut": bad(body(HAL), CUT, "Hal"),
    "cut inside a character": bad(body(HAL, chunk(text("食")))[:-100], CUT, "Hal"),
    "list cut": bad(listed(HAL, chunk(text("lo")))[:-20], CUT),
    "lists in lists": bad(b"[" * 900 + b"]" * 900, ALIEN),
    "no JSON": bad(b"data: hello\n\n", NO_JSON),
    "number": bad(b"data: 7\n\n", ALIEN),
    "another format": bad(sse(delta("Hal")), ALIEN),
}


def test_the_answer_is_the_same_however_its_bytes_are_cut() -> None:
    decoding.assert_same_however_cut(Gemini(), STREAMS)


REASONS = {
    "": ("STOP", "FINISH_REASON_UNSPECIFIED", "MAX_TOKENS", "CONTINUATION"),
    "content_filtered": ("SAFETY", "RECITATION", "PROHIBITED_CONTENT", "MODEL_ARMOR", "YET_TO_BE_INVENTED"),
    "provider_protocol": ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"),
    "provider_failed": ("OTHER", "MALFORMED_RESPONSE", "NO_IMAGE"),
}


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_to_finish_is_an_end_or_an_error_that_names_it(code: str) -> None:
    for reason in REASONS[code]:
        events, said = decoding.outcome(Gemini(), body(chunk(text("Hal"), finish=reason)))
        assert (events[0], len(events), said.partition(":")[0]) == (TextDelta("Hal"), 1 + (not code), code), reason
        assert code not in ("content_filtered", "provider_failed") or said.endswith(reason)
        is_cut = reason in ("MAX_TOKENS", "CONTINUATION")
        assert code or events[-1] == StreamEnd("length" if is_cut else "stop"), reason


NO_BUDGET = "Budget 0 is invalid. This model only works in thinking mode."
NO_LEVEL = "Thinking level is not supported for this model."


LOW = {"thinkingLevel": "low"}
LITTLE: dict[tuple[str, ...], dict[str, Any] | None] = {
    (): {"thinkingBudget": 0},
    (NO_BUDGET,): LOW,
    (NO_BUDGET, NO_LEVEL): None,
    ("Thinking budget is not supported for this model.", NO_LEVEL): None,
    ("Thinking is not enabled for models/gemini-2.0-flash-lite",): LOW,
    ("Unable to submit request because thinking is not supported by this model.",): LOW,
    ("The model does not support setting thinking_budget to 0",): LOW,
}


@pytest.mark.parametrize("refusals", LITTLE)
async def test_a_short_answer_is_thought_about_as_little_as_the_model_can(refusals: tuple[str, ...]) -> None:
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
            assert asked_for.pop("thinkingConfig", None) == LITTLE[refusals]
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
        *({"name": 7}, 7),
    ]
    assert Gemini().models({"models": rows}).models == ("gemini-x", "unknown")
    assert Gemini().models({}).models == ()


def test_a_model_may_be_named_with_its_prefix_and_cannot_change_the_address() -> None:
    hostile = "..%2Fx%3Fkey%3D1%23%3Ay%2F%C3%A9"
    for model, shown in (("gemini-x", "gemini-x"), ("models/gemini-x", "gemini-x"), ("../x?key=1#:y/é", hostile)):
        call = Gemini().chat(ChatRequest(model, "", "x"), streamed=False)
        assert call.path == f"/v1beta/models/{shown}:generateContent"
