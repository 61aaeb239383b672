"""Providers, models, prompts, and the two streams."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel
from starlette.responses import Response

from tui.events import BreakdownEvent, BreakdownEvents, Failed, Finished, FocusReady, StateChanged, Token
from tui.records.pages import to_json
from tui.server.dependencies import OptionsOf, ServiceOf, StreamsOf
from tui.server.errors import ErrorFields
from tui.server.options import ServerOptions
from tui.server.responses import json
from tui.server.schemas import SENT
from tui.server.streams import STOPPING, EventStream, Streams, event
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest, PreviewRequest
from tui.wire import codec

router = APIRouter(prefix="/llm", tags=["llm"])

Events = Annotated[
    Literal["", "all"],
    Query(description="`all` adds `state` events, and what the focus word cost; as published there are none."),
]

BreakdownBody = Annotated[BreakdownRequest, SENT[BreakdownRequest]]
ExplainBody = Annotated[ExplainRequest, SENT[ExplainRequest]]
FollowUpBody = Annotated[FollowUpRequest, SENT[FollowUpRequest]]
PreviewBody = Annotated[PreviewRequest, SENT[PreviewRequest]]


class LenientPreview(BaseModel):
    """The first error in a prompt is told with what can be shown of it."""

    text: str
    error: ErrorFields | None


@router.post("/breakdown/preview_lenient", response_model=LenientPreview)
async def preview_lenient(service: ServiceOf, asked: PreviewBody) -> Response:
    """As much as can be shown of a prompt that is being written, and the first error in it (or `null`)."""
    text, error = await service.llm.preview_lenient(asked)
    return json({"text": text, "error": None if error is None else codec.error_fields(error)})


@router.post("/breakdown", response_class=EventStream, status_code=200)
async def breakdown(
    service: ServiceOf,
    streams: StreamsOf,
    options: OptionsOf,
    asked: BreakdownBody,
    events: Events = "",
) -> Response:
    """The focus word (`event: focus`), then tokens (JSON strings), then `event: done`."""
    return await _stream(service.llm.breakdown(asked), streams, options, everything=events == "all")


@router.post("/explain_sentence", response_class=EventStream, status_code=200)
async def explain_sentence(
    service: ServiceOf,
    streams: StreamsOf,
    options: OptionsOf,
    asked: ExplainBody,
    events: Events = "",
) -> Response:
    """Tokens (JSON strings), then `event: done`."""
    return await _stream(service.llm.explain(asked), streams, options, everything=events == "all")


@router.post("/follow_up", response_class=EventStream, status_code=200)
async def follow_up(
    service: ServiceOf,
    streams: StreamsOf,
    options: OptionsOf,
    asked: FollowUpBody,
    events: Events = "",
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
            yield _written(first, with_counts=everything)
        async for each in events:
            if everything or not isinstance(each, StateChanged):
                yield _written(each, with_counts=everything)


def _written(each: BreakdownEvent, *, with_counts: bool = False) -> bytes:
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
