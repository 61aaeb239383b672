"""Ollama's own protocol: what its lines mean, what is asked, and where."""

from __future__ import annotations

from tests.llm.asking import ASK, SCHEMA, Form, asked
from tests.llm.fakes import dialects
from tests.llm.fakes.dialects import answer, fault
from tests.llm.fakes.fake_ollama import OLLAMA, last, line, lines
from tests.llm.fakes.fake_server import delta, sse
from tests.llm.wires import decoding
from tests.llm.wires.decoding import ALIEN, BOOM, CUT, NO_JSON, NOTHING, Case, after_thought, bad, ok
from tui.llm.protocol import ChatRequest, Turn
from tui.llm.wires.ollama import Ollama, base_url

STREAMS: dict[str, Case] = {
    **decoding.usual(OLLAMA),
    "text in the last line": ok(lines(line("Hal"), last(content="lo")), "Hallo", tokens=(7, 5)),
    "last line without its end": ok(lines(line("Hallo"), last()).rstrip(), "Hallo", tokens=(7, 5)),
    "CRLF and blank lines": ok(
        lines(line("Hal"), line("lo"), last()).replace(b"\n", b"\r\n\r\n"), "Hallo", tokens=(7, 5)
    ),
    "BOM": ok(b"\xef\xbb\xbf" + lines(line("Hallo"), last()), "Hallo", tokens=(7, 5)),
    "line separators in JSON": ok(lines(line("a\u2028b\u0085c"), last()), "a\u2028b\u0085c", tokens=(7, 5)),
    "length": ok(lines(line("Hal"), last("length")), "Hal", "length", (7, 5)),
    "no reason": ok(lines(line("Hal"), line(done=True)), "Hal"),
    "a cached question is not counted": ok(
        lines(line("Hal"), line(done=True, done_reason="stop", eval_count=3)), "Hal", tokens=(None, 3)
    ),
    "after the last line": ok(lines(line("Hal"), last(), line("lo")), "Hal", tokens=(7, 5)),
    "inline thoughts": after_thought(
        ok(lines(line("<th"), line("ink>hm</thi"), line("nk>\n\nHal"), last()), "Hal", tokens=(7, 5))
    ),
    "what is not text": ok(
        lines(
            {"status": "loading", "done": False},
            {"message": {"role": "assistant", "tool_calls": [{"function": {"name": "text"}}]}, "done": False},
            {"message": {"content": None, "images": ["c2ln"]}},
            line("Hal"),
            last(),
        ),
        "Hal",
        tokens=(7, 5),
    ),
    # What goes wrong.
    "error after text": bad(lines(line("Hal"), {"error": "boom"}), BOOM, "Hal"),
    "error": bad(lines({"error": "boom"}), BOOM),
    "only loaded": bad(lines(line(done=True, done_reason="load")), NOTHING),
    "only unloaded": bad(lines(line(done=True, done_reason="unload")), NOTHING),
    "only thoughts": after_thought(bad(lines(line(thinking="hm"), last("length")), decoding.ONLY_THOUGHTS)),
    "cut": bad(lines(line("Hal")), CUT, "Hal"),
    "cut inside a line": bad(lines(line("Hal"), line("lo"))[:-9], CUT, "Hal"),
    "cut inside a character": bad(lines(line("Hal"), line("食"))[:-17], CUT, "Hal"),
    "page": bad(b"<!doctype html><title>nginx</title>", "provider_protocol: Fake answers with a web page: nginx"),
    "number": bad(b"7\n", ALIEN),
    "another object": bad(b'{"object": "list"}\n', ALIEN),
    "another format": bad(sse(delta("Hal")), NO_JSON),
}


def test_the_answer_is_the_same_however_its_bytes_are_cut() -> None:
    decoding.assert_same_however_cut(Ollama(), STREAMS)


async def test_a_server_that_cannot_turn_thinking_off_is_not_asked_to_again() -> None:
    async with asked(OLLAMA) as (server, provider):
        server.enqueue(fault(OLLAMA, 400, '"llama3.1:8b" does not support thinking'))
        server.on_chat = lambda request: answer(OLLAMA, {"lemma": "gut"})
        for _ in range(2):
            assert (await provider.structured(ASK, Form)).value == Form("gut")
        assert [chat.body.get("think") for chat in server.chats] == [False, None, None]
        assert [chat.body["format"] for chat in server.chats] == [SCHEMA] * 3


def test_a_long_prompt_and_its_conversation_get_a_context_that_holds_them() -> None:
    def context(request: ChatRequest) -> int:
        return int((Ollama().chat(request, streamed=True).body or {})["options"]["num_ctx"])

    assert context(ChatRequest("m", "", "x" * 10)) == 8192
    assert context(ChatRequest("m", "", "x" * 60_000)) == 30_000 + 4096
    assert context(ChatRequest("m", "", "x", turns=(Turn("y", "z" * 60_000),))) > 60_000 // 4


def test_models_that_only_embed_are_left_out() -> None:
    rows = [
        {"name": "qwen3:8b", "model": "qwen3:8b", "capabilities": ["completion", "thinking"]},
        {"name": "granite:30m", "model": "granite:30m", "capabilities": ["embedding"]},
        *({"name": "old:1b"}, {"name": "all-minilm:latest"}, {"name": 7}, 7),
    ]
    assert Ollama().models({"models": rows}).models == ("qwen3:8b", "old:1b")


ADDRESSES = {
    "": "http://127.0.0.1:11434", "box": "http://box:11434", "box:5": "http://box:5", ":5": "http://127.0.0.1:5",
    "0.0.0.0": "http://127.0.0.1:11434", "0.0.0.0:5": "http://127.0.0.1:5", "::": "http://[::1]:11434",
    "[::]:5": "http://[::1]:5", "::1": "http://[::1]:11434", "[fe80::1]:5": "http://[fe80::1]:5",
    "http://box": "http://box:80", "https://box": "https://box:443", "box/ollama": "http://box:11434/ollama",
    "https://box:5/ollama/": "https://box:5/ollama", ' "box" ': "http://box:11434",
}  # fmt: skip


def test_the_address_follows_ollamas_own_rules() -> None:
    assert {host: base_url(host) for host in ADDRESSES} == ADDRESSES


async def test_the_address_may_end_in_what_people_write() -> None:
    for path in ("/api", "/v1", "/api/chat"):
        async with asked(OLLAMA, path=path) as (server, provider):
            assert await provider.models() == dialects.MODELS
            assert server.requests[0].path == "/api/tags"
