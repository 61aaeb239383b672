"""The jobs of a remote library, which its server runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from tui.errors import RemoteError
from tui.records.files import EncodingReading
from tui.records.jobs import Job, JobOrder
from tui.records.pages import MAX_FOLLOWED, Page
from tui.remote.client import Client
from tui.remote.connection import UNREACHABLE
from tui.remote.responses import decoded, error_in

_PATH = "/profiles/jobs"
_AGAIN_SECONDS = 1.0
"""Seconds after a broken connection until the jobs are looked at anew."""
_PATIENCE_SECONDS = 60.0
"""Seconds that a server may be away: it is started again, or this machine finds another network."""


class RemoteJobs:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def page(
        self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None, order: JobOrder = "newest"
    ) -> Page[Job]:
        more = {} if order == "newest" else {"order": order}
        return await self._client.page(Job, _PATH, offset=offset, limit=limit, q=q, after=after, more=more)

    async def get(self, job_id: str) -> Job:
        return await self._client.get(Job, f"{_PATH}/{self._client.segment('jobs', job_id)}")

    async def running(self) -> int:
        return await self._client.get(int, "/profiles/jobs_running")

    async def start(self, kind: str, source: str = "") -> Job:
        return await self._client.write(Job, "POST", _PATH, {"kind": kind, "source": source})

    async def cancel(self, *job_ids: str) -> tuple[Job, ...]:
        return await self._client.write(tuple[Job, ...], "POST", f"{_PATH}/cancel", self._client.ids(job_ids))

    async def retry(self, job_id: str) -> Job:
        return await self._client.write(Job, "POST", f"{_PATH}/{self._client.segment('jobs', job_id)}/retry")

    async def readings(self, job_id: str) -> tuple[EncodingReading, ...]:
        path = f"{_PATH}/{self._client.segment('jobs', job_id)}/readings"
        return await self._client.get(tuple[EncodingReading, ...], path)

    async def retry_in(self, job_id: str, encoding: str) -> tuple[Job, ...]:
        path = f"{_PATH}/{self._client.segment('jobs', job_id)}/retry_in"
        return await self._client.write(tuple[Job, ...], "POST", path, {"encoding": encoding})

    async def follow(self, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        """Every change as it is told; after a broken connection what has changed meanwhile."""
        shown: dict[str, Job] = {}
        every = list(dict.fromkeys(job_ids))
        for first in range(0, len(every), MAX_FOLLOWED):
            async with aclosing(self._followed(every[first : first + MAX_FOLLOWED])) as changes:
                async for job in changes:
                    if shown.get(job.id) != job:
                        shown[job.id] = job
                        yield job

    async def _followed(self, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        """Until the server says that all are over, however often the connection breaks."""
        lost_at: float | None = None
        while True:
            try:
                async with aclosing(self._told(job_ids)) as told:
                    async for job in told:
                        lost_at = None
                        if job is None:
                            return
                        yield job
            except RemoteError as error:
                if error.code not in (UNREACHABLE, "server_stopping"):
                    raise
                lost_at = lost_at or time.monotonic()
                if time.monotonic() - lost_at > _PATIENCE_SECONDS:
                    raise
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _told(self, job_ids: Sequence[str]) -> AsyncGenerator[Job | None, None]:
        """Each job as it is told of, None once all are over; may end before that."""
        async with aclosing(self._client.events("GET", "/profiles/job_events", {"id": list(job_ids)})) as events:
            async for event in events:
                match event.event:
                    case "message":
                        yield decoded(Job, event.data)
                    case "error":
                        raise error_in(decoded(dict[str, object], event.data))
                    case "done":
                        yield None
                        return
