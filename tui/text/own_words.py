"""Phrases of own words on one line, as people read and type them: "Bescheid sagen = to tell; Bescheid wissen"."""

from __future__ import annotations

from collections.abc import Sequence

from tui.records.own_words import OwnPhrase


def written_phrases(phrases: Sequence[OwnPhrase]) -> str:
    """The phrases on one line, which ``read_phrases`` reads."""
    return "; ".join(f"{each.text} = {each.meaning}" if each.meaning else each.text for each in phrases)


def read_phrases(line: str) -> tuple[OwnPhrase, ...]:
    """The phrases that were typed on one line."""
    return tuple(each for each in map(read_phrase, line.split(";")) if each.text)


def read_phrase(typed: str) -> OwnPhrase:
    """One phrase as it is typed, with or without a meaning: "Bescheid sagen = to tell"."""
    text, _, meaning = typed.partition("=")
    return OwnPhrase(text.strip(), meaning.strip())
