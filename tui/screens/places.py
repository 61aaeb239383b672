"""Places in the app that one came from: sections, and words of transcripts; one goes back to them and forward again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

if TYPE_CHECKING:  # the first list is shown without a reader
    from tui.service.protocol import Service
    from tui.widgets.transcript.cue_lines import PlaceInCue

MAX_PLACES = 100


@dataclass(frozen=True, slots=True)
class Place:
    """Place in a transcript: a cue, and a word of it."""

    transcript_id: str
    cue: int
    word: PlaceInCue = 0


AnyPlace: TypeAlias = Place | str
"""A place in a transcript, or a section, which is shown as it was left."""


class Places:
    """Places to go back to, and forward again, as a web browser keeps its pages; the last of each is the nearest."""

    def __init__(self) -> None:
        self._back: list[AnyPlace] = []
        self._forward: list[AnyPlace] = []
        self.has_older = True
        """Whether the library may have places from before the app was opened, which were not asked for yet."""

    @property
    def has_way_back(self) -> bool:
        return bool(self._back)

    def leave(self, here: AnyPlace) -> None:
        """Keep the place that is left for another one; there is no way forward any more."""
        if self._back[-1:] != [here]:
            self._back = [*self._back[1 - MAX_PLACES :], here]
        self._forward.clear()

    def add_older(self, older: Sequence[Place]) -> None:
        """Take in places from before, the nearest first; those in transcripts that one has been in are left out."""
        self.has_older = False
        been_in = {place.transcript_id for place in (*self._back, *self._forward) if isinstance(place, Place)}
        self._back[:0] = [place for place in reversed(older) if place.transcript_id not in been_in]

    def step(self, here: AnyPlace | None, step: int) -> AnyPlace | None:
        """The place that one came from (-1), or that one went back from (1); None where there is none.

        ``here`` is None in a place that one cannot come back to.
        """
        source, target = (self._back, self._forward) if step < 0 else (self._forward, self._back)
        while source:
            if (place := source.pop()) != here:
                if here is not None:
                    target.append(here)
                return place
        return None


_places: WeakKeyDictionary[Service, Places] = WeakKeyDictionary()


def places_of(service: Service) -> Places:
    """The places that one came from in the app over this service."""
    return _places.setdefault(service, Places())
