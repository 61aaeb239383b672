"""A few lines of dialogue in every language whose texts are found in encodings older than Unicode."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

_TONES = "\u0300\u0301\u0303\u0309\u0323"


def _tones_apart(text: str) -> str:
    """Vietnamese as code page 1258 has it: the tones are characters of their own."""
    return "".join(
        unicodedata.normalize("NFC", "".join(part for part in parts if part not in _TONES))
        + "".join(part for part in parts if part in _TONES)
        for parts in (unicodedata.normalize("NFD", char) for char in text)
    )


_PARTS = re.split(r"^\[([\w-]+)\]$", Path(__file__).with_suffix(".txt").read_text("utf-8"), flags=re.MULTILINE)
DIALOGUES = {language: f"{text.rstrip()}\n" for language, text in zip(_PARTS[1::2], _PARTS[2::2], strict=True)}
"""Language (Chinese: with its script) → five lines or so, behind an empty one."""
DIALOGUES["vi"] = _tones_apart(DIALOGUES["vi"])
