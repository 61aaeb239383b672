"""A cue on its way through the cleaning, with the cues of the file that it was made of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tui.importing.readers.ruby import bracketed
from tui.records.transcripts import Cue, CueChange, OriginalCue

REASONS: dict[str, CueChange] = {
    "rolling": "merged",  # captions that roll up show each line two or three times
    "frames": "merged",  # text that moves has a cue for each frame of the film
    "duplicate": "merged",  # the same text at the same time, once for its outline say
    "times": "repaired",  # its end was not after its start
    "lines": "repaired",  # a bar stood for the end of a line, as MicroDVD writes it
    "ruby": "labelled",  # readings stood in brackets in the text
    "speaker": "labelled",
    "sound": "labelled",
}
"""Reasons that the steps give → the kind of change as users see it; a cue without any text left is "dropped"."""


MOST_ORIGINALS = 5000
"""Cues of the file that one may be made of at most, minutes of frames: memory holds them."""


@dataclass(slots=True)
class CleanedCue:
    """A cue as the steps so far have left it. ``reasons`` are keys of ``REASONS``, in the order of the steps."""

    cue: Cue
    originals: list[Cue] = field(init=False)
    reasons: list[str] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.originals = [self.cue]

    def change(self, reason: str, **fields: Any) -> None:
        """Give the cue other values of these fields."""
        self.cue = replace(self.cue, **fields)
        if reason not in self.reasons:
            self.reasons.append(reason)

    @property
    def is_full(self) -> bool:
        return len(self.originals) >= MOST_ORIGINALS

    def absorb(self, other: CleanedCue, reason: str) -> None:
        """Take another cue in, which shows nothing that this does not; it is shown until the later end of both."""
        self.originals += other.originals
        for each in other.reasons:
            if each not in self.reasons:
                self.reasons.append(each)
        ends = [end for end in (self.cue.end_ms, other.cue.end_ms) if end is not None]
        self.change(reason, end_ms=max(ends, default=None))

    def originals_as(self, index: int) -> list[OriginalCue]:
        """The cues of the file that this was made of, with what became of them; none where nothing changed.

        ``index`` is the one that this has now.
        """
        if not self.reasons:
            return []
        is_dropped = not self.cue.text
        changes = [REASONS[reason] for reason in self.reasons]
        change: CueChange = "dropped" if is_dropped else "merged" if "merged" in changes else changes[0]
        place = None if is_dropped else index
        return [
            OriginalCue(place, change, tuple(self.reasons), each.start_ms, each.end_ms, bracketed(each))
            for each in self.originals
        ]
