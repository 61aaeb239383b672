"""Levels of learners: those of the CEFR for every language, and the exams that some languages have of their own.

CEFR A1–C2; JLPT N5–N1 (https://www.jlpt.jp/e/about/levelsummary.html); HSK 1–9, as since 2021
(https://www.chinesetest.cn/HSK); TOPIK 1–6 (https://www.topik.go.kr).
"""

from __future__ import annotations

import re

from tui.language.tags import base_language

CEFR = ("A1", "A2", "B1", "B2", "C1", "C2")
_EXAMS = {
    "ja": ("N5", "N4", "N3", "N2", "N1"),
    "zh": tuple(f"HSK{level}" for level in range(1, 10)),
    "ko": tuple(f"TOPIK{level}" for level in range(1, 7)),
}
_BETWEEN = re.compile(r"[\s_-]+")


def levels_of(language: str) -> tuple[str, ...]:
    """The levels of a language (BCP 47), the lowest first; those of its own exam before those of the CEFR."""
    return (*_EXAMS.get(base_language(language), ()), *CEFR)


def normalised_level(language: str, level: str) -> str | None:
    """A level as it is usually written ("hsk 3" → "HSK3"), "" for a blank one; None for one that there is not."""
    name = _BETWEEN.sub("", level).upper()
    return name if not name or name in levels_of(language) else None
