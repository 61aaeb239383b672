"""Pitch accents of Japanese as text: an arrow follows the mora after which the pitch falls, はし as は↓し [1]."""

from __future__ import annotations

from tui.records.dictionaries import PitchAccent
from tui.text.sanitize import one_line

_WITH_THE_ONE_BEFORE = frozenset("ぁぃぅぇぉゃゅょゎァィゥェォャュョヮ")
_FALL = "↓"


def morae(reading: str) -> list[str]:
    """Morae of a reading in kana: a small vowel or y belongs to the kana before it, a small tsu is one by itself."""
    found: list[str] = []
    for kana in reading:
        if kana in _WITH_THE_ONE_BEFORE and found:
            found[-1] += kana
        else:
            found.append(kana)
    return found


def pitch_text(accent: PitchAccent) -> str:
    """Reading with an arrow where its pitch falls, and the number of that mora; 0 where it does not fall."""
    spoken = morae(one_line(accent.reading))
    if 0 < accent.position <= len(spoken):
        spoken.insert(accent.position, _FALL)
    return f"{''.join(spoken)} [{accent.position}]"
