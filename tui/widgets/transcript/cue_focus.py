"""Focus of the reader: a cue or a sentence across cues, some of its words, and neighbouring cues as context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tui.language.cue_sentences import CueSentence
from tui.language.word import Word
from tui.text.sanitize import one_line

MAX_CONTEXT_CUES = 20
"""Neighbouring cues that are taken in at most on either side."""

WordKey: TypeAlias = tuple[int, int]
"""A word by the index of its cue and its number in it."""


@dataclass(frozen=True, slots=True)
class CueFocus:
    """Focus on a cue: the current ``word`` (None where the cue has none), and the ``anchor`` of an extension of it.

    ``marked`` words belong to the focus wherever the steps go: parts that stand apart, as in "fährt … ab".
    ``sentence`` is the whole sentence at the word, None where the focus is on the cue.
    """

    cue: int = 0
    word: int | None = None
    anchor: WordKey | None = None
    marked: frozenset[WordKey] = frozenset()
    before: int = 0
    after: int = 0
    sentence: CueSentence | None = None

    @property
    def first_cue(self) -> int:
        return self.cue if self.sentence is None else self.sentence.first

    @property
    def last_cue(self) -> int:
        return self.cue if self.sentence is None else self.sentence.last

    def selected(self, cue: int, count: int) -> tuple[int, ...]:
        """Numbers of a cue's focused words, in order; the cue has ``count`` words."""
        marked = {word for kept, word in self.marked if kept == cue and word < count}
        return tuple(sorted(marked.union(self._extension(cue, count))))

    def _extension(self, cue: int, count: int) -> range:
        """The words of a cue from the current word to the anchor."""
        if self.word is None:
            return range(0)
        here = (self.cue, self.word)
        (first, low), (last, high) = sorted((here, self.anchor or here))
        if not first <= cue <= last:
            return range(0)
        return range(low if cue == first else 0, min(count, high + 1 if cue == last else count))

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
        if self.anchor is not None or self.word is None:
            return self.collapsed()
        return replace(self, anchor=(self.cue, self.word))

    def mark_toggled(self, count: Callable[[int], int]) -> CueFocus:
        """Keep the word (or the extension) as a part of the focus, or let it go again; ``count`` is a cue's words."""
        other = self.cue if self.anchor is None else self.anchor[0]
        cues = range(min(self.cue, other), max(self.cue, other) + 1)
        here = frozenset((cue, word) for cue in cues for word in self._extension(cue, count(cue)))
        marked = self.marked - here if here <= self.marked else self.marked | here
        return replace(self, anchor=None, marked=marked) if here else self

    def with_context(self, before: int, after: int, total: int) -> CueFocus:
        """Take in neighbouring cues, as far as the transcript's ``total`` cues go."""
        return replace(
            self,
            before=min(self.before + before, self.first_cue, MAX_CONTEXT_CUES),
            after=min(self.after + after, max(0, total - 1 - self.last_cue), MAX_CONTEXT_CUES),
        )

    def is_context(self, cue: int) -> bool:
        """Whether this cue is context."""
        if self.first_cue <= cue <= self.last_cue:
            return False
        return self.first_cue - self.before <= cue <= self.last_cue + self.after


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


def focus_text(cues: Sequence[tuple[str, Sequence[Word], Sequence[int]]]) -> str:
    """Focused words on one line, with what is between those side by side; parts that stand apart are joined by spaces.

    ``cues`` are neighbours: their texts, words and the numbers of those that are focused.
    """
    pieces: list[str] = []
    tail: str | None = None  # what stands behind the last word of the cue before, where that is focused
    for text, words, selected in cues:
        for start, end in selected_spans(selected, words):
            if tail is not None and start == words[0].start:
                pieces[-1] += f"{tail}\n{text[:end]}"
            else:
                pieces.append(text[start:end])
            tail = None
        tail = text[words[-1].end :] if selected and selected[-1] == len(words) - 1 else None
    return " ".join(map(one_line, pieces))
