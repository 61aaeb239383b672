"""Idempotency: a write with an ``Idempotency-Key`` is done once, however often it is asked for.

The key is recorded in the transaction of the write itself, and the answer right after it: whoever lost the answer asks
again with the same key and gets it from here, or hears that the write was done where the answer was never kept. (The
header as in draft-ietf-httpapi-idempotency-key-header.)
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Coroutine
from typing import Any
from weakref import WeakValueDictionary

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.types import Message

from tui.config import check_profile
from tui.errors import InvalidInput
from tui.server.options import is_upload
from tui.service.engine import Engine
from tui.service.library import WriteKey
from tui.store.tables.requests import already_done
from tui.wire import codec

_KEY = re.compile(r"[!-~]{1,100}\Z")
_KEPT_BYTES = 1_000_000
"""A longer answer is not kept; no write has one."""


class WriteRoute(APIRoute):
    """A route whose writes may carry a key, which ``dependencies.service_of`` hands on to the service."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def once(request: Request) -> Response:
            key = request.headers.get(codec.IDEMPOTENCY_HEADER)
            if key is None or request.method in ("GET", "HEAD"):
                return await answer(request)
            if not _KEY.match(key):
                raise InvalidInput(
                    "an idempotency key has 1 to 100 letters, digits and signs", hint="use a random UUID"
                )
            profile = check_profile(request.headers.get(codec.PROFILE_HEADER, "default"))
            # Whoever comes with the same key meanwhile waits for this answer.
            locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = request.app.state.write_locks
            async with locks.setdefault((profile, key), asyncio.Lock()):
                return await _once(request, profile, key, answer)

        return once


async def _once(
    request: Request, profile: str, key: str, answer: Callable[[Request], Coroutine[Any, Any, Response]]
) -> Response:
    engine: Engine = request.app.state.engine
    digest = hashlib.sha256(f"{request.method} {request.url.path}?{request.url.query}\n".encode())
    is_file = is_upload(request.method, request.url.path)
    if not is_file:
        digest.update(await request.body())
    kept = await engine.database.run(lambda store: store.requests.find(profile, key))
    if kept is not None:
        if is_file:
            async for piece in request.stream():
                digest.update(piece)
        if kept.fingerprint != digest.hexdigest():
            raise InvalidInput(
                "this idempotency key was used for another request",
                hint="give every new request a key of its own",
                code="key_reused",
            )
        if kept.status is None:
            # It must not be asked again: what it deleted is not there any more, and that would be the answer.
            raise already_done(key)
        return Response(kept.body or None, kept.status, media_type="application/json")
    request.state.write_key = WriteKey(key, digest.hexdigest)
    answered = await answer(_told_of(request, digest.update) if is_file else request)
    status, body = answered.status_code, bytes(answered.body)
    if status < 300 and len(body) <= _KEPT_BYTES:
        await engine.database.run(lambda store: store.requests.record(profile, key, status, body))
    return answered


def _told_of(request: Request, tell: Callable[[bytes], None]) -> Request:
    """The request, of whose body each piece is told as it is read."""

    async def receive() -> Message:
        message = await request.receive()
        tell(message.get("body", b""))
        return message

    return Request(request.scope, receive)
