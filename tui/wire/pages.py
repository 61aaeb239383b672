"""Pages of a list over HTTP: the ``Link`` to the next page (RFC 8288)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qs, urlencode, urlsplit


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
