"""Error bodies: reads the message out of whatever a server says went wrong."""

from __future__ import annotations

import json
import re
from typing import Any

MAX_READ = 16_000
"""Maximum characters of a body that are looked through, so that no expression has much to chew on."""
_DUMPED = re.compile(
    r"""['"]loc['"]:\s*[(\[](?P<loc>[^)\]]{0,200})[)\]],\s*"""
    r"""['"]msg['"]:\s*(?:'(?P<msg>[^']{0,500})'|"(?P<quoted>[^"]{0,500})")"""
)
"""A failed validation as Python prints it: FastAPI's servers send that as a text."""
_INNARDS = re.compile(
    r"""^Traceback \(most recent call last\):|^\s*File ".{0,500}", line \d+.{0,200}$|\[type=\w+, input.{0,500}\]$"""
    r"""|^\s*For further information visit \S+$""",
    re.MULTILINE,
)
"""Lines of a stack and of Pydantic's, which tell nobody anything who did not write the server."""
_FILE = re.compile(
    r"""(?<![\w/\\:.])(?:[A-Za-z]:[\\/]|~?/)(?:[^\s"'`<>|:*?\\/,;()\[\]{}]{1,255}[\\/]){1,40}"""
    r"""([^\s"'`<>|:*?\\/,;()\[\]{}]{1,255}\.[A-Za-z]\w{0,9})(?![\w-])"""
)
"""An absolute path of a file; group 1 is its name."""
_PAGE_TITLE = re.compile(r"<title[^>]{0,200}>(.{0,500}?)</title>", re.IGNORECASE | re.DOTALL)


def loads(text: str | bytes) -> Any:
    """The JSON value; raises ``ValueError`` for everything else, numbers without end and deep nesting included."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def error_text(body: bytes | str) -> str:
    """Read the message of an error body, a text, an object, a list, ``detail`` or a page; "" where there is none."""
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
    text = text.strip().removeprefix("\ufeff")
    try:
        said = message_in(loads(text))
    except ValueError:
        if not text.startswith("<"):
            return _readable(text)
        title = _PAGE_TITLE.search(text[:MAX_READ])
        return f"a web page: {title.group(1)}" if title else "a web page"
    return said


def message_in(value: Any, depth: int = 0) -> str:
    """The message in a decoded error value."""
    if depth > 6 or value is None or isinstance(value, bool):
        return ""
    if isinstance(value, (str, int, float)):
        return _readable(str(value))
    if isinstance(value, list):
        return "; ".join(filter(None, (message_in(each, depth + 1) for each in value[:5])))
    if not isinstance(value, dict):
        return ""
    for name in ("error", "message", "msg", "detail", "errors", "error_description", "title", "type", "code"):
        if said := message_in(value.get(name), depth + 1):
            where = value.get("loc")
            if name == "msg" and isinstance(where, list):
                return f"{'.'.join(str(part) for part in where)}: {said}"
            return said
    return ""


def _readable(text: str) -> str:
    """A server's message without what only tells of its innards: dumps, stacks and the places of its files."""
    text = text[:MAX_READ]
    if dumped := list(_DUMPED.finditer(text)):
        return "; ".join(dict.fromkeys(_validated(each) for each in dumped[:5]))
    return _FILE.sub(r"\1", _INNARDS.sub("", text)).strip()


def _validated(dumped: re.Match[str]) -> str:
    where = [part.strip(" '\"") for part in dumped["loc"].split(",")]
    return f"{'.'.join(part for part in where if part not in ('', 'body'))}: {dumped['msg'] or dumped['quoted'] or ''}"
