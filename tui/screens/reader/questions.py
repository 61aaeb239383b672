"""Questions and clips that the reader makes of what is under the eye: requests to a model, drafts of clips."""

from __future__ import annotations

from dataclasses import replace

from tui.language.segmenters.table import row_of
from tui.language.tags import language_name
from tui.records.clips import FocusWord, NewClip
from tui.records.transcripts import Transcript
from tui.records.words import WordSummary
from tui.service.requests import BreakdownRequest, ExplainRequest
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


def in_context(word: FocusWord, focused: FocusedText) -> FocusWord:
    """A word with what its own sentence says of it: its spelling, dictionary form and reading there."""
    form = focused.form
    lemma = word.lemma if word.lemma and word.meanings else form.lemma or word.lemma  # a dictionary's, of a phrase too
    reading = form.reading or word.reading
    return replace(word, surface=focused.focus, lemma=lemma, reading=reading)


def no_readings(language: str | None) -> str:
    """Why a transcript has no readings to show, and what brings them."""
    row = row_of(language)
    if row is None or not row.reads:
        return "no readings are known for this text"
    name = language_name(row.language)
    return f"readings of {name} need its segmenter, where the library is: pip install 'lode[{row.extra}]'"


def clip_draft(
    transcript: Transcript, focused: FocusedText, known: WordSummary | None, translation: str = ""
) -> NewClip:
    """Clip of the sentence and its focus, with what the library knows of the word."""
    focus = None
    if word := focused.focus:
        focus = in_context(known.focus if known else FocusWord(word, language=transcript.language), focused)
    return NewClip(
        sentence=focused.sentence,
        transcript_id=transcript.id,
        file_id=transcript.file_id,
        cue_index=focused.cue_index,
        start_ms=focused.start_ms,
        end_ms=focused.end_ms,
        context=focused.context,
        translation=translation,
        focus=focus,
        note=known.own.note if known is not None and known.own is not None else "",
        source=one_line(transcript.title),
    )
