"""Focused text: the sentence under the eye, the focus word in it, its context and its time, read off the cues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tui.language.word_forms import WordForm
from tui.records import Cue
from tui.text.readings import focused_form
from tui.text.sanitize import one_line
from tui.widgets.transcript.cue_focus import CueFocus, focus_text, selected_spans
from tui.widgets.transcript.cue_layout import CueLayout, shown_text


@dataclass(frozen=True, slots=True)
class FocusedText:
    """What is under the eye; ``focus`` is "" where the cue has no word, ``context`` has a line for each cue.

    ``form`` is what the cue and its segmenter say of the focus, which may be nothing.
    """

    sentence: str
    focus: str
    context: str
    cue_index: int
    start_ms: int | None
    end_ms: int | None
    form: WordForm


def focused_text(
    focus: CueFocus, record: Callable[[int], Cue | None], layout: CueLayout, language: str | None
) -> FocusedText | None:
    """Read off the cues what the focus is on; None until its cue is at hand. ``layout`` is that cue's."""
    cue = record(focus.cue)
    if cue is None:
        return None
    text = shown_text(cue)
    spans = selected_spans(focus.selected, layout.words)
    focused = [layout.words[index] for index in focus.selected] if len(spans) == 1 else []
    around = (*range(focus.cue - focus.before, focus.cue), *range(focus.cue + 1, focus.cue + focus.after + 1))
    context = (record(index) for index in around)
    return FocusedText(
        sentence=one_line(text),
        focus=focus_text(text, spans),
        context="\n".join(one_line(shown_text(cue)) for cue in context if cue is not None),
        cue_index=cue.index,
        start_ms=cue.start_ms,
        end_ms=cue.end_ms,
        form=focused_form(cue, text, focused, language),
    )
