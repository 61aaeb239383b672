"""Batches of lines, as a model is sent them: cut between sentences, with a few lines of context on either side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tui.language.cue_sentences import SAMPLE, cuts_sentences, goes_on
from tui.records.transcripts import Cue

MAX_BATCH_LINES = 15
"""Maximum lines of a batch: with more, models begin to skip lines and to answer one for another."""
CONTEXT_LINES = 2
"""Lines on either side of a batch that are sent to be read only."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Neighbouring lines that a model is asked about at once: the texts of the cues from the index ``first`` on.

    ``before`` and ``behind`` are the context. ``sentence_starts`` are the places in ``lines``, but the first, at which
    a line begins a sentence. ``language`` is a BCP 47 tag, None where nobody knows it.
    """

    first: int
    lines: tuple[str, ...]
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    sentence_starts: tuple[int, ...] = ()
    language: str | None = None


def cut_batches(cues: Sequence[Cue], language: str | None) -> list[Batch]:
    """Cut neighbouring cues into batches, in order; every cue is in one of them.

    A batch ends with the last sentence that ends in it, and in the middle of one only where it is all of that sentence.
    """
    texts, cutting = tuple(cue.text for cue in cues), cuts_sentences(cues[:SAMPLE])
    starts = {
        place
        for place, (left, right) in enumerate(pairwise(cues), 1)
        if not goes_on(left, right, language, cutting=cutting)
    }
    batches: list[Batch] = []
    begin = 0
    while begin < len(texts):
        end = begin + MAX_BATCH_LINES
        if end < len(texts):
            end = max(starts.intersection(range(begin + 1, end + 1)), default=end)
        batches.append(
            Batch(
                cues[begin].index,
                texts[begin:end],
                texts[max(0, begin - CONTEXT_LINES) : begin],
                texts[end : end + CONTEXT_LINES],
                tuple(sorted(start - begin for start in starts.intersection(range(begin + 1, end)))),
                language,
            )
        )
        begin = end
    return batches


def halve(batch: Batch) -> tuple[Batch, Batch]:
    """Cut a batch of two lines or more in two: between the sentences nearest to its middle, else in the middle.

    Each half has lines of the other as its context.
    """
    lines, starts = batch.lines, batch.sentence_starts
    middle = len(lines) / 2
    at = min(starts, key=lambda start: abs(start - middle), default=int(middle))
    left = replace(
        batch,
        lines=lines[:at],
        behind=(*lines[at:], *batch.behind)[:CONTEXT_LINES],
        sentence_starts=tuple(start for start in starts if start < at),
    )
    right = replace(
        batch,
        first=batch.first + at,
        lines=lines[at:],
        before=(*batch.before, *lines[:at])[-CONTEXT_LINES:],
        sentence_starts=tuple(start - at for start in starts if start > at),
    )
    return left, right
