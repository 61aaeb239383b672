"""Phrases of own words on one line, as people read and type them: "Bescheid sagen = to tell; Bescheid wissen"."""

from __future__ import annotations

from collections.abc import Sequence

from tui.records.own_words import OwnPhrase


def written_phrases(phrases: Sequence[OwnPhrase]) -> str:
    """The phrases on one line, which ``read_phrases`` reads."""
    return "; ".join(f"{each.text} = {each.meaning}" if each.meaning else each.text for each in phrases)


def read_phrases(line: str) -> tuple[OwnPhrase, ...]:
    """The phrases that were typed on one line."""
    pairs = (part.partition("=") for part in line.split(";"))
    return tuple(OwnPhrase(text.strip(), meaning.strip()) for text, _, meaning in pairs if text.strip())
