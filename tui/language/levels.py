"""Levels of learners: those of the CEFR for every language, and the exams that some languages have of their own.

How many words a level has is told by lists of words for German (Goethe-Institut: A1 650, A2 1,300, B1 2,400) and
Chinese (HSK 2021), for the lower levels of Korean (TOPIK I: 800, 2,000), and estimated for all others.

CEFR A1–C2; JLPT N5–N1 (https://www.jlpt.jp/e/about/levelsummary.html); HSK 1–9, as since 2021
(https://www.chinesetest.cn/HSK); TOPIK 1–6 (https://www.topik.go.kr).
"""

import re

from tui.language.tags import base_language

CEFR = ("A1", "A2", "B1", "B2", "C1", "C2")
_EXAMS = {
    "ja": ("N5", "N4", "N3", "N2", "N1"),
    "zh": tuple(f"HSK{level}" for level in range(1, 10)),
    "ko": tuple(f"TOPIK{level}" for level in range(1, 7)),
}
_WORDS = {
    **dict(zip(CEFR, (650, 1_300, 2_400, 4_000, 8_000, 16_000), strict=True)),
    **dict(zip(_EXAMS["ja"], (800, 1_500, 3_750, 6_000, 10_000), strict=True)),
    **dict(zip(_EXAMS["zh"], (500, 1_272, 2_245, 3_245, 4_316, 5_456, 7_300, 9_200, 11_092), strict=True)),
    **dict(zip(_EXAMS["ko"], (800, 2_000, 3_000, 4_500, 6_000, 8_000), strict=True)),
}
"""Words that whoever has reached a level knows, those of the levels below it included."""
_BETWEEN = re.compile(r"[\s_-]+")


def list_levels(language: str) -> tuple[str, ...]:
    """The levels of a language (BCP 47), the lowest first; those of its own exam before those of the CEFR."""
    return (*_EXAMS.get(base_language(language), ()), *CEFR)


def normalise_level(language: str, level: str) -> str | None:
    """A level as it is usually written ("hsk 3" → "HSK3"), "" for a blank one; None for one that there is not."""
    name = _BETWEEN.sub("", level).upper()
    return name if not name or name in list_levels(language) else None


def count_words_below(level: str) -> int:
    """How many words are known at the levels below this one, which is written as usual; 0 for the lowest, or none."""
    for levels in (CEFR, *_EXAMS.values()):
        if level in levels[1:]:
            return _WORDS[levels[levels.index(level) - 1]]
    return 0
