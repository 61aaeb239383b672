"""The corpus beside the repository and what is expected of its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
IS_HERE = (CORPUS / "EXPECTED.json").exists()
REASON = "the corpus lies beside the repository and is not here"
EXPECTED: dict[str, dict[str, Any]] = (
    json.loads((CORPUS / "EXPECTED.json").read_text("utf-8"))["files"] if IS_HERE else {}
)
RECOGNISED = ("ascii", "utf-8", "utf-16-le")
"""Encodings that need not be named."""


def files(*formats: str) -> list[str]:
    return [name for name, facts in EXPECTED.items() if facts["format"] in formats]


def encoding_of(name: str) -> str | None:
    """The encoding to name for the file, None where it is recognised."""
    encoding: str = EXPECTED[name]["encoding"]
    return None if encoding in RECOGNISED else encoding
