"""Optional fields of requests: remembers which of them a server refuses for a model, and leaves those out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tui.llm.http.errors import RefusedRequest
from tui.llm.wires.wire_format import ApiCall, OptionalFields, merged

ABOUT_PARAMETER = re.compile(
    r"(?:unknown|unsupported|unrecogni[sz]ed|unexpected|invalid|extra|additional|not (?:supported|permitted|allowed))"
    r".{0,60}(?:field|parameter|argument|input|propert|key|name)"
    r"|(?:field|parameter|argument|input|propert).{0,60}(?:unknown|unsupported|not (?:supported|permitted|allowed))",
    re.IGNORECASE | re.DOTALL,
)


class OptionalFieldsMemory:
    def __init__(self) -> None:
        self._refused: set[tuple[str, str]] = set()

    def added(
        self, call: ApiCall, fields: tuple[OptionalFields, ...], model: str
    ) -> tuple[ApiCall, tuple[OptionalFields, ...]]:
        """Add the fields that have not been refused yet to a call; gives these too."""
        taken = tuple(each for field in fields if (each := self._not_refused(field, model)) is not None)
        body: Mapping[str, Any] = call.body or {}
        for field in taken:
            body = merged(body, field.fields)
        return replace(call, body=body), taken

    def _not_refused(self, extra: OptionalFields | None, model: str) -> OptionalFields | None:
        while extra is not None and (extra.name, model) in self._refused:
            extra = extra.fallback
        return extra

    def drop(
        self, fields: tuple[OptionalFields, ...], model: str, error: RefusedRequest, *general: re.Pattern[str]
    ) -> bool:
        """Remember the fields that the refusal is about; whether there are any."""
        meant = [field for field in fields if is_about(error, field.about, *general)]
        self._refused.update((field.name, model) for field in meant)
        return bool(meant)


def is_about(error: RefusedRequest, *topics: re.Pattern[str]) -> bool:
    return any(topic.search(error.about) for topic in topics)
