"""Focus of the reader: a cue, some of its words, and the neighbouring cues taken in as context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tui.language.word import Word
from tui.text.sanitize import one_line

MAX_CONTEXT_CUES = 20
"""Neighbouring cues that are taken in at most on either side."""


@dataclass(frozen=True, slots=True)
class CueFocus:
    """Focus on a cue: the current ``word`` (None where the cue has none), and the ``anchor`` of an extension of it.

    ``marked`` words belong to the focus wherever the steps go: parts that stand apart, as in "fährt … ab".
    """

    cue: int = 0
    word: int | None = None
    anchor: int | None = None
    marked: frozenset[int] = frozenset()
    before: int = 0
    after: int = 0

    @property
    def selected(self) -> tuple[int, ...]:
        """Indexes of the focused words, in order."""
        return tuple(sorted(self.marked | self._extension))

    @property
    def _extension(self) -> frozenset[int]:
        """Current word and those up to the anchor."""
        if self.word is None:
            return frozenset()
        other = self.word if self.anchor is None else self.anchor
        return frozenset(range(min(self.word, other), max(self.word, other) + 1))

    @property
    def is_extended(self) -> bool:
        return self.anchor is not None or bool(self.marked)

    @property
    def has_context(self) -> bool:
        return self.before > 0 or self.after > 0

    def collapsed(self) -> CueFocus:
        """Focus without its extension: only the current word."""
        return replace(self, anchor=None, marked=frozenset())

    def extension_toggled(self) -> CueFocus:
        """Begin to extend from here, or drop what was extended."""
        return self.collapsed() if self.anchor is not None else replace(self, anchor=self.word)

    def mark_toggled(self) -> CueFocus:
        """Keep the word (or the extension) as a part of the focus, or let it go again."""
        here = self._extension
        marked = self.marked - here if here <= self.marked else self.marked | here
        return replace(self, anchor=None, marked=marked) if here else self

    def with_context(self, before: int, after: int, total: int) -> CueFocus:
        """Take in neighbouring cues, as far as the transcript's ``total`` cues go."""
        return replace(
            self,
            before=min(self.before + before, self.cue, MAX_CONTEXT_CUES),
            after=min(self.after + after, max(0, total - 1 - self.cue), MAX_CONTEXT_CUES),
        )

    def is_context(self, cue: int) -> bool:
        """Whether this cue is context."""
        return cue != self.cue and self.cue - self.before <= cue <= self.cue + self.after


def selected_spans(selected: Sequence[int], words: Sequence[Word]) -> tuple[tuple[int, int], ...]:
    """Code point spans of the focused words; words that stand side by side are one, with what is between them."""
    spans: list[tuple[int, int]] = []
    previous = -2
    for index in selected:
        word = words[index]
        if index == previous + 1:
            spans[-1] = (spans[-1][0], word.end)
        else:
            spans.append((word.start, word.end))
        previous = index
    return tuple(spans)


def focus_text(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Focused words on one line, as the text has them; parts that stand apart are joined by spaces."""
    return " ".join(one_line(text[start:end]) for start, end in spans)
