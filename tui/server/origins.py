"""The web pages of other origins that may ask (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol): none but
those that were named.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from tui.errors import LodeError
from tui.server.errors import refusal
from tui.wire import codec


class Origins(CORSMiddleware):
    """Stands before the guard: a preflight request carries no token."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=["DELETE", "GET", "POST", "PUT"],
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
        return answer if answer.status_code < 300 else refusal(forbidden_origin(), headers={"Vary": "Origin"})


def forbidden_origin() -> LodeError:
    return LodeError(
        "a page of another origin may not ask this server",
        hint="allow it: lode serve --allow-origin ORIGIN",
        code="forbidden_origin",
    )
