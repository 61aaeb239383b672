"""The jobs of a remote library, which its server runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from tui.errors import RemoteError
from tui.records.jobs import Job
from tui.records.pages import MAX_FOLLOWED
from tui.remote.connection import UNREACHABLE
from tui.remote.operations import RemotePart
from tui.remote.responses import decoded, error_in
from tui.service.protocol.records import Jobs

_AGAIN_SECONDS = 1.0
"""Seconds after a broken connection until the jobs are looked at anew."""
_PATIENCE_SECONDS = 60.0
"""Seconds that a server may be away: it is started again, or this machine finds another network."""


class RemoteJobs(RemotePart, Jobs):
    """The jobs of a remote library, which its server runs."""

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
