"""Codec that a server and its clients share: records and errors as JSON, headers, links to next pages (RFC 8288).

Records travel as objects of their fields; msgspec reads and writes them, a million clips in seconds.
What a newer server adds to a record is passed over by an older client.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec

from tui import errors
from tui.errors import LodeError, TemplateError
from tui.text.sanitize import without_controls

T = TypeVar("T")

INTERFACE = 1
"""Goes up when an older client could no longer work with a server, or the other way round."""
PROFILE_HEADER = "X-Profile-ID"
BEGINNINGS_HEADER = "X-Lode-Id-Beginnings"
"""Whoever sends it may write unambiguous beginnings of ids in paths: the app and the command line do."""
INTERFACE_HEADER = "X-Lode-Interface"
VERSION_HEADER = "X-Lode-Version"
TOTAL_HEADER = "X-Total-Count"
IDEMPOTENCY_HEADER = "Idempotency-Key"

_KINDS: dict[str, type[LodeError]] = {
    kind.code: kind
    for kind in (
        *(errors.InvalidInput, errors.NotFound, errors.StoreError, errors.ImportRefused, errors.ProviderError),
        *(TemplateError, errors.DeckError, errors.MediaError, errors.RemoteError, LodeError),
    )
}
"""The classes of errors by the code that each has unless it is given another."""

encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
"""Write the JSON of records, of lists and dictionaries of them, and of plain values."""


def decode(kind: type[T], data: bytes | bytearray | str) -> T:
    """The value of that type; raises ``ValueError`` where the JSON is none of it."""
    return msgspec.json.decode(data, type=kind)


def error_fields(error: LodeError) -> dict[str, Any]:
    """``code``, ``message`` and ``hint``; ``kind`` tells classes apart; ``field`` stands where there is one, and a
    template's error also has its place.
    """
    kind = next(name for name, each in _KINDS.items() if isinstance(error, each))
    fields: dict[str, Any] = {"code": error.code, "message": error.message, "hint": error.hint, "kind": kind}
    if error.field:
        fields["field"] = error.field
    if isinstance(error, TemplateError):
        fields |= {"line": error.line, "column": error.column}
    return fields


class _ErrorFields(msgspec.Struct):
    code: str
    message: str
    hint: str = ""
    kind: str = ""
    field: str = ""
    line: int = 0
    column: int = 0


def error_from(fields: object) -> LodeError:
    """The error that ``error_fields`` was made of, fit for a terminal; raises ``ValueError`` for what is none."""
    given = msgspec.convert(fields, _ErrorFields)
    kind = _KINDS.get(given.kind, LodeError)
    message, hint = without_controls(given.message), without_controls(given.hint)
    if issubclass(kind, TemplateError):
        return kind(message, line=given.line, column=given.column, hint=hint, code=given.code, field=given.field)
    return kind(message, hint=hint, code=given.code, field=given.field)


def link_to_next(path: str, cursor: str, asked: Mapping[str, object]) -> str:
    """The header for the page behind the cursor of a list that was asked for with these parameters."""
    return f'<{path}?{urlencode({**asked, "after": cursor})}>; rel="next"'


def cursor_in(link: str) -> str | None:
    """The cursor in such a header; None where there is none."""
    found = re.search(r'<([^<>]*)>; *rel="?next"?', link)
    try:
        return None if found is None else parse_qs(urlsplit(found[1]).query).get("after", [None])[0]
    except ValueError:
        return None
