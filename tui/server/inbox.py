"""The inbox over HTTP: who may ask, and requests and answers as AnkiConnect has them.

A note that a page may not send is not even read: a request of ``text/plain`` needs no preflight, so the origin is
looked at before anything else, and the host, since a page of another site may have a name that leads to this machine
(DNS rebinding). Extensions of browsers pass, as they do with AnkiConnect; of web pages only those that were named.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from hmac import compare_digest
from types import FrameType
from typing import Any

import uvicorn
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from tui import bounds
from tui.anki.connect import INBOX_HEADER
from tui.errors import InvalidInput, LodeError
from tui.inbox import wire
from tui.server.errors import log_fault
from tui.server.http_protocol import HttpConnection
from tui.server.middleware import name_in_host
from tui.service.inbox.caller import Caller
from tui.service.inbox.inbox import LocalInbox
from tui.system.net import is_loopback
from tui.system.socket_owner import may_read
from tui.text.sanitize import whole_characters

PORT = 8767
"""Beside AnkiConnect's and ``lode serve``'s 8765, and asbplayer's own proxy, 8766."""
_EXTENSIONS = ("chrome-extension://", "moz-extension://", "safari-web-extension://")
_MAX_BYTES = bounds.INBOX_REQUEST.bytes_in
_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")
_TEXT = "text/plain; charset=utf-8"
_LONG = 1_000_000
"""Bytes from which on a request is read in a thread."""
_PERMISSION_BYTES = 10_000
"""Bytes of a request that asks for permission at most, the only one that is read of a page that may not ask."""


@dataclass(frozen=True, slots=True)
class InboxOptions:
    """Options of the inbox; ``origins`` are web pages that may ask, ``key`` what clients have to send, "" for none."""

    host: str = "127.0.0.1"
    port: int = PORT
    key: str = field(default="", repr=False)
    origins: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise ``InvalidInput`` for an address that others can reach without a key."""
        if not is_loopback(self.host) and not self.key:
            raise InvalidInput(
                f"others can reach {self.host}, and there is no key",
                hint="write a long random text into a file and name it with --key-file; KOReader can send it",
                code="token_missing",
            )


class InboxApp:
    """ASGI application of an inbox: what AnkiConnect answers to HTTP."""

    def __init__(self, inbox: LocalInbox, options: InboxOptions) -> None:
        options.check()
        self._inbox = inbox
        self._options = options
        self._is_local = is_loopback(options.host)
        inbox.needs_key = bool(options.key)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return None
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        answer = partial(_send, send, headers, origin)
        name = name_in_host(headers.get("host", ""))
        if len(headers.getlist("host")) > 1 or len(headers.getlist("origin")) > 1:
            return await answer(400, _write({"result": None, "error": "a header is there twice"}), allowed=False)
        if self._is_local and (name is None or not is_loopback(name)):
            return await answer(403, b"", allowed=False)
        is_allowed = origin is None or origin.lower().startswith(_EXTENSIONS) or origin.lower() in self._options.origins
        if scope["method"] == "OPTIONS":
            return await answer(200 if is_allowed else 403, b"", allowed=is_allowed)
        if scope["method"] != "POST":
            return await answer(200 if is_allowed else 403, wire.BANNER.encode(), allowed=is_allowed, kind=_TEXT)
        try:
            body = await _read(receive, headers, _MAX_BYTES if is_allowed else _PERMISSION_BYTES)
            value = await asyncio.to_thread(_parse, body) if len(body) > _LONG else _parse(body)
            request = wire.read_request(value) if body.strip() else None
        except LodeError as error:
            if not is_allowed:
                return await answer(403, b"", allowed=False)
            return await answer(200, _write(wire.write_error(error)), allowed=True)
        if not is_allowed:
            if request is None or request.action != "requestPermission":
                return await answer(403, b"", allowed=False)
            return await answer(200, _write(wire.write_answer(request, {"permission": "denied"})), allowed=True)
        if request is None:
            return await answer(200, wire.BANNER.encode(), allowed=True, kind=_TEXT)
        server_port = (scope.get("server") or ("", self._options.port))[1]
        client_port = (scope.get("client") or ("", 0))[1]
        caller = Caller(
            origin is not None or not self._is_local,
            partial(may_read, client_port=client_port, server_port=server_port),
        )
        return await answer(200, _write(await self._answer(request, caller)), allowed=True)

    async def _answer(self, request: wire.InboxRequest, caller: Caller) -> object:
        try:
            wire.check_size(request)
            return await self._do(request, caller, knows_key=not self._options.key)
        except LodeError as error:
            return wire.write_error(error)

    async def _do(self, request: wire.InboxRequest, caller: Caller, *, knows_key: bool) -> object:
        """Answer one request, and those within it one after the other; ``knows_key`` where the one around it does."""
        try:
            knows_key = knows_key or compare_digest(request.key.encode("utf-8", "replace"), self._options.key.encode())
            if not knows_key and request.action not in ("requestPermission", "multi"):
                raise LodeError("valid api key must be provided")
            if request.action == "multi":
                inner = wire.read_inner(request)
                return wire.write_answer(request, [await self._do(each, caller, knows_key=knows_key) for each in inner])
            return wire.write_answer(request, await self._inbox.answer(request, caller))
        except LodeError as error:
            return wire.write_error(error)
        except Exception as error:  # noqa: BLE001 - the edge of a request: whatever broke, its client must be answered
            log_fault(f"the inbox's {request.action}", error)
            return wire.write_error(LodeError("something unexpected went wrong in Lode; its log says more"))


class InboxServer(uvicorn.Server):
    """Server of an inbox; beside another server it leaves signals to that one."""

    def __init__(self, inbox: LocalInbox, options: InboxOptions, *, listens_to_signals: bool = True) -> None:
        config = uvicorn.Config(
            InboxApp(inbox, options),
            http=HttpConnection,
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=5,
            timeout_keep_alive=75,
            lifespan="off",
            ws="none",
        )
        super().__init__(config)
        self._inbox = inbox
        if not listens_to_signals:
            self.capture_signals = nullcontext  # type: ignore[assignment, method-assign]  # its own door for this

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop; a second signal does not wait for the requests. Raised anew it would end what is to close."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until ``should_exit``; what notes still lack is filled meanwhile."""
        self._inbox.begin()
        try:
            await super().serve(sockets)
        finally:
            await self._inbox.close()


