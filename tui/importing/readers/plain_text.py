"""Reader of plain text: one cue per sentence, without times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import tidy
from tui.language.sentences import each_sentence
from tui.records import Cue


def read_plain_text(lines: Iterable[str], language: str | None) -> Iterator[Cue]:
    """The sentences as cues in order, without times; the lines are iterated over twice."""
    found = (shown for sentence in each_sentence(lines, language) if (shown := tidy(sentence)))
    return (Cue(index, None, None, shown) for index, shown in enumerate(found))
