"""Clips of cues that were corrected: the same sentence with what their cue says now."""

from __future__ import annotations

from dataclasses import replace

from tui.correcting.word_diff import diff_words, find_counterpart
from tui.records.clips import NewClip
from tui.text.sanitize import one_line

_LEAST_OF_ANOTHER = 10
"""Characters of a cue's text at least by which it is known in the sentence of a clip that begins in another cue."""


def correct_clip(clip: NewClip, before: str, after: str, language: str | None, *, is_of_cue: bool) -> NewClip | None:
    """Give a clip what its cue says now, in its sentence and context; None where nothing of the cue stands in it.

    ``is_of_cue``: the clip is of this cue, and not of one beside it. A clip whose focus word is not told any more by
    the new sentence stays as it is. Readings of a sentence that changed are left out: they are of the old one.
    """
    old, new = one_line(before), one_line(after)
    if not new or clip.sentence.count(old) != 1 or not (is_of_cue or len(old) >= _LEAST_OF_ANOTHER):
        return None
    sentence = clip.sentence.replace(old, new)
    focus = clip.focus
    if focus is not None:
        runs = diff_words(clip.sentence, sentence, language)
        parts = [find_counterpart(part.strip(), runs) for part in focus.surface.split("…")]
        if None in parts:
            return None
        focus = replace(focus, surface=" … ".join(filter(None, parts)))
    return replace(clip, sentence=sentence, context=clip.context.replace(old, new), focus=focus, sentence_reading="")
