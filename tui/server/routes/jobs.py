"""Jobs: long work that the server does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.errors import LodeError
from tui.records.files import EncodingReading
from tui.records.jobs import Job, JobOrder
from tui.records.pages import MAX_FOLLOWED
from tui.server.dependencies import OptionsOf, PageQueryIn, ServiceOf, StreamsOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json, listed
from tui.server.schemas import ChosenEncoding, Ids, NewJob
from tui.server.streams import STOPPING, EventStream, event
from tui.service.protocol.records import Jobs
from tui.wire import codec

router = APIRouter(prefix="/profiles", tags=["jobs"], route_class=WriteRoute)


@router.get("/jobs", response_model=list[Job])
async def list_jobs(
    request: Request,
    service: ServiceOf,
    query: PageQueryIn,
    order: Annotated[
        JobOrder, Query(description="`attention`: what failed, runs and waits before the rest.")
    ] = "newest",
) -> Response:
    """Newest first unless told otherwise. Without `limit` the whole list."""
    return await listed(request, partial(service.jobs.page, order=order), query, {"order": order})


@router.post("/jobs", response_model=Job, status_code=202)
async def start_job(service: ServiceOf, body: NewJob) -> Response:
    """Starts a job of a kind that needs no upload: 404 names those that there are. `POST /profiles/files` imports."""
    return json(await service.jobs.start(body.kind, body.source), 202)


@router.post("/jobs/cancel", response_model=list[Job])
async def cancel_jobs(service: ServiceOf, body: Ids) -> Response:
    """Stops them, and answers once they have stopped; those that are over stay as they are."""
    return json(await service.jobs.cancel(*body.ids))


@router.get("/jobs/{job_id}", response_model=Job)
async def get_job(service: ServiceOf, job_id: str) -> Response:
    """One job."""
    return json(await service.jobs.get(job_id))


@router.post("/jobs/{job_id}/cancel", response_model=Job)
async def cancel_job(service: ServiceOf, job_id: str) -> Response:
    """Stops it, and answers once it has stopped; one that is over stays as it is."""
    (job,) = await service.jobs.cancel(job_id)
    return json(job)


@router.post("/jobs/{job_id}/retry", response_model=Job)
async def retry_job(service: ServiceOf, job_id: str) -> Response:
    """Queues a job that failed, was cancelled or interrupted once more."""
    return json(await service.jobs.retry(job_id))


@router.get("/jobs/{job_id}/readings", response_model=list[EncodingReading])
async def readings_of_job(service: ServiceOf, job_id: str) -> Response:
    """How the file of a refused import reads in the encodings that it is likeliest to be in, the likeliest first."""
    return json(await service.jobs.readings(job_id))


@router.post("/jobs/{job_id}/retry_in", response_model=list[Job])
async def retry_job_in(service: ServiceOf, job_id: str, body: ChosenEncoding) -> Response:
    """Queues a refused import again in this encoding, and with it those of its directory that can be in it too."""
    return json(await service.jobs.retry_in(job_id, body.encoding))


@router.get("/jobs_running", response_model=int)
async def running_jobs(service: ServiceOf) -> Response:
    """Number of jobs that are queued or running."""
    return json(await service.jobs.running())


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
