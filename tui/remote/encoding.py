"""Encoding of requests: bodies, texts and parameters as HTTP can carry them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.errors import InvalidInput, search_too_long
from tui.records.pages import MAX_SEARCH_LENGTH
from tui.wire import codec

Params = Mapping[str, Any]


def encoded(body: Any) -> bytes | None:
    """Raises ``InvalidInput`` for a text with half a character, which JSON cannot hold."""
    try:
        return None if body is None else codec.encode(body)
    except UnicodeEncodeError:
        raise InvalidInput("a text has bytes in it that are no characters", hint="write it as UTF-8") from None


def sendable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def searchable(q: str) -> str:
    """Check a search that goes into an address. Raises ``InvalidInput`` for one that is too long, as the store does."""
    if len(q) > MAX_SEARCH_LENGTH:
        raise search_too_long(f"{MAX_SEARCH_LENGTH} characters")
    return q


def sendable_params(params: Params | None) -> dict[str, Any] | None:
    if params is None:
        return None
    return {name: sendable(value) if isinstance(value, str) else value for name, value in params.items()}
