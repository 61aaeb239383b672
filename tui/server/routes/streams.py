"""Streams: answers of models as they come, and jobs as they change."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from tui.errors import LodeError
from tui.events import BreakdownEvent, BreakdownEvents, Failed, Finished, FocusReady, StateChanged, Token
from tui.records.pages import MAX_FOLLOWED, to_json
from tui.server.dependencies import OptionsOf, ServiceOf, StreamsOf
from tui.server.options import ServerOptions
from tui.server.schemas import SENT
from tui.server.streams import STOPPING, EventStream, Streams, event
from tui.service.protocol.records import Jobs
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest
from tui.wire import codec

router = APIRouter()

Events = Annotated[
    Literal["", "all"],
    Query(description="`all` adds `state` events, and what the focus word cost; as published there are none."),
]

BreakdownBody = Annotated[BreakdownRequest, SENT[BreakdownRequest]]
ExplainBody = Annotated[ExplainRequest, SENT[ExplainRequest]]
FollowUpBody = Annotated[FollowUpRequest, SENT[FollowUpRequest]]


@router.post("/llm/breakdown", tags=["llm"], response_class=EventStream, status_code=200)
async def breakdown(
    service: ServiceOf, streams: StreamsOf, options: OptionsOf, asked: BreakdownBody, events: Events = ""
) -> Response:
    """The focus word (`event: focus`), then tokens (JSON strings), then `event: done`."""
    return await _stream(service.llm.breakdown(asked), streams, options, everything=events == "all")


@router.post("/llm/explain_sentence", tags=["llm"], response_class=EventStream, status_code=200)
async def explain_sentence(
    service: ServiceOf, streams: StreamsOf, options: OptionsOf, asked: ExplainBody, events: Events = ""
) -> Response:
    """Tokens (JSON strings), then `event: done`."""
    return await _stream(service.llm.explain(asked), streams, options, everything=events == "all")


@router.post("/llm/follow_up", tags=["llm"], response_class=EventStream, status_code=200)
async def follow_up(
    service: ServiceOf, streams: StreamsOf, options: OptionsOf, asked: FollowUpBody, events: Events = ""
) -> Response:
    """Asks on about an answer, with what was said so far: tokens (JSON strings), then `event: done`.

    The answer is kept below the first one, as one of its `follow_ups`.
    """
    return await _stream(service.llm.ask_on(asked), streams, options, everything=events == "all")


async def _stream(events: BreakdownEvents, streams: Streams, options: ServerOptions, *, everything: bool) -> Response:
    """Stream an answer; a refusal before any model was asked has a status of its own, a later failure is an event."""
    first = await anext(events)
    if isinstance(first, Failed):
        await events.aclose()
        raise first.error
    pieces = _pieces(first, events, everything=everything)
    return EventStream(pieces, streams, farewell=STOPPING, heartbeat=options.heartbeat_seconds)


async def _pieces(first: BreakdownEvent, events: BreakdownEvents, *, everything: bool) -> AsyncGenerator[bytes, None]:
    async with aclosing(events):
        if everything or not isinstance(first, StateChanged):
            yield _write_event(first, with_counts=everything)
        async for each in events:
            if everything or not isinstance(each, StateChanged):
                yield _write_event(each, with_counts=everything)


def _write_event(each: BreakdownEvent, *, with_counts: bool = False) -> bytes:
    match each:
        case Token(text):
            return event(codec.encode(text))
        case FocusReady(focus, translation=translation, sentence_reading=reading, other=other) if not with_counts:
            # Its fields beside those of the word: the word itself is what was published.
            of_sentence = {"translation": translation, "sentence_reading": reading}
            or_other = None if other is None else to_json(other)
            return event(codec.encode({**to_json(focus), **of_sentence, "other": or_other}), "focus")
        case FocusReady():
            return event(codec.encode(each), "focus")
        case StateChanged():
            return event(codec.encode(each), "state")
        case Failed(error):
            return event(codec.encode(codec.error_fields(error)), "error")
        case Finished():
            return event(codec.encode(each), "done")


@router.get("/profiles/job_events", tags=["jobs"], response_class=EventStream, status_code=200)
async def follow_jobs(
    service: ServiceOf,
    streams: StreamsOf,
    options: OptionsOf,
    ids: Annotated[list[str], Query(alias="id", min_length=1, max_length=MAX_FOLLOWED)],
) -> Response:
    """Each of these jobs as it is and whenever it changes, then `event: done` when all are over."""
    for job_id in ids:
        await service.jobs.get(job_id)  # what is not there is said before the stream begins
    return EventStream(_changes(service.jobs, ids), streams, farewell=STOPPING, heartbeat=options.heartbeat_seconds)


async def _changes(jobs: Jobs, ids: Sequence[str]) -> AsyncGenerator[bytes, None]:
    try:
        async with aclosing(jobs.follow(ids)) as changes:
            async for job in changes:
                yield event(codec.encode(job))
    except LodeError as error:
        yield event(codec.encode(codec.error_fields(error)), "error")
    yield event(b"{}", "done")
