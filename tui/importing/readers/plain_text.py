"""Reader of plain text: one cue per sentence, without times; ruby may be marked in the lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import tidy
from tui.importing.readers.ruby import unmarked
from tui.language.sentences.text_sentences import each_sentence
from tui.records.transcripts import Cue


def read_plain_text(lines: Iterable[str], language: str | None) -> Iterator[Cue]:
    """The sentences as cues in order, without times; the lines are iterated over twice."""
    index = 0
    for sentence in each_sentence(lines, language):
        plain, ruby = unmarked(tidy(sentence))
        if plain:
            yield Cue(index, None, None, plain, ruby=ruby)
            index += 1
