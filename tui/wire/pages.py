"""Pages of a list over HTTP: how much one request may ask for, and the ``Link`` to the next page (RFC 8288)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qs, urlencode, urlsplit

MAX_ROWS = 1000
MAX_OFFSET = 10**12
MAX_HITS = 100_000
"""Cues of a transcript that a search names."""
MAX_FOLLOWED = 200
"""Jobs whose changes one stream tells."""
MAX_ID = 100
"""Characters of an id or a cursor: anything longer stands for nothing."""


def link_to_next(path: str, cursor: str, asked: Mapping[str, str]) -> str:
    """The header for the page behind the cursor of a list that was asked for with these parameters."""
    return f'<{path}?{urlencode({**asked, "after": cursor})}>; rel="next"'


def cursor_in(link: str) -> str | None:
    """The cursor in such a header; None where there is none."""
    found = re.search(r'<([^<>]*)>; *rel="?next"?', link)
    try:
        return None if found is None else parse_qs(urlsplit(found[1]).query).get("after", [None])[0]
    except ValueError:
        return None
