"""A text without times: one cue per sentence."""

from __future__ import annotations

from tui.importing.cue_text import tidy
from tui.language.sentences import sentences
from tui.records import Cue


def read_plain_text(text: str, language: str | None) -> list[Cue]:
    """The sentences as cues in order, without times; ``text`` has line feeds only."""
    found = [shown for sentence in sentences(text, language) if (shown := tidy(sentence))]
    return [Cue(index, None, None, shown) for index, shown in enumerate(found)]
