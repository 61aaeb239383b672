"""Focus of the reader: a cue or a sentence across cues, some of its words, neighbouring cues as context; its text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

from tui.language.cue_sentences import MAX_CUES, SAMPLE, CueSentence, cuts_sentences, find_sentence_at
from tui.language.word import Word
from tui.language.word_form import WordForm
from tui.records.transcripts import Cue
from tui.text.readings import focused_form
from tui.text.sanitize import one_line
from tui.widgets.transcript.cue_layout import CueLayout, CueView, shown_text

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

    def collapsed(self) -> Self:
        """Focus without its extension: only the current word."""
        return replace(self, anchor=None, marked=frozenset())

    def extension_toggled(self) -> Self:
        """Begin to extend from here, or drop what was extended."""
        if self.anchor is not None or self.word is None:
            return self.collapsed()
        return replace(self, anchor=(self.cue, self.word))

    def mark_toggled(self, count: Callable[[int], int]) -> Self:
        """Keep the word (or the extension) as a part of the focus, or let it go again; ``count`` is a cue's words."""
        other = self.cue if self.anchor is None else self.anchor[0]
        cues = range(min(self.cue, other), max(self.cue, other) + 1)
        here = frozenset((cue, word) for cue in cues for word in self._extension(cue, count(cue)))
        marked = self.marked - here if here <= self.marked else self.marked | here
        return replace(self, anchor=None, marked=marked) if here else self

    def with_context(self, before: int, after: int, total: int) -> Self:
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


@dataclass(frozen=True, slots=True)
class FocusedText:
    """What is under the eye; ``focus`` is "" where the cue has no word, ``context`` has a line for each cue.

    It stands in the cues from ``first_cue`` to ``last_cue``, the focus word in ``cue_index``. ``form`` is what that cue
    and its segmenter say of the focus, which may be nothing. ``start`` and ``end`` are the code points of that cue
    between which the focus stands, both 0 where there is no word.
    """

    sentence: str
    focus: str
    context: str
    cue_index: int
    first_cue: int
    last_cue: int
    start_ms: int | None
    end_ms: int | None
    form: WordForm
    start: int = 0
    end: int = 0


def focused_text(
    focus: CueFocus,
    record: Callable[[int], Cue | None],
    layout: Callable[[int], CueLayout | None],
    language: str | None,
) -> FocusedText | None:
    """Read off the cues what the focus is on; None until its cue is at hand. The functions give a cue, its layout."""
    cue, here = record(focus.cue), layout(focus.cue)
    if cue is None or here is None:
        return None
    laid_out = [(index, each) for index in range(focus.first_cue, focus.last_cue + 1) if (each := layout(index))]
    words = [(each.text, each.words, focus.selected(index, len(each.words))) for index, each in laid_out]
    sentence = focus.sentence
    selected = [here.words[each] for each in focus.selected(focus.cue, len(here.words))]
    return FocusedText(
        sentence=one_line(shown_text(cue) if sentence is None else sentence.text),
        focus=focus_text(words),
        context="\n".join(filter(None, map(one_line, _context(focus, record)))),
        cue_index=cue.index,
        first_cue=focus.first_cue,
        last_cue=focus.last_cue,
        start_ms=cue.start_ms if sentence is None else sentence.start_ms,
        form=_form(cue, here, focus, language),
        end_ms=cue.end_ms if sentence is None else sentence.end_ms,
        start=selected[0].start if selected else 0,
        end=selected[-1].end if selected else 0,
    )


def _form(cue: Cue, layout: CueLayout, focus: CueFocus, language: str | None) -> WordForm:
    """Dictionary form and reading of the focus, where its words stand side by side in one cue."""
    selected = focus.selected(cue.index, len(layout.words))
    others = {kept for kept, _ in (*focus.marked, *(() if focus.anchor is None else (focus.anchor,)))} - {cue.index}
    is_one = not others and len(selected_spans(selected, layout.words)) == 1
    return focused_form(cue, layout.text, [layout.words[each] for each in selected] if is_one else [], language)


def _context(focus: CueFocus, record: Callable[[int], Cue | None]) -> Iterator[str]:
    """Texts of the cues taken in; where a sentence ends inside a cue, what stands beside it there comes with them."""
    before = range(focus.first_cue - focus.before, focus.first_cue)
    after = range(focus.last_cue + 1, focus.last_cue + focus.after + 1)
    yield from (shown_text(cue) for index in before if (cue := record(index)) is not None)
    if focus.sentence is not None:
        first, last = focus.sentence.parts[0], focus.sentence.parts[-1]
        if focus.before and (cue := record(first.cue)) is not None:
            yield shown_text(cue)[: first.start]
        if focus.after and (cue := record(last.cue)) is not None:
            yield shown_text(cue)[last.end :]
    yield from (shown_text(cue) for index in after if (cue := record(index)) is not None)


