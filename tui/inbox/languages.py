"""Language of a note: what its deck is called, what its text is in, else the only one that somebody learns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from tui.language.detection import guess_language
from tui.language.tags import base_language, language_names
from tui.text.sanitize import one_line

_BETWEEN = re.compile(r"::|[\s_\-/|()\[\]]+")

_LEAST_OF_A_NAME = 4
"""Letters of an English name: of shorter ones many are words of something else ("Mon", "Ga")."""
_OWN_NAMES = {
    "ar": "العربية",
    "cs": "čeština",
    "da": "dansk",
    "de": "deutsch",
    "el": "ελληνικά",
    "es": "español espanol castellano",
    "fi": "suomi",
    "fr": "français francais",
    "he": "עברית",
    "hi": "हिन्दी",
    "id": "indonesia",
    "it": "italiano",
    "ja": "日本語 nihongo",
    "ko": "한국어",
    "nl": "nederlands",
    "no": "norsk",
    "pl": "polski",
    "pt": "português portugues",
    "ru": "русский",
    "sv": "svenska",
    "th": "ไทย",
    "tr": "türkçe",
    "uk": "українська",
    "vi": "tiếng",
    "zh": "中文 汉语 漢語 mandarin",
}
"""What languages are called in themselves, in small letters."""


def find_language(deck: str, text: str, learned: Sequence[str]) -> str | None:
    """Find the tag of a note's language; None where nothing tells it.

    Of the languages that are ``learned`` the tag is theirs: "pt-BR" for a deck that is called Portuguese.
    """
    found = _of_deck(deck) or guess_language(one_line(text)) or (learned[0] if len(learned) == 1 else None)
    return next((tag for tag in learned if found and base_language(tag) == base_language(found)), found)


def _of_deck(deck: str) -> str | None:
    """The language that a deck's name names, the last part of it first: "Mining::Japanese", "日本語 N3"."""
    names = _tags_by_name()
    for part in reversed(deck.split("::")):
        for word in (part.strip(), *_BETWEEN.split(part)):
            if tag := names.get(word.casefold()):
                return tag
    return None


@cache
def _tags_by_name() -> dict[str, str]:
    english = {name.casefold(): tag for tag, name in language_names().items() if len(name) >= _LEAST_OF_A_NAME}
    return english | {name: tag for tag, names in _OWN_NAMES.items() for name in names.split()}
