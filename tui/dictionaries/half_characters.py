"""Halves of characters in JSON: escapes of one surrogate only, which ``json`` lets through and ``msgspec`` refuses."""

from __future__ import annotations

import re

_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole character
    rb"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\."
)


def without_half_characters(data: bytes) -> bytes:
    """The JSON with U+FFFD in the place of half a character, so that its row is not lost for it."""
    return _ESCAPE.sub(lambda match: rb"\ufffd" if match["half"] else match[0], data)
