"""Certainty of a detected encoding: whether a file may be read in it without a question.

Measured with excerpts of one line and more in seventy languages and every encoding that holds them: where one codec
alone makes sense of the text, and chardet reads it just so, hardly any is wrong, however short it is.
"""

from __future__ import annotations

import re

from tui.importing.encoding.detection import Candidate, detect, telling_lines
from tui.language.scripts import script_pattern
from tui.language.tags import base_language

_FIT, _WORDS = 0.9, 0.3
"""Minimum fit and share of common words of a text that chardet reads the same; with that fit, a reading of chardet's
speaks against another."""
_FEW, _WORDS_OF_FEW = 4, 0.4
"""With fewer characters beyond ASCII they have to be Latin letters, in a text with that share of common words of the
language that its other words are of."""
_FIT_ALONE, _WORDS_ALONE, _BYTES_ALONE = 0.95, 0.4, 20
"""Minimum fit, share of common words, and bytes of characters beyond ASCII, of a text that chardet cannot read."""
_LATIN = script_pattern("Latin")
_TYPOGRAPHIC = frozenset("’‘“”…–—")
_INNER_APOSTROPHE = re.compile(r"(?<=\w)’(?=\w)")
_CONTRACTION = re.compile(
    r"\b(?:(?:it|that|there|he|she|what|who|let|here|where|how|when)’s|i’m|(?:i|you|we|they)’(?:ve|ll|d|re)"
    r"|(?:do|does|did|wo|would|ca|could|is|are|was|were|has|have|had|should|must|ai)n’t)\b",
    re.IGNORECASE,
)
"""English words that have an apostrophe, in which no letter of another encoding makes sense."""


def certain_encoding(data: bytes, tag: str | None) -> str | None:
    """Find the one codec that the bytes read well in, where nothing comes near it and there is enough to tell by.

    ``tag`` is the language that the file is said to be in.
    """
    found = detect(data, tag)
    if len(found.near) != 1 or is_damaged_utf_8(data):
        return None
    (only,) = found.near
    second = next((each for each in found.ranked if each.is_seconded), None)
    is_contested = second is not None and second.plausibility.fit >= _FIT and second.letters >= only.letters
    is_certain = (
        _has_contractions(only)
        or (only.is_seconded and _is_enough(only, found.language))
        or (not is_contested and _speaks_for_itself(only))
    )
    return only.codec if is_certain else None


def is_damaged_utf_8(data: bytes) -> bool:
    """Whether most of what is beyond ASCII is UTF-8: it is that with a few bytes lost, not another encoding."""
    sample = telling_lines(data).decode("utf-8", "replace")
    beyond = sum(char > "\x7f" for char in sample)
    return beyond > 2 * sample.count("\ufffd")


def _is_enough(only: Candidate, told: str | None) -> bool:
    reads = only.plausibility
    if only.characters >= _FEW:
        return reads.fit >= _FIT and reads.words >= _WORDS
    if base_language(told) != base_language(reads.language):
        return False
    is_latin = all(_LATIN.match(char) for char in only.sample if char > "\x7f" and char.isalpha())
    is_apostrophe = _INNER_APOSTROPHE.search(only.sample) is not None  # or the í of "Luís"
    return is_latin and not is_apostrophe and reads.fit >= _FIT and reads.words >= _WORDS_OF_FEW


def _speaks_for_itself(only: Candidate) -> bool:
    reads = only.plausibility
    beyond = "".join(char for char in only.sample if char > "\x7f").encode(only.codec, "ignore")
    return reads.fit >= _FIT_ALONE and reads.words >= _WORDS_ALONE and len(beyond) >= _BYTES_ALONE


def _has_contractions(only: Candidate) -> bool:
    """Whether nothing beyond ASCII is there but the quotes and dashes of an English text, some in "don’t" or "it’s"."""
    beyond = {char for char in only.sample if char > "\x7f"}
    return beyond <= _TYPOGRAPHIC and _CONTRACTION.search(only.sample) is not None
