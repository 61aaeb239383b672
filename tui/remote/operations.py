"""Operations of a remote library: requests out of what stands at the protocol's methods, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar, get_args

from tui.records.exports import ClipSelection
from tui.records.pages import to_json
from tui.remote.client import Client
from tui.remote.deck_merge import selected
from tui.remote.encoding import searchable, sendable
from tui.service.protocol.operation import Operation
from tui.service.protocol.signatures import RESOURCES, Argument, Resource, Signature, signature
from tui.wire.word_marks import grouped

P = ParamSpec("P")
R = TypeVar("R")


class RemotePart:
    """Base of the parts of a remote library: has every operation that its protocol has and it has not itself."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._resource = next(each for each in RESOURCES if each.contract in type(self).__mro__)

    async def perform(self, method: str, operation: Operation, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return await perform(self._client, self._resource, method, operation, args, named)


def make_part(part: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
    """A part of a remote library: called itself it would seem abstract to mypy, which cannot know of ``perform``."""
    return part(*given, **named)


async def perform(
    client: Client, resource: Resource, method: str, operation: Operation, args: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    """Ask for an operation with the arguments of its method."""
    asked = signature(resource, method, operation)
    values = asked.read_call(args, named)
    path, query, body = _request(client, asked, values)
    kind: Any = asked.answer
    if asked.pages:
        place = {each.name: values[each.name] for each in asked.arguments if each.place == "page"}
        page = await client.page(get_args(kind)[0], path, **place, more=query)
        # Lists without a search, a transcript's lines, have no offset behind their end.
        return page if "q" in place else replace(page, offset=min(page.offset, page.total))
    if operation.media_type:
        return await client.content(path, query)
    if operation.verb == "GET" or operation.asks:
        answer = await client.read(kind, path, query, body, is_slow=operation.is_slow)
    else:
        answer = await client.write(kind, operation.verb, path, body, query)
    return answer[: max(0, values["limit"])] if "limit" in values else answer


def _request(client: Client, asked: Signature, values: Mapping[str, Any]) -> tuple[str, dict[str, str], Any]:
    """The path, the query and the body."""
    path, body = asked.path, None
    query = dict(asked.operation.fixed)
    fields: dict[str, Any] = {}
    for each in asked.arguments:
        value = _sendable(client, each, values[each.name])
        match each.place:
            case "path" if isinstance(value, str):
                table = each.sent_as.removesuffix("_id") + "s"
                path = path.replace(f"{{{each.sent_as}}}", client.segment(table, value))
            case "path":
                path = path.replace(f"{{{each.sent_as}}}", str(value))
            case "query" if value is not None and value != each.default:
                query[each.sent_as] = _in_address(value)
            case "field":
                fields[each.sent_as] = value
            case "body" if asked.operation.verb == "GET":
                query |= {name: str(part) for name, part in to_json(value).items()}
            case "body":
                body = value
    return path, query, fields or body


def _sendable(client: Client, argument: Argument, value: Any) -> Any:
    """The value of an argument as it is sent, within the bounds that the service itself would bring it to."""
    bound = argument.bound
    if argument.are_ids:
        return client.ids(value)["ids"]
    if argument.name == "q":
        return searchable(value)
    if isinstance(value, ClipSelection):
        return {**client.ids(value.ids), **selected(value)}
    if argument.sent_as == "groups":
        return grouped(value)
    if bound.sent:
        return value[: bound.sent]
    if bound.trims and value is not None:
        return min(max(value, bound.least), bound.most)
    return value


def _in_address(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return sendable(str(value)) if isinstance(value, str | int) else ",".join(value)
