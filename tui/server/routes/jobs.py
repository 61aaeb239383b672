"""Jobs: long work that the server does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tui.errors import LodeError
from tui.records.pages import MAX_FOLLOWED
from tui.server.dependencies import OptionsOf, ServiceOf, StreamsOf
from tui.server.idempotency import WriteRoute
from tui.server.streams import STOPPING, EventStream, event
from tui.service.protocol.records import Jobs
from tui.wire import codec

router = APIRouter(prefix="/profiles", tags=["jobs"], route_class=WriteRoute)


@router.get("/job_events", response_class=EventStream, status_code=200)
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
