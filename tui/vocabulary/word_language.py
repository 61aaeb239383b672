"""Language of a list of words that does not say it: out of what its reader learns, its script and its commonest words.

It is silent where that leaves a doubt: words that were marked in the wrong language would be nowhere to be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.language.detection import guess_language
from tui.language.scripts import is_word_of
from tui.language.tags import base_language

_SHARE = 0.8
"""Least share of the words that are in a script of the language."""


def language_of(texts: Sequence[str], learned: Iterable[str]) -> str | None:
    """The tag of the language of these words, out of those that are learned; None where it cannot be told."""
    guess = guess_language("\n".join(texts))
    fitting = [tag for tag in learned if _fits(texts, tag)]
    if guess is not None:
        return next((tag for tag in fitting if base_language(tag) == guess), None if fitting else guess)
    return fitting[0] if len(fitting) == 1 else None


def _fits(texts: Sequence[str], tag: str) -> bool:
    return bool(texts) and sum(is_word_of(tag, text) for text in texts) >= _SHARE * len(texts)
