"""Spans of time that are cut out of a film."""

from __future__ import annotations

from collections.abc import Iterable

from tui.records.media import Span

BEFORE_MS, AFTER_MS = 250, 400
"""Milliseconds of sound before and after a sentence: subtitles come late and go early."""
_JOINED_MS = 500
"""A pause of at most this length stays: cutting it out would be heard, and saves nothing."""


def widen_sentence_span(
    start: int, end: int, *, previous_end: int | None = None, next_start: int | None = None
) -> Span:
    """The span of a sentence with the sound around it, but none of the neighbouring cues; all in milliseconds.

    A neighbour that overlaps the sentence itself cuts nothing off it.
    """
    begin, until = max(0, start - BEFORE_MS), end + AFTER_MS
    if previous_end is not None:
        begin = max(begin, min(previous_end, start))
    if next_start is not None:
        until = min(until, max(next_start, end))
    return Span(begin, until)


def join_speech_spans(cues: Iterable[tuple[int, int]]) -> list[Span]:
    """The spans in which somebody speaks, in order and apart from each other; cues are (start, end), in any order."""
    spans: list[Span] = []
    for start, end in sorted(cues):
        if end <= start:
            continue
        begin, until = max(0, start - BEFORE_MS), end + AFTER_MS
        if spans and begin - spans[-1].end_ms <= _JOINED_MS:
            spans[-1] = Span(spans[-1].start_ms, max(spans[-1].end_ms, until))
        else:
            spans.append(Span(begin, until))
    return spans
