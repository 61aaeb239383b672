"""Clips of a word that was clipped before: what a new clip is told with, and the way to them."""

from __future__ import annotations

from tui.errors import LodeError
from tui.records.clips import FocusWord
from tui.service.word_protocols import Words
from tui.text.display import count_of
from tui.text.sanitize import one_line


async def clips_so_far(words: Words, focus: FocusWord | None) -> int:
    """Count the clips that have this word, in whatever form; 0 where that cannot be told."""
    if focus is None:
        return 0
    try:
        return (await words.summary(focus.lemma or focus.surface, language=focus.language)).clips
    except LodeError:
        return 0  # a clip is not kept from anybody because older ones could not be counted


def clipped_before(focus: FocusWord | None, count: int, key: str) -> str:
    """What is said beside the news of a clip: that the word has others, and the key that shows them, "" for none."""
    if focus is None or not count:
        return ""
    said = f"{one_line(focus.lemma or focus.surface)} had {count_of(count, 'clip')} already"
    return f"{said}, {key} shows them" if key else said
