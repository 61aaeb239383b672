"""Cleaning step: bars for line ends, which converters from MicroDVD leave behind, become line ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tui.importing.cleaning.cleaned_cue import CleanedCue

_BAR = re.compile(r"(?<=[^\s|])\|(?=[^\s|])")


def break_lines(cues: Iterator[CleanedCue]) -> Iterator[CleanedCue]:
    for cue in cues:
        if "|" in cue.cue.text and not cue.cue.ruby and _BAR.search(cue.cue.text):
            cue.change("lines", text=_BAR.sub("\n", cue.cue.text))
        yield cue
