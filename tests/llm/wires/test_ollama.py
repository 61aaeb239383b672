"""Ollama's own protocol: what its lines mean, what is asked, and where."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llm.asking import ASK, SCHEMA, Form, asked
from tests.llm.fakes import dialects
from tests.llm.fakes.dialects import answer, fault
from tests.llm.fakes.fake_ollama import OLLAMA, last, line, lines
from tests.llm.fakes.fake_server import delta, sse
from tests.llm.wires.decoding import ALIEN, BOOM, CUT, NO_JSON, NOTHING, Case, assert_same_however_cut, good, usual
from tui.llm.protocol import ChatRequest, StreamEvent, TextDelta, Thinking
from tui.llm.wires.ollama import Ollama, base_url

HALF: list[StreamEvent] = [TextDelta("Hal")]

STREAMS: dict[str, Case] = {
    **usual(OLLAMA),
    "text in the last line": (lines(line("Hal"), last(content="lo")), good("Hallo", tokens=(7, 5)), ""),
    "last line without its end": (lines(line("Hallo"), last()).rstrip(), good("Hallo", tokens=(7, 5)), ""),
    "CRLF and blank lines": (
        lines(line("Hal"), line("lo"), last()).replace(b"\n", b"\r\n\r\n"),
        good("Hallo", tokens=(7, 5)),
        "",
    ),
    "BOM": (b"\xef\xbb\xbf" + lines(line("Hallo"), last()), good("Hallo", tokens=(7, 5)), ""),
    "line separators in JSON": (lines(line("a\u2028b\u0085c"), last()), good("a\u2028b\u0085c", tokens=(7, 5)), ""),
    "length": (lines(line("Hal"), last("length")), good("Hal", "length", (7, 5)), ""),
    "no reason": (lines(line("Hal"), line(done=True)), good("Hal"), ""),
    "a cached question is not counted": (
        lines(line("Hal"), line(done=True, done_reason="stop", eval_count=3)),
        good("Hal", tokens=(None, 3)),
        "",
    ),
    "after the last line": (lines(line("Hal"), last(), line("lo")), good("Hal", tokens=(7, 5)), ""),
    "inline thoughts": (
        lines(line("<th"), line("ink>hm</thi"), line("nk>\n\nHal"), last()),
        [Thinking(), *good("Hal", tokens=(7, 5))],
        "",
    ),
    "what is not text": (
        lines(
            {"status": "loading", "done": False},
            {"message": {"role": "assistant", "tool_calls": [{"function": {"name": "text"}}]}, "done": False},
            {"message": {"content": None, "images": ["c2ln"]}},
            line("Hal"),
            last(),
        ),
        good("Hal", tokens=(7, 5)),
        "",
    ),
    # What goes wrong.
    "error after text": (lines(line("Hal"), {"error": "boom"}), HALF, BOOM),
    "error": (lines({"error": "boom"}), [], BOOM),
    "only loaded": (lines(line(done=True, done_reason="load")), [], NOTHING),
    "only unloaded": (lines(line(done=True, done_reason="unload")), [], NOTHING),
    "only thoughts": (
        lines(line(thinking="hm"), last("length")),
        [Thinking()],
        "answer_cut: Fake ran into its length limit before it said anything",
    ),
    "cut": (lines(line("Hal")), HALF, CUT),
    "cut inside a line": (lines(line("Hal"), line("lo"))[:-9], HALF, CUT),
    "cut inside a character": (lines(line("Hal"), line("食"))[:-17], HALF, CUT),
    "page": (b"<!doctype html><title>nginx</title>", [], "provider_protocol: Fake answers with a web page: nginx"),
    "plain text": (b"404 page not found", [], "provider_protocol: Fake sends no chat answer but: 404 page not found"),
    "number": (b"7\n", [], ALIEN),
    "another object": (b'{"object": "list"}\n', [], ALIEN),
    "another format": (sse(delta("Hal")), [], NO_JSON),
}


@pytest.mark.parametrize("case", STREAMS.values(), ids=STREAMS)
def test_the_answer_is_the_same_however_its_bytes_are_cut(case: Case) -> None:
    assert_same_however_cut(Ollama(), case)


async def test_a_server_that_cannot_turn_thinking_off_is_not_asked_to_again() -> None:
    async with asked(OLLAMA) as (server, provider):
        server.enqueue(fault(OLLAMA, 400, '"llama3.1:8b" does not support thinking'))
        server.on_chat = lambda request: answer(OLLAMA, {"lemma": "gut"})
        for _ in range(2):
            assert (await provider.structured(ASK, Form)).value == Form("gut")
        assert [chat.body.get("think") for chat in server.chats] == [False, None, None]
        assert [chat.body["format"] for chat in server.chats] == [SCHEMA] * 3


def test_a_long_prompt_gets_a_context_that_holds_it() -> None:
    def context(length: int) -> int:
        body = Ollama().chat(ChatRequest("m", "", "x" * length), streamed=True).body or {}
        return int(body["options"]["num_ctx"])

    assert context(10) == 8192
    assert context(60_000) == 30_000 + 4096


def test_models_that_only_embed_are_left_out() -> None:
    rows = [
        {"name": "qwen3:8b", "model": "qwen3:8b", "capabilities": ["completion", "thinking"]},
        {"name": "granite:30m", "model": "granite:30m", "capabilities": ["embedding"]},
        {"name": "old:1b"},
        {"name": "all-minilm:latest"},
        {"name": 7},
        7,
    ]
    assert Ollama().models({"models": rows}).models == ("qwen3:8b", "old:1b")


@pytest.mark.parametrize("page", [7, {}, {"models": None}])
def test_a_list_of_models_that_is_none_is_refused(page: Any) -> None:
    with pytest.raises(ValueError, match="no list"):
        Ollama().models(page)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("box", "http://box:11434"),
        ("box:5", "http://box:5"),
        (":5", "http://127.0.0.1:5"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:5", "http://127.0.0.1:5"),
        ("::", "http://[::1]:11434"),
        ("[::]:5", "http://[::1]:5"),
        ("::1", "http://[::1]:11434"),
        ("[fe80::1]:5", "http://[fe80::1]:5"),
        ("http://box", "http://box:80"),
        ("https://box", "https://box:443"),
        ("https://box:5/ollama/", "https://box:5/ollama"),
        ("box/ollama", "http://box:11434/ollama"),
        (' "box" ', "http://box:11434"),
    ],
)
def test_the_address_follows_ollamas_own_rules(host: str, url: str) -> None:
    assert base_url(host) == url


async def test_the_address_may_end_in_what_people_write() -> None:
    for path in ("/api", "/v1", "/api/chat"):
        async with asked(OLLAMA, path=path) as (server, provider):
            assert await provider.models() == dialects.MODELS
            assert server.requests[0].path == "/api/tags"
