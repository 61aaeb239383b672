"""Middleware: host and origin checks, token, body limit, version headers, errors, CORS.

Pure ASGI, since it stands before every request and every piece of a stream.
"""

from __future__ import annotations

import asyncio
import re
from hmac import compare_digest
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tui import __version__
from tui.errors import LodeError
from tui.server.errors import TooLarge, error_response, internal_error, log_fault, server_stopping
from tui.server.options import UPLOADS, ServerOptions, limit_of
from tui.system.net import is_loopback
from tui.wire import codec

OPEN = ("/health", "/docs", "/openapi.json")
"""Paths that tell nothing of the library, and need no token: the documentation, and whether the server is there."""
_ONCE = ("Host", "Origin", "Authorization", codec.PROFILE_HEADER, codec.IDEMPOTENCY_HEADER, "Content-Length")
"""Headers by which something is decided: of two, who stands between may have looked at the other one."""
_HOST = re.compile(r"(?P<name>\[[0-9a-f.]*:[0-9a-f:.]*\]|[a-z0-9._-]+)(?::(?P<port>[0-9]{0,5}))?\Z")


class Guard:
    """Middleware of all routes; ``limit_of`` bounds the bytes of a body.

    A page of another site may make a browser ask a server on the same machine, under its own name (DNS rebinding) or
    blindly: hence a loopback server answers to its own names only, and no server to origins that it was not told of.
    """

    def __init__(self, app: ASGIApp, options: ServerOptions) -> None:
        self._app = app
        self._options = options
        self._token = options.token.encode("utf-8")
        self._loopback = is_loopback(options.host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        begun = False

        async def with_version(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                headers[codec.INTERFACE_HEADER] = str(codec.INTERFACE)
                headers[codec.VERSION_HEADER] = __version__
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        headers = Headers(scope=scope)
        limit, too_large = limit_of(scope["method"], scope["path"], self._options)
        problem = self._problem(headers, scope, limit, too_large)
        if problem is not None:
            extra = {"WWW-Authenticate": "Bearer"} if problem.code == "unauthorized" else None
            await error_response(problem, headers=extra)(scope, receive, with_version)
            return
        if scope["path"] not in UPLOADS:
            _call_json(scope)
        read = 0

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            if message["type"] == "http.request":
                read += len(message.get("body", b""))
                if read > limit:
                    raise TooLarge(too_large)
            return message

        try:
            await self._app(scope, limited, with_version)
        except asyncio.CancelledError:  # the server has been told to stop, and has waited long enough
            if not begun:
                await error_response(server_stopping())(scope, receive, with_version)
        except ClientDisconnect:
            return  # in the middle of what it sent: there is nobody to answer
        except Exception as error:  # noqa: BLE001 - the edge of a request: whatever broke, the next one must be answered
            log_fault(f"{scope['method']} {scope['path'][:200]}", error)
            if begun:
                raise AnswerBrokenOff from None  # the connection breaks, so that half an answer is not taken for whole
            await error_response(internal_error())(scope, receive, with_version)

    def _problem(self, headers: Headers, scope: Scope, limit: int, too_large: LodeError) -> LodeError | None:
        if (twice := next((name for name in _ONCE if len(headers.getlist(name)) > 1), None)) is not None:
            return _bad_request(f"the header {twice} is there twice", "send it once")
        host = headers.get("host", "").strip(" \t").lower()
        name = name_in_host(host)
        if self._loopback and (name is None or not is_loopback(name)):
            return LodeError(
                f"this server does not answer to the name {host[:100]!r}",
                hint="ask 127.0.0.1 or localhost, or run it on another address with a token",
                code="forbidden_host",
            )
        if name is None and (host or scope["http_version"] != "1.0"):
            return _bad_request("the Host header is missing, or names no host", "name the server, as in lode.home:8765")
        if headers.get("transfer-encoding", "chunked").lower() != "chunked":
            return _bad_request("the body comes in a coding that is not known here", "send it plain, or chunked")
        origin = headers.get("origin")
        foreign = origin is not None and _host_of(origin) != host
        # "same-site" is another port of this machine, say. Without an Origin it is an image or a link in a page.
        cross = headers.get("sec-fetch-site") in ("cross-site", "same-site") and scope["path"] not in OPEN
        if (foreign or (cross and origin is None)) and origin not in self._options.origins:
            return forbidden_origin()
        if self._token and scope["path"] not in OPEN and not self._knows_token(headers.get("authorization", "")):
            return LodeError(
                "the token is missing or wrong",
                hint="send it as: Authorization: Bearer TOKEN (lode --url takes it from LODE_TOKEN)",
                code="unauthorized",
            )
        length = headers.get("content-length", "0").strip(" \t")
        if not length.isascii() or not length.isdigit() or int(length.lstrip("0")[:20] or "0") > limit:
            return too_large
        return None

    def _knows_token(self, given: str) -> bool:
        scheme, _, token = given.partition(" ")
        # Headers are read as Latin-1: this gives the bytes back that were sent.
        return scheme.lower() == "bearer" and compare_digest(token.strip(" ").encode("latin-1"), self._token)


class Cors(CORSMiddleware):
    """CORS (https://fetch.spec.whatwg.org/#http-cors-protocol): only pages of the origins that were named may ask.

    It stands before the guard, since a preflight request carries no token.
    """

    def __init__(self, app: ASGIApp, origins: tuple[str, ...]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=["DELETE", "GET", "PATCH", "POST", "PUT"],
            allow_headers=["*"],
            expose_headers=[
                "Content-Disposition",
                "Link",
                codec.INTERFACE_HEADER,
                codec.TOTAL_HEADER,
                codec.VERSION_HEADER,
            ],
        )

    def preflight_response(self, request_headers: Headers) -> Response:
        answer = super().preflight_response(request_headers)
        return answer if answer.status_code < 300 else error_response(forbidden_origin(), headers={"Vary": "Origin"})


def forbidden_origin() -> LodeError:
    return LodeError(
        "a page of another origin may not ask this server",
        hint="allow it: lode serve --allow-origin ORIGIN",
        code="forbidden_origin",
    )


class AnswerBrokenOff(Exception):
    """Something broke after the answer had begun; the log says what."""


def _call_json(scope: Scope) -> None:
    """There is no other body than JSON, whatever a client calls it: many call it a form or plain text by default."""
    headers = [pair for pair in scope["headers"] if pair[0] != b"content-type"]
    scope["headers"] = [*headers, (b"content-type", b"application/json")]


def _host_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # it is no address, and so nobody's
        return ""


def name_in_host(host: str) -> str | None:
    """The name or the address in a Host header (RFC 9110, 7.2); None for anything else, however it begins or ends."""
    parts = _HOST.match(host)
    return None if parts is None or int(parts["port"] or 0) > 65535 else parts["name"]


def _bad_request(message: str, hint: str) -> LodeError:
    return LodeError(message, hint=hint, code="bad_request")
