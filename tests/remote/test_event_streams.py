"""Event streams of what may be no Lode server: newer events, controls cut in two, ends that do not come."""

from __future__ import annotations

from contextlib import aclosing

import pytest

from tests.llm.breaking_down import listen
from tests.llm.fakes.fake_server import Cut, FakeModelServer, Gate, Piece, Reply
from tests.remote.test_responses import ASK, LODE
from tui.errors import RemoteError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, Token
from tui.remote import streams
from tui.remote.service import RemoteService
from tui.service.requests import ExplainRequest
from tui.wire import codec


@pytest.mark.parametrize("bound", [{"_MOST": 100_000}, {"_SECONDS": 1e-9}])
async def test_a_stream_without_end_is_left_and_has_failed(
    strange: RemoteService, stranger: FakeModelServer, monkeypatch: pytest.MonkeyPatch, bound: dict[str, float]
) -> None:
    for name, value in bound.items():
        monkeypatch.setattr(streams, name, value)
    endless: tuple[Piece, ...] = (b'data: "Hallo"\n\n', *(b": still here\n\n" * 1000 for _ in range(200)), Gate())
    stranger.enqueue(Reply(endless, 200, LODE))
    events = await listen(strange.llm.explain(ExplainRequest("Der Zug.", "work:m")))
    assert isinstance(events[-2], Failed) and isinstance(events[-1], Finished)
    assert events[-2].error.code in ("bad_answer", "too_slow")
    await stranger.requests[0].disconnected.wait()


def sse(*events: tuple[str, object]) -> bytes:
    return b"".join(
        (f"event: {name}\n" if name else "").encode() + b"data: " + codec.encode(data) + b"\n\n"
        for name, data in events
    )


def stream(*pieces: bytes | Cut | Gate) -> Reply:
    return Reply(pieces, 200, {**LODE, "content-type": "text/event-stream"})


async def asked(service: RemoteService) -> list[BreakdownEvent]:
    async with aclosing(service.llm.breakdown(ASK)) as events:
        return [event async for event in events]


FOCUS = {"focus": {"surface": "fährt"}, "input_tokens": 1, "output_tokens": 2}


DONE = {
    "state": "complete",
    "answer_id": "abc",
    "kept": False,
    "model": "work:m",
    "input_tokens": None,
    "output_tokens": None,
    "duration_ms": 1,
}


async def test_events_of_a_newer_server_are_passed_over(strange: RemoteService, stranger: FakeModelServer) -> None:
    stranger.enqueue(
        stream(
            b": hello\nretry: 5\n\n",
            sse(("picture", {"of": "it"}), ("focus", {**FOCUS, "mood": "sad"}), ("", "Hal"), ("", "lo")),
            b"id: 7\n" + sse(("done", {**DONE, "praise": 5})),
            sse(("", "after the end")),
        )
    )
    events = await asked(strange)
    assert [type(event) for event in events] == [FocusReady, Token, Token, Finished]


async def test_tokens_are_fit_for_a_terminal_wherever_they_are_cut(
    strange: RemoteService, stranger: FakeModelServer
) -> None:
    stranger.enqueue(stream(sse(("", "a\x1b"), ("", "[31"), ("", "mb"), ("", "\x9b0mc\u202e"), ("done", DONE))))
    events = await asked(strange)
    assert "".join(event.text for event in events if isinstance(event, Token)) == "abc"


@pytest.mark.parametrize(
    "reply",
    [
        stream(sse(("focus", FOCUS), ("", "Hal"))),
        stream(sse(("focus", FOCUS), ("", "Hal")), Cut()),
        stream(sse(("focus", FOCUS), ("", "Hal")), b'data: "lo', Cut()),
        stream(sse(("focus", FOCUS), ("", "Hal"), ("", 5))),
        stream(sse(("focus", FOCUS), ("", "Hal"), ("done", {"state": "odd"}))),
        stream(sse(("focus", FOCUS), ("", "Hal"), ("error", {}))),
        stream(sse(("focus", FOCUS), ("", "Hal")), *(b"data: " + b"x" * 900_000 for _ in range(6))),
    ],
    ids=["ends early", "cut", "cut in an event", "wrong type", "wrong end", "wrong error", "no end"],
)
async def test_a_stream_that_goes_wrong_fails_once_and_is_not_asked_for_again(
    strange: RemoteService, stranger: FakeModelServer, reply: Reply
) -> None:
    stranger.enqueue(reply)
    events = await asked(strange)
    assert [type(event) for event in events] == [FocusReady, Token, Failed, Finished]
    failed, end = events[-2:]
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, RemoteError)
    assert failed.error.hint
    assert isinstance(end, Finished)
    assert (end.state, end.model, end.answer_id) == ("failed", "work:m", None)
    assert len(stranger.chats) == 1


async def test_leaving_a_stream_closes_its_connection(strange: RemoteService, stranger: FakeModelServer) -> None:
    stranger.enqueue(stream(sse(("focus", FOCUS), ("", "Hal")), Gate()))
    async with aclosing(strange.llm.breakdown(ASK)) as events:
        async for event in events:
            if isinstance(event, Token):
                break
    await stranger.chats[0].disconnected.wait()
