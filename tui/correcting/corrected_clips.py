"""Clips of cues that were corrected: the same sentence with what their cues say now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tui.correcting.word_diff import DiffRun, diff_words, find_counterpart
from tui.records.clips import NewClip
from tui.text.sanitize import one_line


def correct_clip(clip: NewClip, before: str, after: str, language: str | None) -> NewClip | None:
    """Give a clip what the cues of its sentence say now; ``before`` and ``after`` are their texts, each in one line.

    None where the sentence stays as it is, or where it cannot be told what has become of it or of its focus word.
    Readings of a sentence that changed are left out: they are of the old one.
    """
    old = one_line(clip.sentence)
    if (start := before.find(old)) < 0:
        return None
    sentence = _carry_over(diff_words(before, after, language), start, start + len(old))
    if not sentence or sentence == old:
        return None
    focus = clip.focus
    if focus is not None:
        runs = diff_words(old, sentence, language)
        parts = [find_counterpart(part.strip(), runs) for part in focus.surface.split("…")]
        if None in parts:
            return None
        focus = replace(focus, surface=" … ".join(filter(None, parts)))
    return replace(clip, sentence=sentence, focus=focus, sentence_reading="")


def _carry_over(runs: Sequence[DiffRun], start: int, end: int) -> str:
    """Carry a part of the old text over to the new one; "" where a change goes beyond its start or end."""
    parts: list[str] = []
    at = 0
    for run in runs:
        first, at = at, at + len(run.old)
        if run.old == run.new:
            parts.append(run.old[max(0, start - first) : max(0, end - first)])
        elif start <= first and at <= end and (run.old or start < first or start == 0):
            parts.append(run.new)
        elif first < end and at > start:
            return ""
    return one_line("".join(parts))
