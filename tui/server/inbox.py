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
from tui.config import INBOX_PORT
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

_EXTENSIONS = ("chrome-extension://", "moz-extension://", "safari-web-extension://")
_MAX_BYTES, _MAX_VALUES = bounds.INBOX_REQUEST.bytes_in, bounds.INBOX_REQUEST.entries
_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F]")
_LONG = 1_000_000
"""Bytes from which on a request is read in a thread."""
_PERMISSION_BYTES = 10_000
"""Bytes of a request that asks for permission at most, the only one that is read of a page that may not ask."""


@dataclass(frozen=True, slots=True)
class InboxOptions:
    """Options of the inbox; ``origins`` are web pages that may ask, ``key`` what clients have to send, "" for none."""

    host: str = "127.0.0.1"
    port: int = INBOX_PORT
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
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            status, body, is_allowed = await self._respond(scope, receive, headers)
            await _send(send, headers, status, body, is_allowed=is_allowed)

    async def _respond(self, scope: Scope, receive: Receive, headers: Headers) -> tuple[int, bytes, bool]:
        """Respond to a request: status, body, and whether its origin may read them."""
        name, origin = name_in_host(headers.get("host", "")), headers.get("origin")
        if len(headers.getlist("host")) > 1 or len(headers.getlist("origin")) > 1:
            return 400, b"", False
        if self._is_local and (name is None or not is_loopback(name)):
            return 403, b"", False
        known = self._options.origins
        is_allowed = origin is None or origin.lower().startswith(_EXTENSIONS) or origin.lower() in known
        if scope["method"] == "OPTIONS":
            return 200 if is_allowed else 403, b"", is_allowed
        if not is_allowed:
            return await self._deny(receive, headers)
        try:
            body = await _read(receive, headers, _MAX_BYTES) if scope["method"] == "POST" else b""
            if not body.strip():
                return 200, wire.BANNER, True
            value = await asyncio.to_thread(_parse, body) if len(body) > _LONG else _parse(body)
            request = wire.read_request(value)
            wire.check_size(request)
        except LodeError as error:
            return 200, _encode(wire.write_error(error)), True
        client, server = (scope.get(side) or ("", 0) for side in ("client", "server"))
        can_read = partial(may_read, client_port=client[1], server_port=server[1] or self._options.port)
        caller = Caller(origin is not None or not self._is_local, can_read)
        result = await self._do(request, caller, knows_key=not self._options.key)
        return 200, _encode(result), True

    async def _deny(self, receive: Receive, headers: Headers) -> tuple[int, bytes, bool]:
        """Deny a page that may not ask; the one that asks for permission is told so, as AnkiConnect does."""
        try:
            request = wire.read_request(_parse(await _read(receive, headers, _PERMISSION_BYTES)))
        except LodeError:
            return 403, b"", False
        if request.action != "requestPermission":
            return 403, b"", False
        return 200, _encode(wire.write_answer(request, {"permission": "denied"})), True

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


async def _send(send: Send, headers: Headers, status: int, body: bytes, *, is_allowed: bool) -> None:
    kind = "text/plain; charset=utf-8" if body == wire.BANNER else "application/json"
    sent: Mapping[str, str] = {"Content-Type": kind, "Content-Length": str(len(body)), INBOX_HEADER: "1"}
    if is_allowed:
        sent = {
            **sent,
            "Access-Control-Allow-Origin": headers.get("origin", "http://localhost"),
            "Access-Control-Allow-Headers": "*",
            "Vary": "Origin",
        }
        if headers.get("access-control-request-private-network") == "true":
            sent = {**sent, "Access-Control-Allow-Private-Network": "true"}
    encoded = [(name.lower().encode(), value.encode("latin-1")) for name, value in sent.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def _encode(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


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
    """Parse a body as JSON, whatever its Content-Type says. Raises ``InvalidInput`` where it is none, or too much."""
    if sum(map(body.count, (b",", b"[", b"{"))) > _MAX_VALUES:  # each is at most a value
        raise InvalidInput(f"a request has {_MAX_VALUES} values at most")
    try:
        value = json.loads(body.decode("utf-8-sig"))
        if _HALF_CHARACTER.search(body):
            value = json.loads(whole_characters(json.dumps(value, ensure_ascii=False)))
        return value
    except (ValueError, RecursionError) as error:
        raise InvalidInput("the request is not JSON in UTF-8") from error
