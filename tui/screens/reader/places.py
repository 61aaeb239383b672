"""Places that one came from in the reader, and those that one went back from, as a web browser keeps its pages."""

from __future__ import annotations

from dataclasses import dataclass

from tui.widgets.transcript.cue_lines import PlaceInCue

_MOST = 100


@dataclass(frozen=True, slots=True)
class Place:
    """Place in a transcript: a cue, and a word of it."""

    transcript_id: str
    cue: int
    word: PlaceInCue = 0


class Places:
    """Places to go back to, and forward again; the last of each is the nearest."""

    def __init__(self) -> None:
        self._back: list[Place] = []
        self._forward: list[Place] = []

    @property
    def has_way_back(self) -> bool:
        return bool(self._back)

    def leave(self, here: Place) -> None:
        """Keep the place that is left for another one; there is no way forward any more."""
        self._back = [*self._back[1 - _MOST :], here]
        self._forward.clear()

    def back(self, here: Place) -> Place | None:
        """The place that one came from; None where there is none."""
        return self._step(here, self._back, self._forward)

    def forward(self, here: Place) -> Place | None:
        """The place that one went back from; None where there is none."""
        return self._step(here, self._forward, self._back)

    def _step(self, here: Place, source: list[Place], target: list[Place]) -> Place | None:
        if not source:
            return None
        target.append(here)
        return source.pop()
