"""Streams and jobs of a server that goes while they come, and streams of what may be no Lode server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace

import pytest

from tests.llm.fakes.fake_server import Cut, FakeModelServer, Gate, Piece, Reply, answer, slow
from tests.remote.between import Between
from tests.remote.test_responses import LODE
from tests.server.serving import Served, serving
from tests.service.llm.asking import FOCUS
from tui.config import ProviderSettings, Settings
from tui.errors import NotFound, RemoteError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, Token
from tui.records.jobs import Job
from tui.remote import streams as remote_streams
from tui.remote.service import RemoteService
from tui.server.options import ServerOptions
from tui.service.engine import Engine
from tui.service.jobs.running_job import RunningJob
from tui.service.library import Library
from tui.service.requests import BreakdownRequest, ExplainRequest
from tui.wire import codec

ASK = BreakdownRequest("Der Zug fährt ab.", "fährt", model="work:m", language="de")


@pytest.fixture
async def model() -> AsyncIterator[FakeModelServer]:
    async with FakeModelServer() as model:
        yield model


@pytest.fixture
def settings(settings: Settings, model: FakeModelServer) -> Settings:
    return replace(settings, providers=(ProviderSettings("work", "openai", model.base_url),))


async def first_token(events: AsyncIterator[BreakdownEvent]) -> None:
    async for event in events:
        if isinstance(event, Token):
            return


async def broken_off(events: AsyncIterator[BreakdownEvent]) -> Failed:
    """How the rest of a stream fails, which it does once and as its last but one event."""
    *_, failed, end = [event async for event in events]
    assert isinstance(failed, Failed)
    assert isinstance(end, Finished)
    assert (end.state, end.model) == ("failed", "work:m")
    return failed


async def ended(service: RemoteService, state: str) -> str:
    """The text of the only answer, once it is said to have ended so."""
    while True:
        kept = (await service.history.page()).items
        if kept and kept[0].text and kept[0].state == state:
            return kept[0].text
        await asyncio.sleep(0.001)


async def test_a_connection_that_breaks_in_the_middle_fails_the_stream_and_nothing_is_asked_again(
    service: RemoteService, between: Between, model: FakeModelServer
) -> None:
    model.enqueue(answer(FOCUS), slow(["what came"], Gate()))
    async with aclosing(service.llm.breakdown(ASK)) as events:
        await first_token(events)
        between.cut()
        failed = await broken_off(events)
    assert isinstance(failed.error, RemoteError)
    assert failed.error.hint == "what had come is kept; ask again once the server is back"
    assert between.requests == ["POST /llm/breakdown?events=all"]
    assert await ended(service, "aborted") == "what came"
    assert len(model.chats) == 2
    assert service.trouble == ""


async def test_a_server_that_is_stopped_fails_its_streams(settings: Settings, model: FakeModelServer) -> None:
    model.enqueue(answer(FOCUS), slow(["what came"], Gate()))
    async with serving(settings) as served:
        service = RemoteService(served.url)
        events = service.llm.breakdown(ASK)
        await first_token(events)
        served.server.stop()
        failed = await broken_off(events)
        assert isinstance(failed.error, RemoteError)
        assert failed.error.code == "server_stopping"
        assert "ask again" in failed.error.hint
    async with serving(settings, ServerOptions(port=served.options.port)):
        assert await ended(service, "aborted") == "what came"
        await service.close()


@pytest.mark.exhaustive
async def test_a_stream_that_never_begins_fails(
    service: RemoteService, between: Between, model: FakeModelServer
) -> None:
    between.is_open = False
    failed = await broken_off(service.llm.breakdown(ASK))
    assert failed.error.code == "server_unreachable"
    assert failed.error.hint.startswith("check that it runs")  # nothing came that could be kept
    between.is_open = True
    between.faults.append("unanswered")
    failed = await broken_off(service.llm.breakdown(ASK))
    assert failed.error.code == "server_unreachable"
    assert len(between.requests) == 1, "an answer may have been begun, and paid for"


@pytest.mark.exhaustive
async def test_leaving_a_stream_is_known_there_and_at_the_provider(served: Served, model: FakeModelServer) -> None:
    service = RemoteService(served.url)
    model.enqueue(answer(FOCUS), slow(["what came"], Gate()))
    async with aclosing(service.llm.breakdown(ASK)) as events:
        await first_token(events)
    await model.chats[-1].disconnected.wait()
    assert await ended(service, "aborted") == "what came"
    await service.close()


async def endless(engine: Engine) -> tuple[Job, asyncio.Event]:
    """A job that runs until the event is set."""
    may_end = asyncio.Event()

    async def work(running: RunningJob) -> None:
        await running.report(0.5, "at it")
        await may_end.wait()

    engine.jobs.work["endless"] = work
    (job,) = await engine.jobs.queue(Library(engine.database, "default"), "endless", ["x"], {})
    return job, may_end


@pytest.mark.exhaustive
async def test_jobs_are_followed_however_it_breaks(service: RemoteService, served: Served, between: Between) -> None:
    job, may_end = await endless(served.engine)
    between.faults.extend(("before", "unanswered", "in the answer"))
    states: list[str] = []
    async with aclosing(service.jobs.follow([job.id])) as changes:
        async for change in changes:
            states.append(change.state)
            if change.message == "at it":
                between.cut()
                may_end.set()
    assert states[-1] == "succeeded"
    assert len([path for path in between.requests if "job_events" in path]) >= 5


@pytest.mark.exhaustive
async def test_jobs_are_followed_on_over_a_server_that_is_started_again(settings: Settings) -> None:
    async with serving(settings) as served:
        service = RemoteService(served.url)
        job, _ = await endless(served.engine)
        changes = service.jobs.follow([job.id])
        assert (await anext(changes)).id == job.id
    rest = asyncio.create_task(_all(changes))
    async with serving(settings, ServerOptions(port=served.options.port)):
        assert (await rest)[-1].state == "interrupted"
        await service.close()


@pytest.mark.exhaustive
async def test_following_a_server_that_is_away_ends(
    service: RemoteService, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_streams, "_PATIENCE_SECONDS", 0.05)
    between.is_open = False
    with pytest.raises(RemoteError):
        await _all(service.jobs.follow(["abc"]))


@pytest.mark.exhaustive
async def test_beginnings_of_ids_are_followed_and_more_than_fit_an_address(
    service: RemoteService, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_streams, "MAX_FOLLOWED", 2)
    job, may_end = await endless(served.engine)
    more = await served.engine.jobs.queue(Library(served.engine.database, "default"), "endless", list("abcd"), {})
    may_end.set()
    ids = [job.id, *(each.id for each in more)]
    over = {change.id for change in await _all(service.jobs.follow(ids)) if change.is_over}
    assert over == set(ids)
    assert (await _all(service.jobs.follow([job.id[:6], job.id, job.id])))[-1].state == "succeeded"
    assert await _all(service.jobs.follow([])) == []
    with pytest.raises(NotFound):
        await _all(service.jobs.follow([job.id, "nothere"]))


async def _all(changes: AsyncIterator[Job]) -> list[Job]:
    return [job async for job in changes]


# What may be no Lode server


async def test_a_stream_without_end_is_left_and_has_failed(
    strange: RemoteService, stranger: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless: tuple[Piece, ...] = (b'data: "Hallo"\n\n', *(b": still here\n\n" * 1000 for _ in range(200)), Gate())
    for bound, value, code in (("_MOST", 100_000, "bad_answer"), ("_SECONDS", 1e-9, "too_slow")):
        with monkeypatch.context() as bounded:
            bounded.setattr(remote_streams, bound, value)
            stranger.enqueue(Reply(endless, 200, LODE))
            failed = await broken_off(strange.llm.explain(ExplainRequest("Der Zug.", "work:m")))
        assert failed.error.code == code
        await stranger.requests[-1].disconnected.wait()


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


HALF = (("focus", {"focus": {"surface": "fährt"}, "input_tokens": 1, "output_tokens": 2, "mood": "sad"}), ("", "Hal"))
DONE = json.loads(codec.encode(Finished("complete", "abc", False, "work:m", None, None, 1))) | {"praise": 5}


async def test_events_of_a_newer_server_are_passed_over(strange: RemoteService, stranger: FakeModelServer) -> None:
    stranger.enqueue(
        stream(
            b": hello\nretry: 5\n\n",
            sse(("picture", {"of": "it"}), *HALF, ("", "lo")),
            b"id: 7\n" + sse(("done", DONE)),
            sse(("", "after the end")),
        )
    )
    events = await asked(strange)
    assert [type(event) for event in events] == [FocusReady, Token, Token, Finished]


async def test_tokens_are_fit_for_terminals_wherever_cut(strange: RemoteService, stranger: FakeModelServer) -> None:
    stranger.enqueue(stream(sse(("", "a\x1b"), ("", "[31"), ("", "mb"), ("", "\x9b0mc\u202e"), ("done", DONE))))
    events = await asked(strange)
    assert "".join(event.text for event in events if isinstance(event, Token)) == "abc"


BROKEN = (
    *(stream(sse(*HALF)), stream(sse(*HALF), Cut()), stream(sse(*HALF), b'data: "lo', Cut())),
    *(stream(sse(*HALF, wrong)) for wrong in (("", 5), ("done", {"state": "odd"}), ("error", {}))),
    stream(sse(*HALF), *(b"data: " + b"x" * 900_000 for _ in range(6))),
)


async def test_a_stream_that_goes_wrong_fails_once_for_all(strange: RemoteService, stranger: FakeModelServer) -> None:
    for number, reply in enumerate(BROKEN, 1):
        stranger.enqueue(reply)
        events = await asked(strange)
        assert [type(event) for event in events] == [FocusReady, Token, Failed, Finished]
        failed, end = events[-2:]
        assert isinstance(failed, Failed)
        assert isinstance(failed.error, RemoteError)
        assert failed.error.hint
        assert isinstance(end, Finished)
        assert (end.state, end.model, end.answer_id) == ("failed", "work:m", None)
        assert len(stranger.chats) == number


async def test_leaving_a_stream_closes_its_connection(strange: RemoteService, stranger: FakeModelServer) -> None:
    stranger.enqueue(stream(sse(*HALF), Gate()))
    async with aclosing(strange.llm.breakdown(ASK)) as events:
        async for event in events:
            if isinstance(event, Token):
                break
    await stranger.chats[0].disconnected.wait()
