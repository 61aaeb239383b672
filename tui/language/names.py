"""Names in texts: words that have a capital inside of sentences and are never written small.

No word list is asked, so what else is always written so counts as a name too ("Navidad"). Nothing is told of languages
that write all nouns with a capital, and of scripts that have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from tui.language.forms.capitals import has_capital_nouns
from tui.language.scripts import written_in
from tui.language.tags import base_language, language_names

SMALL, CAPITAL = 1, 2
"""Ways in which a form is written somewhere, as bits: small, and with a capital inside of a sentence."""
_CASED = {"Latin", "Greek", "Cyrillic", "Armenian"}
_BLOCKS = (range(0x41, 0x588), range(0x1E00, 0x2000))
_ELIDING = ("fr", "it", "ca", "pt", "oc")
_ALWAYS_CAPITAL = {
    "en": "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december",
    "el": "δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος"
    " ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος",
}
"""Languages → common words that they write with a capital; English its names of languages besides."""


def has_names(language: str | None) -> bool:
    """Whether a capital tells names from other words in this language."""
    base = base_language(language)
    return bool(base) and not has_capital_nouns(base) and not _CASED.isdisjoint(written_in(base) or _CASED)


def capitals_inside(text: str, language: str) -> Iterator[str]:
    """The words with a capital that stand inside of sentences: behind a word in small letters, or a comma behind one.

    What stands first in a line is left out, since a sentence may begin there; so are words in capitals throughout.
    """
    for match in _candidates(base_language(language)).finditer(text):
        before = match.start() - (text[match.start() - 1] in ",;")
        if before > 0 and text[before - 1].islower() and (word := _first_word(match["word"], language)):
            yield word


@lru_cache(4096)
def _first_word(text: str, language: str) -> str:
    """The first word, "" where everybody writes it with a capital; cached, since texts have few names often."""
    from tui.language.words import words

    word = words(text, language)[0].text
    return "" if word.lower() in _always_capital(base_language(language)) else word


@cache
def _candidates(base: str) -> re.Pattern[str]:
    letters = [chr(point) for block in _BLOCKS for point in block]
    upper = "".join(letter for letter in letters if letter.isupper())
    lower = "".join(letter for letter in letters if letter.islower())
    before = "[ \u00a0'’]" if base in _ELIDING else "[ \u00a0]"
    return re.compile(rf"{before}(?P<word>[{upper}][{lower}][^\W_]*(?:['’-]\w+)*)")


@cache
def _always_capital(base: str) -> frozenset[str]:
    listed = frozenset(_ALWAYS_CAPITAL.get(base, "").split())
    return listed if base != "en" else listed | {name.lower() for name in language_names().values()}
