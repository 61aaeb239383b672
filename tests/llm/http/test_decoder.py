"""The bytes of chat answers, good and bad, cut at every place: what OpenAI's format and its dialects hold."""

from __future__ import annotations

import json

import pytest

from tests.llm.asking import KEY, peer
from tests.llm.fakes.fake_server import delta, sse, usage
from tests.llm.wires.decoding import ALIEN, BOOM, CUT, NO_JSON, NOTHING, Case, assert_same_however_cut, good
from tui.errors import ProviderError
from tui.llm.http.decoder import AnswerDecoder
from tui.llm.protocol import TextDelta, Thinking
from tui.llm.wires.openai_chat import OpenAiChat

STOP = delta(finish="stop")

STREAMS: dict[str, Case] = {
    "plain": (
        sse(delta("", role="assistant"), delta("Hal"), delta("lo"), STOP, usage(3, 2)),
        good("Hallo", tokens=(3, 2)),
        "",
    ),
    "without [DONE]": (sse(delta("Hallo"), STOP, done=False), good("Hallo"), ""),
    "without finish_reason but [DONE]": (sse(delta("Hallo")), good("Hallo"), ""),
    "finish with the last text": (sse(delta("Hallo", "stop")), good("Hallo"), ""),
    "usage with choices": (
        sse({**delta("a", "stop"), "usage": {"prompt_tokens": 1, "completion_tokens": 2}}),
        good("a", tokens=(1, 2)),
        "",
    ),
    "usage null": (sse({**delta("a"), "usage": None}, STOP), good("a"), ""),
    "groq's usage": (
        sse(delta("a", "stop"), {"choices": [], "x_groq": {"usage": {"prompt_tokens": 4, "completion_tokens": 5}}}),
        good("a", tokens=(4, 5)),
        "",
    ),
    "content null and absent": (
        sse(delta(None), {"choices": [{"delta": {"content": None}}]}, {"choices": [{}]}, delta("a"), STOP),
        good("a"),
        "",
    ),
    "list of parts": (
        sse(
            delta([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]),
            delta([{"type": "text", "text": "a"}, "b"]),
            STOP,
        ),
        [Thinking(), *good("ab")],
        "",
    ),
    "reasoning_content": (
        sse(delta(reasoning_content="hm"), delta(reasoning_content="hm"), delta("a"), STOP),
        [Thinking(), *good("a")],
        "",
    ),
    "reasoning": (sse(delta("", reasoning="hm"), delta("a"), STOP), [Thinking(), *good("a")], ""),
    "inline thinking": (
        sse(*(delta(piece) for piece in ("\n<th", "ink>", "so, <b> </thi", "nk> ", "\n\n", "Hal", "lo <think>")), STOP),
        [Thinking(), *good("Hallo <think>")],
        "",
    ),
    "almost a tag": (sse(delta("<th"), delta("ree>"), STOP), good("<three>"), ""),
    "a tag cut at the end": (sse(delta("<thin"), STOP), good("<thin"), ""),
    "length": (sse(delta("Hal"), delta(finish="length")), good("Hal", "length"), ""),
    "keep-alives": (b": ping\n\n" + sse(delta("a")).replace(b"data: [DONE]\n\n", b":\n\n") + sse(STOP), good("a"), ""),
    "CRLF": (sse(delta("食べ"), delta("る"), STOP, line_end="\r\n"), good("食べる"), ""),
    "CR": (sse(delta("a"), STOP, line_end="\r"), good("a"), ""),
    "line separators in JSON": (sse(delta("a\u2028b\u0085c"), STOP), good("a\u2028b\u0085c"), ""),
    "BOM": (b"\xef\xbb\xbf" + sse(delta("a"), STOP), good("a"), ""),
    "surrogates in two pieces": (
        b'data: {"choices":[{"delta":{"content":"x\\ud83d"}}]}\n\n'
        b'data: {"choices":[{"delta":{"content":"\\ude00y"}}]}\n\n' + sse(STOP),
        good("x😀y"),
        "",
    ),
    "half a surrogate": (b'data: {"choices":[{"delta":{"content":"x\\ud83d"}}]}\n\n' + sse(STOP), good("x\ufffd"), ""),
    "after [DONE]": (sse(delta("a"), STOP) + sse(delta("b")), good("a"), ""),
    "no space after data": (sse(delta("a"), STOP).replace(b"data: ", b"data:"), good("a"), ""),
    "no blank line at the end": (sse(delta("a"), STOP, done=False).rstrip(b"\n"), good("a"), ""),
    "message instead of delta": (
        sse({"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}),
        good("a"),
        "",
    ),
    "whole answer": (
        json.dumps(
            {
                "choices": [{"message": {"content": "ä"}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1},
            }
        ).encode(),
        good("ä", tokens=(1, 1)),
        "",
    ),
    "whole answer without finish_reason": (b'\xef\xbb\xbf \n{"choices":[{"message":{"content":"a"}}]}', good("a"), ""),
    # What goes wrong.
    "cut": (sse(delta("Hal"), done=False), [TextDelta("Hal")], CUT),
    "cut inside an event": (sse(delta("Hal"), delta("lo"), done=False)[:-30], [TextDelta("Hal")], CUT),
    "cut inside a character": (sse(delta("Hal"), delta("食べ"), done=False)[:-60], [TextDelta("Hal")], CUT),
    "nothing": (b"", [], CUT),
    "only thinking": (sse(delta("<think>hm"), STOP), [Thinking()], NOTHING),
    "empty": (sse(STOP), [], NOTHING),
    "blank": (sse(delta(" \n"), STOP), [TextDelta(" \n")], NOTHING),
    "length before any text": (
        sse(delta(reasoning="hm"), delta(finish="length")),
        [Thinking()],
        "answer_cut: Fake ran into its length limit before it said anything",
    ),
    "error object": (
        sse(delta("Hal"), {"error": {"message": "out of memory", "code": 500}}),
        [TextDelta("Hal")],
        "provider_failed: Fake broke off with an error: out of memory",
    ),
    "error text": (sse(delta("Hal"), {"error": "boom"}), [TextDelta("Hal")], BOOM),
    "error with choices": (sse({**delta("no"), "error": {"message": "boom"}}), [], BOOM),
    "error event": (b'event: error\ndata: {"message": "boom"}\n\n', [], BOOM),
    "error event that is no JSON": (b"event: error\ndata: boom\n\n", [], BOOM),
    "vLLM's error": (sse({"object": "error", "message": "boom", "code": 400}), [], BOOM),
    "content filter": (
        sse(delta("Hal"), delta(finish="content_filter")),
        [TextDelta("Hal")],
        "content_filtered: Fake withheld the answer (content filter)",
    ),
    "finish abort": (
        sse(delta("Hal"), delta(finish="insufficient_system_resource")),
        [TextDelta("Hal")],
        "provider_failed: Fake broke off with an error",
    ),
    "rate limit in the stream": (
        sse({"error": {"message": "slow down", "type": "rate_limit_exceeded", "code": None}}),
        [],
        "rate_limited: Fake allows no more requests for now: slow down",
    ),
    "credit in the stream": (
        sse({"error": {"message": "top up", "code": 402}}),
        [],
        "no_credit: Fake wants to be paid: top up",
    ),
    "overload in the stream": (
        sse(delta("Hal"), {"error": {"message": "later", "type": "service_unavailable"}}),
        [TextDelta("Hal")],
        "provider_unavailable: Fake is overloaded: later",
    ),
    "refusal after text": (sse(delta("Hal"), delta(None, refusal="No."), STOP), good("Hal"), ""),
    "refusal null": (sse(delta("Hal", refusal=None), STOP), good("Hal"), ""),
    "whole answer cut": (b'{"choices":[{"message":{"content":"Hal', [], CUT),
    "white space and BOM before a whole answer": (
        b" \n \n\xef\xbb\xbf" + b'{"choices":[{"message":{"content":"a"}}]}',
        good("a"),
        "",
    ),
    "white space before a stream": (b" \r\n  " + sse(delta("a"), STOP), good("a"), ""),
    "finish error": (
        sse(delta("Hal"), delta(finish="error")),
        [TextDelta("Hal")],
        "provider_failed: Fake broke off with an error",
    ),
    "tool call": (
        sse(delta(finish="tool_calls")),
        [],
        "provider_protocol: Fake wanted to call a tool instead of answering",
    ),
    "refusal": (
        sse(delta(None, refusal="I can"), delta(None, refusal="not."), STOP),
        [],
        "refused: Fake refuses to answer: I cannot.",
    ),
    "page": (b"<!doctype html><title>Login</title>", [], "provider_protocol: Fake answers with a web page: Login"),
    "no JSON": (b"data: hello\n\n", [], NO_JSON),
    "plain text": (
        b"Internal error, sorry",
        [],
        "provider_protocol: Fake sends no chat answer but: Internal error, sorry",
    ),
    "number": (b"data: 7\n\n", [], ALIEN),
    "deep nesting": (b"data: " + b"[" * 200_000 + b"]" * 200_000 + b"\n\n", [], NO_JSON),
    "whole error": (b'{"error":{"message":"boom"}}', [], BOOM),
    "whole detail": (b'{"detail":"Not Found"}', [], "provider_failed: Fake broke off with an error: Not Found"),
    "NDJSON of another API": (b'{"message":{"content":"a"}}\n{"done":true}\n', [], NO_JSON),
    "its key": (
        sse({"error": f"bad key {KEY}, {KEY[:12]}… and sk-a***z"}),
        [],
        "provider_failed: Fake broke off with an error: bad key …, … and …",
    ),
    "controls": (
        sse({"error": "\x1b]0;x\x07red \x1b[31malarm\u202e"}),
        [],
        "provider_failed: Fake broke off with an error: red alarm",
    ),
}


@pytest.mark.parametrize("case", STREAMS.values(), ids=STREAMS)
def test_the_answer_is_the_same_however_its_bytes_are_cut(case: Case) -> None:
    assert_same_however_cut(OpenAiChat(), case)


def test_an_answer_without_end_is_refused() -> None:
    decoder = AnswerDecoder(OpenAiChat(), peer())
    with pytest.raises(ProviderError):
        for _ in range(100):
            list(decoder.batches(b'{"choices": ' + b" " * 1_000_000))
