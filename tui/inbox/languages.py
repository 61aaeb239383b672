"""Language of a note: what its deck is called, its subtitle, what its text is in, else the only one that is learned."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tui.importing.file_name import find_named_language, read_file_name
from tui.language.detection import guess_language
from tui.language.tags import base_language
from tui.text.sanitize import one_line

_BETWEEN = re.compile(r"::|[\s_\-/|()\[\]]+")
_LEAST_OF_A_NAME = 4
"""Letters of a language's English name: of shorter ones many are words of something else ("Mon", "Ga")."""


def find_language(deck: str, source: str, text: str, learned: Sequence[str]) -> str | None:
    """Find the tag of a note's language; None where nothing tells it. ``source`` is what its subtitle is called.

    Of the languages that are ``learned`` the tag is theirs: "pt-BR" for a deck that is called Portuguese.
    """
    found = _find_in_deck(deck) or read_file_name(source).language or guess_language(one_line(text))
    found = found or (learned[0] if len(learned) == 1 else None)
    return next((tag for tag in learned if found and base_language(tag) == base_language(found)), found)


def _find_in_deck(deck: str) -> str | None:
    """The language that a deck's name names, the last part of it first: "Mining::Japanese", "日本語 N3"."""
    for part in reversed(deck.split("::")):
        for word in (part.strip(), *_BETWEEN.split(part)):
            if (len(word) >= _LEAST_OF_A_NAME or not word.isascii()) and (tag := find_named_language(word)):
                return tag
    return None
