"""The bytes of chat answers, good and bad, cut at many places: what OpenAI's format and its dialects hold."""

from __future__ import annotations

import json

import pytest

from tests.llm.asking import KEY, peer
from tests.llm.fakes.fake_server import delta, sse, usage
from tests.llm.wires import decoding
from tests.llm.wires.decoding import ALIEN, BOOM, CUT, NO_JSON, NOTHING, Case, after_thought, bad, ok
from tui.errors import ProviderError
from tui.llm.http.decoder import AnswerDecoder
from tui.llm.wires.openai_chat import OpenAiChat

STOP = delta(finish="stop")
BROKE = "provider_failed: Fake broke off with an error"
WHOLE = {"choices": [{"message": {"content": "ä"}, "finish_reason": "stop"}], "usage": usage(1, 1)["usage"]}
PARTS = [{"type": "text", "text": "a"}, "b"], [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
INLINE = ("\n<th", "ink>", "so, <b> </thi", "nk> ", "\n\n", "Hal", "lo <think>")
HALF = b'data: {"choices":[{"delta":{"content":"x\\ud83d"}}]}\n\n'
OTHER_HALF = b'data: {"choices":[{"delta":{"content":"\\ude00y"}}]}\n\n'

STREAMS: dict[str, Case] = {
    "plain": ok(sse(delta("", role="assistant"), delta("Hal"), delta("lo"), STOP, usage(3, 2)), "Hallo", tokens=(3, 2)),
    "without [DONE]": ok(sse(delta("Hallo"), STOP, done=False), "Hallo"),
    "without finish_reason but [DONE]": ok(sse(delta("Hallo")), "Hallo"),
    "finish with the last text": ok(sse(delta("Hallo", "stop")), "Hallo"),
    "usage with choices": ok(sse({**delta("a", "stop"), "usage": usage(1, 2)["usage"]}), "a", tokens=(1, 2)),
    "usage null": ok(sse({**delta("a"), "usage": None}, STOP), "a"),
    "groq's usage": ok(
        sse(delta("a", "stop"), {"choices": [], "x_groq": {"usage": usage(4, 5)["usage"]}}), "a", tokens=(4, 5)
    ),
    "content null and absent": ok(
        sse(delta(None), {"choices": [{"delta": {"content": None}}]}, {"choices": [{}]}, delta("a"), STOP), "a"
    ),
    "list of parts": after_thought(ok(sse(delta(PARTS[1]), delta(PARTS[0]), STOP), "ab")),
    "reasoning_content": after_thought(ok(sse(*[delta(reasoning_content="hm")] * 2, delta("a"), STOP), "a")),
    "reasoning": after_thought(ok(sse(delta("", reasoning="hm"), delta("a"), STOP), "a")),
    "inline thinking": after_thought(ok(sse(*map(delta, INLINE), STOP), "Hallo <think>")),
    "almost a tag": ok(sse(delta("<th"), delta("ree>"), STOP), "<three>"),
    "a tag cut at the end": ok(sse(delta("<thin"), STOP), "<thin"),
    "length": ok(sse(delta("Hal"), delta(finish="length")), "Hal", "length"),
    "keep-alives": ok(b": ping\n\n" + sse(delta("a"), done=False) + b":\n\n" + sse(STOP), "a"),
    "CRLF": ok(sse(delta("食べ"), delta("る"), STOP, line_end="\r\n"), "食べる"),
    "CR": ok(sse(delta("a"), STOP, line_end="\r"), "a"),
    "line separators in JSON": ok(sse(delta("a\u2028b\u0085c"), STOP), "a\u2028b\u0085c"),
    "BOM": ok(b"\xef\xbb\xbf" + sse(delta("a"), STOP), "a"),
    "surrogates in two pieces": ok(HALF + OTHER_HALF + sse(STOP), "x😀y"),
    "half a surrogate": ok(HALF + sse(STOP), "x\ufffd"),
    "after [DONE]": ok(sse(delta("a"), STOP) + sse(delta("b")), "a"),
    "message instead of delta": ok(sse({"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}), "a"),
    "whole answer": ok(json.dumps(WHOLE).encode(), "ä", tokens=(1, 1)),
    "whole answer, no finish_reason": ok(b'\xef\xbb\xbf \n{"choices":[{"message":{"content":"a"}}]}', "a"),
    "white space before a BOM": ok(b" \n \n\xef\xbb\xbf" + b'{"choices":[{"message":{"content":"a"}}]}', "a"),
    "white space before a stream": ok(b" \r\n  " + sse(delta("a"), STOP), "a"),
    # What goes wrong.
    "cut": bad(sse(delta("Hal"), done=False), CUT, "Hal"),
    "cut inside an event": bad(sse(delta("Hal"), delta("lo"), done=False)[:-30], CUT, "Hal"),
    "cut inside a character": bad(sse(delta("Hal"), delta("食べ"), done=False)[:-60], CUT, "Hal"),
    "whole answer cut": bad(b'{"choices":[{"message":{"content":"Hal', CUT),
    "nothing": bad(b"", CUT),
    "only thinking": after_thought(bad(sse(delta("<think>hm"), STOP), NOTHING)),
    "empty": bad(sse(STOP), NOTHING),
    "blank": bad(sse(delta(" \n"), STOP), NOTHING, " \n"),
    "length before any text": after_thought(
        bad(sse(delta(reasoning="hm"), delta(finish="length")), decoding.ONLY_THOUGHTS)
    ),
    "error object": bad(
        sse(delta("Hal"), {"error": {"message": "out of memory", "code": 500}}), f"{BROKE}: out of memory", "Hal"
    ),
    "error text": bad(sse(delta("Hal"), {"error": "boom"}), BOOM, "Hal"),
    "error with choices": bad(sse({**delta("no"), "error": {"message": "boom"}}), BOOM),
    "error event": bad(b'event: error\ndata: {"message": "boom"}\n\n', BOOM),
    "error event that is no JSON": bad(b"event: error\ndata: boom\n\n", BOOM),
    "vLLM's error": bad(sse({"object": "error", "message": "boom", "code": 400}), BOOM),
    "whole error": bad(b'{"error":{"message":"boom"}}', BOOM),
    "whole detail": bad(b'{"detail":"Not Found"}', f"{BROKE}: Not Found"),
    "content filter": bad(
        sse(delta("Hal"), delta(finish="content_filter")),
        "content_filtered: Fake withheld the answer (content filter)",
        "Hal",
    ),
    "finish abort": bad(sse(delta("Hal"), delta(finish="insufficient_system_resource")), BROKE, "Hal"),
    "finish error": bad(sse(delta("Hal"), delta(finish="error")), BROKE, "Hal"),
    "rate limit in the stream": bad(
        sse({"error": {"message": "slow down", "type": "rate_limit_exceeded", "code": None}}),
        "rate_limited: Fake allows no more requests for now: slow down",
    ),
    "credit in the stream": bad(
        sse({"error": {"message": "top up", "code": 402}}), "no_credit: Fake wants to be paid: top up"
    ),
    "overload in the stream": bad(
        sse(delta("Hal"), {"error": {"message": "later", "type": "service_unavailable"}}),
        "provider_unavailable: Fake is overloaded: later",
        "Hal",
    ),
    "tool call": bad(
        sse(delta(finish="tool_calls")), "provider_protocol: Fake wanted to call a tool instead of answering"
    ),
    "refusal": bad(
        sse(delta(None, refusal="I can"), delta(None, refusal="not."), STOP),
        "refused: Fake refuses to answer: I cannot.",
    ),
    "refusal after text": ok(sse(delta("Hal"), delta(None, refusal="No."), STOP), "Hal"),
    "refusal null": ok(sse(delta("Hal", refusal=None), STOP), "Hal"),
    "page": bad(b"<!doctype html><title>Login</title>", "provider_protocol: Fake answers with a web page: Login"),
    "no JSON": bad(b"data: hello\n\n", NO_JSON),
    "plain text": bad(b"Oops, sorry", "provider_protocol: Fake sends no chat answer but: Oops, sorry"),
    "number": bad(b"data: 7\n\n", ALIEN),
    "deep nesting": bad(b"data: " + b"[" * 200_000 + b"]" * 200_000 + b"\n\n", NO_JSON),
    "NDJSON of another API": bad(b'{"message":{"content":"a"}}\n{"done":true}\n', NO_JSON),
    "its key": bad(sse({"error": f"bad key {KEY}, {KEY[:12]}… and sk-a***z"}), f"{BROKE}: bad key …, … and …"),
    "controls": bad(sse({"error": "\x1b]0;x\x07red \x1b[31malarm\u202e"}), f"{BROKE}: red alarm"),
}


def test_the_answer_is_the_same_however_its_bytes_are_cut() -> None:
    decoding.assert_same_however_cut(OpenAiChat(), STREAMS)


def test_an_answer_without_end_is_refused() -> None:
    decoder = AnswerDecoder(OpenAiChat(), peer())
    with pytest.raises(ProviderError):
        for _ in range(100):
            list(decoder.batches(b'{"choices": ' + b" " * 1_000_000))
