"""Names of codecs: which of Python's a name means, and which of them a file can be in."""

from __future__ import annotations

import codecs

_NO_FILE_CODECS = ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "charmap", "utf-7")
"""Codecs for names, source code and mail: no file is in them, and they change what a plain one says."""


def text_codec(encoding: str) -> str | None:
    """Python's name of the codec, None where no file is in an encoding of this name."""
    if encoding.lower().startswith("mojibake"):
        from tui.importing.encoding import mojibake  # noqa: F401 - Python knows its codecs once it is imported

    try:
        "a".encode(encoding)  # refuses codecs between bytes and bytes, such as hex
        codec = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        return None
    return None if codec in _NO_FILE_CODECS else codec
