"""Error responses: every failure as ``{"error": {"code", "message", "hint", "kind"}}`` with the status that fits."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import HTTPException as RouteError
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import compile_path

from tui.errors import DeckError, InvalidInput, LodeError, NotFound, ProviderError, RemoteError, StoreError
from tui.text.sanitize import one_line
from tui.wire import codec


class ErrorFields(BaseModel):
    """`code` is for programs, `message` names the cause, `hint` the next step; `kind` is the kind of error.

    `field` is the written field that the error is about, where it is about one. An error in a template also has its
    `line` and `column`, from 1 on; 0 means that the place is not known.
    """

    code: str
    message: str
    hint: str
    kind: str
    field: str | None = None
    line: int | None = None
    column: int | None = None


class ErrorBody(BaseModel):
    """The body of every answer that is a refusal."""

    error: ErrorFields


log = logging.getLogger("lode.server")

_BY_CODE: Mapping[str, int] = {
    "invalid_profile": 400,
    "invalid_cursor": 400,
    "bad_request": 400,
    "unauthorized": 401,
    "forbidden_host": 403,
    "forbidden_origin": 403,
    "unknown_provider": 404,
    "missing_key": 422,
    "note_type_needed": 422,
    "no_note_type": 422,
    "cloze_note_type": 422,
    "unknown_note_fields": 422,
    "first_note_field_empty": 422,
    "already_done": 409,
    "undo_blocked": 409,
    "redo_impossible": 409,
    "too_large": 413,
    "server_error": 500,
    "server_stopping": 503,
    "timeout": 504,
}
_BY_KIND: tuple[tuple[type[LodeError], int], ...] = (
    (NotFound, 404),
    (ProviderError, 502),
    (StoreError, 503),
    (DeckError, 503),
    (LodeError, 422),
)


class TooLarge(RouteError):
    """A body that goes on for longer than it may; what reads bodies lets this one error pass."""

    def __init__(self, error: LodeError) -> None:
        self.error = error
        super().__init__(413, self.error.message)


def error_response(error: LodeError, status: int | None = None, headers: Mapping[str, str] | None = None) -> Response:
    """The response for an error, with the status of its code, else of its kind, unless it is given."""
    status = status or _BY_CODE.get(error.code) or next(of for kind, of in _BY_KIND if isinstance(error, kind))
    body = codec.encode({"error": codec.error_fields(error)})
    return Response(body, status, headers, media_type="application/json")


def add_error_handlers(app: FastAPI) -> None:
    """Add the handlers by which every failure of the application is answered in this form."""

    @app.exception_handler(LodeError)
    async def lode_error(_: Request, error: LodeError) -> Response:
        return error_response(error)

    @app.exception_handler(TooLarge)
    async def body_too_large(_: Request, error: TooLarge) -> Response:
        return error_response(error.error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
        message = one_line(f"{place}: {first['msg']}")[:300]
        field = str(first["loc"][1]) if first["loc"][:1] == ("body",) and len(first["loc"]) > 1 else ""
        return error_response(InvalidInput(message, hint="see /docs for what it takes", field=field))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        code = {404: "no_such_path", 405: "method_not_allowed"}.get(error.status_code, "bad_request")
        what = {404: f"there is no {request.url.path[:200]!r} here", 405: f"{request.method} is not for this path"}
        message = one_line(what.get(error.status_code, str(error.detail)))
        wrong = LodeError(message, hint="see /docs for the paths there are", code=code)
        headers = {"Allow": ", ".join(_allowed(app, request.url.path))} if error.status_code == 405 else error.headers
        return error_response(wrong, error.status_code, headers)


def _allowed(app: FastAPI, path: str) -> list[str]:
    """The methods that there are for the path: of several routes at a path, the router names only those of one."""
    described: Mapping[str, Mapping[str, object]] = app.openapi()["paths"]
    if path in described:
        return sorted(method.upper() for method in described[path])
    fitting = (methods for each, methods in described.items() if compile_path(each)[0].match(path))
    return sorted({method.upper() for methods in fitting for method in methods})


def internal_error() -> LodeError:
    """The error for a fault of ours; the log has the rest."""
    return LodeError("something unexpected went wrong in the server", hint="its log says more", code="server_error")


def server_stopping() -> RemoteError:
    """The error for requests that were not done when the server stopped."""
    return RemoteError("the server is being stopped", hint="ask again once it is back", code="server_stopping")


def log_fault(what: str, error: BaseException) -> None:
    """Log a fault's kind and place, but not its own words: they may quote a prompt or a sentence."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s failed with %s, raised here:\n%s", one_line(what), type(error).__name__, where.rstrip())
