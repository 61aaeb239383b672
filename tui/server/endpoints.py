"""Endpoints of the contract: the route of each operation, out of what stands at its method in ``service/protocol``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from inspect import Parameter, cleandoc
from inspect import Signature as PythonSignature
from operator import itemgetter
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from tui.records.pages import Page
from tui.server.dependencies import PageQueryIn, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.options import FILE_BODY, file_pieces
from tui.server.responses import attachment, json, listed, streamed
from tui.server.routes.by_hand import RESHAPED, Reshaped
from tui.server.schemas import BODIES, QUERIES, body_of_fields, told_of
from tui.server.streams import EventStream, stream_answer
from tui.service.local import LocalService
from tui.service.protocol.signatures import RESOURCES, Argument, Resource, Signature, operations, signature

_RAISES = re.compile(r"(?s)(; raises|\s*Raises)\b.*?\.(?=\s|$)")
_WHOLE = "\n\nWithout `limit` the whole list."
_UNSEARCHED = " `q` has no meaning here."
_Events = Annotated[
    Literal["", "all"],
    Query(description="`all` adds `state` events, and what the focus word cost; as published there are none."),
]


def contract_routes() -> list[BaseRoute]:
    """The routes of all operations, but for those whose routes are written by hand."""
    router = APIRouter()
    for resource in RESOURCES:
        for method, operation in operations(resource):
            if not operation.by_hand:
                _add(router, resource, method, signature(resource, method, operation))
    return router.routes


def _add(router: APIRouter, resource: Resource, method: str, asked: Signature) -> None:
    operation = asked.operation
    is_plain = not operation.media_type
    options: dict[str, Any] = {} if is_plain else {"response_class": Response}
    if operation.streams and is_plain:
        options["response_class"] = EventStream
    if asked.file is not None:
        options["openapi_extra"] = dict(FILE_BODY)
    bytes_or_text = {"type": "string"} | ({} if operation.media_type.startswith("text/") else {"format": "binary"})
    of_one = operation.status != 204 and any(each.are_ids and each.place == "path" for each in asked.arguments)
    reshaped = RESHAPED.get(asked.name)
    if reshaped is None and of_one:
        reshaped = Reshaped(get_args(asked.answer)[0], itemgetter(0))
    text = describe(asked.text if reshaped is None else reshaped.text or asked.text)
    if asked.pages:
        text += _WHOLE if asked.is_searched else _WHOLE + _UNSEARCHED
    answer = _answer_model(asked.answer) if reshaped is None else reshaped.kind
    router.add_api_route(
        asked.path,
        _endpoint(resource, method, asked, text, reshaped),
        methods=[operation.verb],
        name=asked.name,
        tags=[operation.tag or resource.tag],
        description=text,
        status_code=operation.status,
        response_model=answer if is_plain and operation.status != 204 and not operation.streams else None,
        responses=None if is_plain else {200: {"content": {operation.media_type: {"schema": bytes_or_text}}}},
        route_class_override=WriteRoute if operation.verb != "GET" and not operation.asks else None,
        **options,
    )


def _endpoint(resource: Resource, method: str, asked: Signature, text: str, reshaped: Reshaped | None) -> Any:
    """The function that FastAPI calls; its signature is made of the operation's, with all bounds."""
    operation = asked.operation
    fields = [each for each in asked.arguments if each.place == "field"]

    async def answer(request: Request, service: LocalService, **given: Any) -> Response:
        page, body, events = given.pop("page", None), given.pop("body", None), given.pop("events", "")
        if asked.file is not None:
            body = file_pieces(request)
        values = {each.name: _read(each, given[each.sent_as]) for each in asked.arguments if each.sent_as in given}
        values |= {each.name: getattr(body, each.sent_as) for each in fields}
        values |= {each.name: body for each in asked.arguments if each.place == "body"}
        call = asked.write_call(getattr(getattr(service, resource.attribute, service), method), values)
        if page is not None:
            more = {each.sent_as: given[each.sent_as] for each in asked.arguments if each.place == "query"}
            return await listed(request, call, page, more, is_searched=asked.is_searched)
        if operation.streams and operation.file_name:
            return await streamed(call(), attachment(operation.file_name), operation.media_type)
        if operation.streams:
            return await stream_answer(request, call(), everything=events == "all")
        result = await call()
        if operation.status == 204:
            return Response(status_code=204)
        if operation.media_type:
            return Response(result, media_type=operation.media_type)
        return json(result if reshaped is None else reshaped.make(result), operation.status)

    parameters = [_parameter("request", Request), _parameter("service", ServiceOf)]
    if asked.pages:
        parameters.append(_parameter("page", PageQueryIn))
    if fields:
        parameters.append(_parameter("body", body_of_fields(operation.body, text.partition("\n\n")[0], fields)))
    if operation.streams and not operation.media_type:
        parameters.append(_parameter("events", _Events, ""))
    for each in asked.arguments:
        if each.place == "record":
            parameters.append(_parameter(each.sent_as, QUERIES[each.kind]))
        elif each.place == "body" and each is not asked.file:
            parameters.append(_parameter("body", BODIES[each.kind]))
        elif each.place in ("path", "query"):
            parameters.append(_parameter(each.sent_as, *_kind(each, Path if each.place == "path" else Query)))
    answer.__signature__ = PythonSignature(parameters)  # type: ignore[attr-defined]  # what FastAPI goes by
    answer.__name__, answer.__qualname__ = asked.name, f"{resource.contract.__name__}.{method}"
    return answer


def _parameter(name: str, kind: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=default)


def _kind(argument: Argument, where: Any) -> tuple[Any, Any]:
    """The type of an argument in an address, and its default there: a list is a text with commas."""
    kind, default = argument.kind, argument.default
    if get_origin(kind) is Sequence:
        kind, default = str, ",".join(default)
    if argument.is_needed and NoneType in get_args(kind):
        default = None
    return Annotated[kind, where(**told_of(argument))], default


def _read(argument: Argument, given: Any) -> Any:
    """The value of an argument as the service takes it."""
    if argument.are_ids:
        return (given,)
    if get_origin(argument.kind) is Sequence:
        return tuple(each.strip() for each in given.split(",") if each.strip())
    return given


def _answer_model(answer: Any) -> Any:
    """The type of an answer as it is described: pages and tuples are arrays."""
    return list[get_args(answer)[0]] if get_origin(answer) in (Page, tuple) else answer  # type: ignore[misc]  # a type that is only known here


def describe(text: str) -> str:
    """What a method says of itself, without what it raises: who asks over HTTP gets an error with words of its own."""
    kept = _RAISES.sub(lambda found: "." if found[0].startswith(";") else "", cleandoc(text))
    return re.sub(r"\bNone\b", "`null`", kept).replace("``", "`").strip()
