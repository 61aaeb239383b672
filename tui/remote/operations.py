"""Operations of a remote library: requests out of what stands at the protocol's methods, and their answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from typing import Any, get_args

from tui.records.clip_selection import ClipSelection
from tui.records.pages import to_json
from tui.remote.client import Client
from tui.remote.encoding import Upload, searchable, sendable_ids
from tui.service.protocol.operation import Operation
from tui.service.protocol.signatures import RESOURCES, Argument, Resource, signature
from tui.wire.word_marks import grouped


class RemotePart:
    """Base of the parts of a remote library: has every operation that its protocol has and it has not itself."""

    def __init__(self, client: Client, resource: Resource | None = None) -> None:
        self._client = client
        self._resource = resource or next(each for each in RESOURCES if each.contract in type(self).__mro__)

    async def perform(self, method: str, operation: Operation, args: Sequence[Any], named: dict[str, Any]) -> Any:
        """Ask for an operation with the arguments of its method."""
        client, asked = self._client, signature(self._resource, method, operation)
        values = asked.read_call(args, named)
        path, query, body = self._request(method, operation, values)
        kind: Any = asked.answer
        if asked.pages:
            place = {each.name: values[each.name] for each in asked.arguments if each.place == "page"}
            page = await client.page(get_args(kind)[0], path, **place, more=query)
            # Lists without a search, a transcript's lines, have no offset behind their end.
            return page if "q" in place else replace(page, offset=min(page.offset, page.total))
        if operation.media_type:
            return await client.content(path, query)
        if isinstance(body, Upload):
            return await client.send(kind, path, query, body, asks=operation.asks)
        if operation.verb == "GET" or operation.asks:
            answer = await client.read(kind, path, query, body, is_slow=operation.is_slow)
        else:
            answer = await client.write(kind, operation.verb, path, body, query)
        return answer[: max(0, values["limit"])] if "limit" in values else answer

    async def stream(
        self, method: str, operation: Operation, args: Sequence[Any], named: dict[str, Any]
    ) -> AsyncGenerator[Any, None]:
        """Ask for an operation whose answer comes in pieces: the bytes of a file."""
        values = signature(self._resource, method, operation).read_call(args, named)
        path, query, body = self._request(method, operation, values)
        async with self._client.download(path, query, body) as pieces:
            async for piece in pieces:
                yield piece

    def _request(self, method: str, operation: Operation, values: dict[str, Any]) -> tuple[str, dict[str, str], Any]:
        """The path, the query and the body."""
        asked = signature(self._resource, method, operation)
        path, body, query = asked.path, None, dict(operation.fixed)
        fields: dict[str, Any] = {}
        for each in asked.arguments:
            value = _sendable(each, values[each.name])
            match each.place:
                case "path" if isinstance(value, str):
                    table = each.sent_as.removesuffix("_id") + "s"
                    path = path.replace(f"{{{each.sent_as}}}", self._client.segment(table, value))
                case "path":
                    path = path.replace(f"{{{each.sent_as}}}", str(value))
                case "query" if value is not None and value != each.default:
                    query[each.sent_as] = _in_address(value)
                case "field":
                    fields[each.sent_as] = value
                case "record":
                    query |= {name: _in_address(part) for name, part in to_json(value).items() if part is not None}
                case "body":
                    body = value
        return path, query, fields or body


def selected(selection: ClipSelection, name: str = "") -> dict[str, str]:
    """The selection but for its ids, and the name of a deck, as parameters.

    A moment is one of this machine's time, wherever the server is.
    """
    from tui.exporting.formats import read_moment

    since = read_moment(selection.since, field="since").isoformat() if selection.since else ""
    only_new = "true" if selection.only_new else ""
    params = {"q": searchable(selection.q), "tag": selection.tag, "since": since, "only_new": only_new}
    return {key: value for key, value in {"name": name if name.strip() else "", **params}.items() if value}


def _sendable(argument: Argument, value: Any) -> Any:
    """The value of an argument as it is sent, within the bounds that the service itself would bring it to."""
    bound = argument.bound
    if argument.are_ids:
        return sendable_ids(value)
    if argument.name == "q":
        return searchable(value)
    if isinstance(value, ClipSelection):
        return {"ids": sendable_ids(value.ids), **selected(value)}
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
    return str(value) if isinstance(value, str | int) else ",".join(value)
