"""Streams of a remote library: the answers of the models that its server asks, and the jobs that it runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

import msgspec

from tui import bounds
from tui.errors import LodeError, RemoteError, TemplateError
from tui.events import BreakdownEvent, Failed, Finished, Token
from tui.records.jobs import Job
from tui.records.pages import MAX_FOLLOWED
from tui.remote.connection import UNREACHABLE
from tui.remote.encoding import decoded, error_in
from tui.remote.operations import RemotePart
from tui.service.protocol import Llm
from tui.service.protocol.operation import Operation
from tui.service.protocol.records import Jobs
from tui.service.protocol.signatures import signature
from tui.service.requests import PreviewRequest
from tui.text.sanitize import ControlFilter
from tui.wire.sse import EVENTS

_MOST = bounds.SERVER_BREAKDOWN.bytes_in
"""Bytes of an answer as events: the longest that a server gives has half of it."""
_SECONDS = bounds.SERVER_BREAKDOWN.seconds
"""Seconds that one may take in all: as long as a server waits for its model, and for its focus, and as much again."""
_AGAIN_SECONDS = 1.0
"""Seconds after a broken connection until the jobs are looked at anew."""
_PATIENCE_SECONDS = 60.0
"""Seconds that a server may be away: it is started again, or this machine finds another network."""


class _Lenient(msgspec.Struct):
    text: str
    error: dict[str, object] | None


class RemoteLlm(RemotePart, Llm):
    """The models that the server of a remote library asks."""

    async def preview_lenient(self, request: PreviewRequest) -> tuple[str, TemplateError | None]:
        given = await self._client.read(_Lenient, "/llm/breakdown/preview_lenient", body=request)
        error = None if given.error is None else error_in(given.error)
        return given.text, error if isinstance(error, TemplateError) else None

    async def stream(
        self, method: str, operation: Operation, args: Sequence[Any], named: dict[str, Any]
    ) -> AsyncGenerator[BreakdownEvent, None]:
        """The server's stream; one that breaks ends as every failed stream does, and is not asked for again."""
        request = signature(self._resource, method, operation).read_call(args, named)["request"]
        started, begun, failed, controls = time.monotonic(), False, False, ControlFilter()
        told = self._client.events("POST", operation.path, {"events": "all"}, request, most=_MOST, seconds=_SECONDS)
        try:
            async with aclosing(told) as events:
                async for each in events:
                    begun = True
                    match event := _read(each.event, each.data, controls):
                        case Failed():
                            failed = True
                            yield event
                        case Finished():
                            yield event
                            return
                        case None | Token(""):
                            pass
                        case _:
                            yield event
            if not failed:
                yield Failed(RemoteError("the server broke off in the middle of the answer", hint="ask again"))
        except LodeError as error:
            if not failed:  # else the server was being stopped, and has no more to tell of the answer
                if begun and error.code == UNREACHABLE:
                    error = RemoteError(error.message, hint="what had come is kept; ask again once the server is back")
                yield Failed(error)
        milliseconds = round((time.monotonic() - started) * 1000)
        yield Finished("failed", None, False, request.model, None, None, milliseconds)


def _read(name: str, data: str, controls: ControlFilter) -> BreakdownEvent | None:
    """The event that was written; None for one of a newer server. Raises ``RemoteError`` for what cannot be read."""
    match name:
        case "message":
            return Token(controls.feed(decoded(str, data)))
        case "error":
            return Failed(error_in(decoded(dict[str, object], data)))
    return decoded(EVENTS[name], data) if name in EVENTS else None


class RemoteJobs(RemotePart, Jobs):
    """The jobs of a remote library, which its server runs."""

    async def follow(self, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        """Every change as it is told; after a broken connection what has changed meanwhile."""
        shown: dict[str, Job] = {}
        every = list(dict.fromkeys(job_ids))
        for first in range(0, len(every), MAX_FOLLOWED):
            async with aclosing(self._follow_some(every[first : first + MAX_FOLLOWED])) as changes:
                async for job in changes:
                    if shown.get(job.id) != job:
                        shown[job.id] = job
                        yield job

    async def _follow_some(self, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        """Until the server says that all are over, however often the connection breaks."""
        lost_at: float | None = None
        while True:
            try:
                async with aclosing(self._read_changes(job_ids)) as told:
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

    async def _read_changes(self, job_ids: Sequence[str]) -> AsyncGenerator[Job | None, None]:
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
