"""Language and encoding as people type them where a file is added or read again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FORCED = "!"
"""Suffix of an encoding that is to be used in any case, as with ``--force`` on the command line."""


def reading_refusal(language: str, encoding: str) -> tuple[str, str] | None:
    """Which of the two cannot be meant, "language" or "encoding", and why; an empty one is none."""
    from tui.importing.encoding.decode import find_text_codec
    from tui.language.tags import language_tags

    if language and language_tags(language) is None:
        return (
            "language",
            f"{language[:40]!r} is no language tag: use one such as de or pt-BR, or two: de+en",
        )
    if (named := encoding.removesuffix(FORCED)) and find_text_codec(named) is None:
        return "encoding", f"there is no encoding {named[:40]!r}: use one such as windows-1251 or cp932"
    return None


def named_options(typed: Mapping[str, str]) -> dict[str, Any]:
    """What was typed as the options of the service that reads a file; what was left empty is not named."""
    encoding = typed.get("encoding", "")
    return {
        "language": typed.get("language") or None,
        "encoding": encoding.removesuffix(FORCED) or None,
        "force": encoding.endswith(FORCED),
    }
