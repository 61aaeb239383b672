"""Focused text: the sentence under the eye, the focus word in it, its context and its time, read off the cues."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tui.language.word_form import WordForm
from tui.records.transcripts import Cue
from tui.text.readings import focused_form
from tui.text.sanitize import one_line
from tui.widgets.transcript.cue_focus import CueFocus, focus_text, selected_spans
from tui.widgets.transcript.cue_layout import CueLayout, shown_text


@dataclass(frozen=True, slots=True)
class FocusedText:
    """What is under the eye; ``focus`` is "" where the cue has no word, ``context`` has a line for each cue.

    It stands in the cues from ``first_cue`` to ``last_cue``, the focus word in ``cue_index``. ``form`` is what that cue
    and its segmenter say of the focus, which may be nothing.
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
