"""AnkiConnect's wire: what a request asks for, and the shape in which its client expects the answer.

The version decides the shape: up to 4, and without one, the result stands bare, later ones have it in an object with
exactly the keys ``result`` and ``error``. An error has that object in every version. ``multi`` holds requests, each
with its own version and key. Source: AnkiConnect's plugin (git.sr.ht/~foosoft/anki-connect), and what its clients send.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tui.errors import InvalidInput, LodeError

VERSION = 6
BANNER = f"AnkiConnect v.{VERSION}".encode()
"""Answer of AnkiConnect to a request that asks for nothing."""
_BARE = 4
_ACTION_CHARS = 100
MAX_DEPTH = 3
"""Requests of ``multi`` within each other; clients have one within another at most."""
MAX_ACTIONS = 5_000
"""Actions of one request, with all that are within it."""


@dataclass(frozen=True, slots=True)
class InboxRequest:
    """An action with its parameters; ``version`` is the client's, ``key`` is "" where it sent none."""

    action: str
    params: Mapping[str, Any]
    version: int = _BARE
    key: str = ""


def read_request(value: object) -> InboxRequest:
    """Read a request out of its JSON value. Raises ``InvalidInput`` for what is none.

    Parameters may be missing, and Lua writes an empty table as a list.
    """
    if not isinstance(value, Mapping):
        raise InvalidInput("a request is an object with an action")
    action, params, version, key = (value.get(name) for name in ("action", "params", "version", "key"))
    if not isinstance(action, str) or not action:
        raise InvalidInput("the request names no action")
    return InboxRequest(
        action[:_ACTION_CHARS],
        params if isinstance(params, Mapping) else {},
        int(version) if isinstance(version, (int, float)) and abs(version) < 1_000 else _BARE,
        key if isinstance(key, str) else "",
    )


def write_answer(request: InboxRequest, result: object) -> object:
    """Write a result in the shape that its client expects."""
    return result if request.version <= _BARE else {"result": result, "error": None}


def write_error(error: LodeError) -> dict[str, object]:
    """Write what went wrong, with what to do about it where that is known."""
    return {"result": None, "error": f"{error.message}: {error.hint}" if error.hint else error.message}


def make_unsupported() -> LodeError:
    """Make the error of an action that there is not; some clients then try an older one, by just these words."""
    return LodeError("unsupported action", code="unsupported_action")


def read_inner(request: InboxRequest) -> list[InboxRequest]:
    """The requests within one of ``multi``. Raises ``InvalidInput`` where one is none."""
    return [read_request(each) for each in read_list(request.params, "actions")]


def check_size(request: InboxRequest, depth: int = 0) -> int:
    """Count the actions of a request. Raises ``InvalidInput`` where they are too many, or too deep in each other."""
    if request.action != "multi":
        return 1
    if depth >= MAX_DEPTH:
        raise InvalidInput(f"multi stands within itself more than {MAX_DEPTH} times")
    inner = request.params.get("actions")
    count = len(inner) if isinstance(inner, list) else 0
    if count <= MAX_ACTIONS:
        count = 1 + sum(check_size(each, depth + 1) for each in read_inner(request))
    if count > MAX_ACTIONS:
        raise InvalidInput(f"a request has {MAX_ACTIONS} actions at most")
    return count


def read_list(params: Mapping[str, Any], name: str) -> list[Any]:
    """A list of the parameters; Lua writes an empty one as an object."""
    value = params.get(name)
    return value[:MAX_ACTIONS] if isinstance(value, list) else []


def read_numbers(params: Mapping[str, Any], name: str) -> list[int]:
    """The numbers of a list of notes or cards; some clients send them as texts."""
    found = (each for each in read_list(params, name) if isinstance(each, (int, str)) and not isinstance(each, bool))
    return [int(each) for each in found if str(each).isdecimal() and len(str(each)) < 19]
