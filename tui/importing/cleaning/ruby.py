"""Cleaning step: readings in brackets behind Chinese characters, 漢字(かんじ), become the cue's ruby.

Only kana behind such characters are a reading; whatever else stands in brackets is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tui.importing.cleaning.cleaned_cue import CleanedCue
from tui.importing.readers.ruby import marked, unmarked
from tui.language.scripts import RANGES

_BRACKETS = (("(", ")"), ("（", "）"), ("[", "]"), ("［", "］"), ("【", "】"), ("《", "》"), ("≪", "≫"))
_READING = re.compile(
    "|".join(
        rf"([{RANGES['Han']}]{{1,20}}){re.escape(opening)}([{RANGES['Hiragana']}{RANGES['Katakana']}]{{1,40}})"
        rf"{re.escape(closing)}"
        for opening, closing in _BRACKETS
    )
)
_SIGNS = re.compile("[" + re.escape("".join(opening for opening, _ in _BRACKETS)) + "]")


def take_out_readings(cues: Iterator[CleanedCue]) -> Iterator[CleanedCue]:
    for cue in cues:
        text = cue.cue.text
        if not cue.cue.ruby and not text.isascii() and _SIGNS.search(text):
            plain, ruby = unmarked(_READING.sub(_as_ruby, text))
            if ruby:
                cue.change("ruby", text=plain, ruby=ruby)
        yield cue


def _as_ruby(found: re.Match[str]) -> str:
    base, reading = (group for group in found.groups() if group is not None)
    return marked(base, reading)
