"""Questions and clips that the reader makes of what is under the eye: requests to a model, drafts of clips."""

from __future__ import annotations

from dataclasses import replace

from tui.records import FocusWord, NewClip, Transcript
from tui.service.protocol import BreakdownRequest, ExplainRequest, WordSummary
from tui.text.sanitize import one_line
from tui.widgets.transcript.focused_text import FocusedText


def breakdown_request(transcript: Transcript, focused: FocusedText) -> BreakdownRequest:
    """Request for a breakdown of the focus; its focus is "" where there is no word."""
    return BreakdownRequest(
        sentence=focused.sentence,
        focus=focused.focus,
        context=focused.context,
        language=transcript.language,
        source=one_line(transcript.title),
    )


def explain_request(transcript: Transcript, focused: FocusedText) -> ExplainRequest:
    """Request for an explanation of the whole sentence."""
    asked = breakdown_request(transcript, focused)
    return ExplainRequest(sentence=asked.sentence, context=asked.context, language=asked.language, source=asked.source)


def clip_draft(transcript: Transcript, focused: FocusedText, known: WordSummary | None) -> NewClip:
    """Clip of the sentence and its focus, with what the library knows of the word."""
    focus = None
    if word := focused.focus:
        focus = replace(known.focus, surface=word) if known else FocusWord(word, language=transcript.language)
    return NewClip(
        sentence=focused.sentence,
        transcript_id=transcript.id,
        file_id=transcript.file_id,
        cue_index=focused.cue_index,
        start_ms=focused.start_ms,
        end_ms=focused.end_ms,
        context=focused.context,
        focus=focus,
        source=one_line(transcript.title),
    )