def _write(result: object) -> bytes:
    return json.dumps(result, ensure_ascii=False).encode("utf-8", "replace")


async def _send(
    send: Send,
    headers: Headers,
    origin: str | None,
    status: int,
    body: bytes,
    *,
    allowed: bool,
    kind: str = "application/json",
) -> None:
    sent: Mapping[str, str] = {"Content-Type": kind, "Content-Length": str(len(body)), INBOX_HEADER: "1"}
    if allowed:
        sent = {
            **sent,
            "Access-Control-Allow-Origin": origin or "http://localhost",
            "Access-Control-Allow-Headers": "*",
            "Vary": "Origin",
        }
        if headers.get("access-control-request-private-network") == "true":
            sent = {**sent, "Access-Control-Allow-Private-Network": "true"}
    encoded = [(name.lower().encode(), value.encode("latin-1")) for name, value in sent.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


async def _read(receive: Receive, headers: Headers, most: int) -> bytes:
    """Read a body. Raises ``InvalidInput`` for more than it may have."""
    length = headers.get("content-length", "0")
    is_long = not length.isdecimal() or int(length[:20]) > most
    body = bytearray()
    while not is_long:
        message = await receive()
        body += message.get("body", b"")
        is_long = len(body) > most
        if message["type"] != "http.request" or not message.get("more_body"):
            break
    if is_long:
        raise InvalidInput(f"a request has {most / 1e6:g} MB at most", hint="send a smaller sound or picture")
    return bytes(body)


def _parse(body: bytes) -> Any:
    """The JSON of a body, whatever its Content-Type says; None for an empty one. Raises ``InvalidInput``."""
    if not body.strip():
        return None
    try:
        value = json.loads(body.decode("utf-8-sig"))
        if _HALF_CHARACTER.search(body):
            value = json.loads(whole_characters(json.dumps(value, ensure_ascii=False)))
        return value
    except (ValueError, RecursionError) as error:
        raise InvalidInput("the request is not JSON in UTF-8") from error
