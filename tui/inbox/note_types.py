"""Note types and decks that clients are offered: Lode's own, and one with the fields of Lapis."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from tui.deck.note_type import FIELDS, NAME

OWN_FIELDS = (*FIELDS, "ExpressionFurigana", "ExpressionAudio", "Glossary", "URL")
"""Lode's fields, and those that only the inbox has: more of what Yomitan can fill in."""
_LAPIS = (
    *("Expression", "ExpressionFurigana", "ExpressionReading", "ExpressionAudio", "SelectionText", "MainDefinition"),
    *("DefinitionPicture", "Sentence", "SentenceFurigana", "SentenceAudio", "Picture", "Glossary", "Hint"),
    *("IsWordAndSentenceCard", "IsClickCard", "IsSentenceCard", "IsAudioCard", "PitchPosition", "PitchCategories"),
    *("Frequency", "FreqSort", "MiscInfo"),
)
OFFERED: Mapping[str, Sequence[str]] = {NAME: OWN_FIELDS, f"{NAME} (Lapis)": _LAPIS}
"""Note types that are always there, with their fields."""
DECK = "Lode"


def number_of(name: str) -> int:
    """A number of 13 digits for a deck or a note type, the same each time: clients want one of Anki's kind."""
    digest = int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big")
    return 1_300_000_000_000 + digest % 300_000_000_000
