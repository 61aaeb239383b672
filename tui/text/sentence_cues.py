"""Cues that the sentence of a clip stands in: the clip only knows that of its focus word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tui.records.transcripts import Cue

FARTHEST_OF_SENTENCE = 12
"""Cues that a sentence may begin before that of its focus word, or go on behind, as far as it is looked for."""


def find_sentence_cues(sentence: str, cue_index: int, cues: Sequence[Cue]) -> tuple[Cue, ...]:
    """Find the cues that a sentence stands in, one of which is that of ``cue_index``; none where it does not.

    ``cues`` are those around it, in their order. White space does not count: it is where the lines were broken.
    """
    wanted = _squeeze(sentence)
    if not wanted:
        return ()
    ends = list[int]()
    text = ""
    for cue in cues:
        text += _squeeze(cue.text)
        ends.append(len(text))
    for start in _iterate_places(wanted, text):
        end = start + len(wanted)
        found = tuple(
            cue for cue, first, last in zip(cues, [0, *ends], ends, strict=False) if first < end and last > start
        )
        if any(cue.index == cue_index for cue in found):
            return found
    return ()


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _iterate_places(wanted: str, text: str) -> Iterator[int]:
    start = text.find(wanted)
    while start >= 0:
        yield start
        start = text.find(wanted, start + 1)