class OneSentence:
    """Mode of one reader; cues that are not at hand yet count as the ends of sentences until they are."""

    def __init__(self, view: CueView, *, is_on: bool) -> None:
        self._view = view
        self._cutting: bool | None = None
        self.is_on = is_on

    def cues_needed(self, cue: int) -> tuple[tuple[int, int], ...]:
        """First and last index of the cues that tell where the sentences of this one end."""
        return ((0, SAMPLE - 1), (cue - MAX_CUES, cue + MAX_CUES)) if self.is_on else ()

    def focused(self, focus: CueFocus) -> CueFocus:
        """The focus with its sentence while the mode is on; what was extended in another sentence is dropped."""
        sentence = self._sentence(focus) if self.is_on else None
        if focus.sentence is None or sentence is None or focus.sentence.parts == sentence.parts:
            return replace(focus, sentence=sentence)
        return replace(focus.collapsed(), sentence=sentence)

    def contains(self, focus: CueFocus, cue: int, word: int) -> bool:
        """Whether a word is in the focused sentence; without the mode, whether it is in the focused cue."""
        layout = self._view.layout(cue)
        if focus.sentence is None or layout is None:
            return cue == focus.cue
        place = layout.words[word].start if 0 <= word < len(layout.words) else 0
        return any(part.cue == cue and part.start <= place < part.end for part in focus.sentence.parts)

    def word_count(self, cue: int) -> int:
        """Number of a cue's words, 0 while it is not at hand."""
        return len(self._words(cue))

    def _words(self, cue: int) -> Sequence[Word]:
        return layout.words if (layout := self._view.layout(cue)) is not None else ()

    def word_step(self, focus: CueFocus, step: int) -> tuple[int, int | None]:
        """Cue and number of the next word, or the one before; None for the number in a cue that has no words yet."""
        word = -1 if focus.word is None else focus.word + step
        if 0 <= word < self.word_count(focus.cue):
            return focus.cue, word
        cue = focus.cue + step
        count = self.word_count(cue)
        return cue, None if not count else 0 if step > 0 else count - 1

    def sentence_step(self, focus: CueFocus, step: int) -> tuple[int, int]:
        """Cue and number of the first word of the next sentence, or of this one or the one before; else of cues."""
        if focus.sentence is None:
            return focus.cue + step, 0
        if step > 0:
            part = focus.sentence.parts[-1]
            word = self._word_from(part.cue, part.end)
            return (part.cue + 1, 0) if word is None else (part.cue, word)
        first = self._first_word(focus.sentence)
        if (focus.cue, focus.word) != first:
            return first
        cue, word = first if first[1] else (first[0] - 1, self.word_count(first[0] - 1))
        before = self._sentence(CueFocus(cue, max(0, word - 1)))
        return self._first_word(before) if before is not None else (cue, 0)

    def _first_word(self, sentence: CueSentence) -> tuple[int, int]:
        part = sentence.parts[0]
        return part.cue, self._word_from(part.cue, part.start) or 0

    def _word_from(self, cue: int, place: int) -> int | None:
        """Number of the first word of a cue that begins there or behind."""
        return next((number for number, word in enumerate(self._words(cue)) if word.start >= place), None)

    def _sentence(self, focus: CueFocus) -> CueSentence | None:
        if (layout := self._view.layout(focus.cue)) is None:
            return None
        if self._cutting is None:
            first = [cue for cue in map(self._view.record, range(min(SAMPLE, self._view.total))) if cue is not None]
            if len(first) == min(SAMPLE, self._view.total):
                self._cutting = cuts_sentences(first)
        place = layout.words[focus.word].start if focus.word is not None and layout.words else 0
        near = [*reversed(list(self._at_hand(focus.cue, -1))), *self._at_hand(focus.cue + 1, 1)]
        return find_sentence_at(near, focus.cue, place, self._view.language, cutting=bool(self._cutting))

    def _at_hand(self, cue: int, step: int) -> Iterator[Cue]:
        """The cues from one on, as they are shown, as far as they are at hand."""
        for index in range(cue, cue + step * (MAX_CUES + 1), step):
            if (record := self._view.record(index)) is None:
                return
            yield replace(record, text=shown_text(record))


def sentence_span(focus: CueFocus, layout: CueLayout, cue: int) -> tuple[int, int]:
    """Code points of a cue that belong to the focused sentence: all of the focused cue without the mode."""
    if focus.sentence is None:
        return (0, len(layout.text)) if cue == focus.cue else (0, 0)
    return next(((part.start, part.end) for part in focus.sentence.parts if part.cue == cue), (0, 0))
