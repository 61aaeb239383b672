"""Search hits in a transcript: the cues that match, and the spans to underline in them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from tui.widgets.table.word_matches import Matches


class CueHits:
    """Search hits: ``cues`` are the indexes of the cues that match ``query``, in order.

    As in every search of Lode, words are matched as prefixes and without their accents, in scripts without spaces as
    substrings.
    """

    def __init__(self, cues: Sequence[int] = (), query: str = "") -> None:
        self.cues = tuple(cues)
        self._matches = Matches(query if self.cues else "")

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans of the matches in a text, in code points and in order; those of two words may overlap."""
        yield from sorted((start, end) for start, end, _ in self._matches.spans(text))

    def number(self, cue: int) -> int:
        """Number of the hit that a cue is, from 1; 0 when it is none."""
        place = bisect_left(self.cues, cue)
        return place + 1 if place < len(self.cues) and self.cues[place] == cue else 0

    def following(self, cue: int, *, inclusive: bool = False) -> int | None:
        """First hit behind a cue (``inclusive``: or the cue itself), from the end on to the first again."""
        if not self.cues:
            return None
        place = bisect_left(self.cues, cue) if inclusive else bisect_right(self.cues, cue)
        return self.cues[place % len(self.cues)]

    def preceding(self, cue: int) -> int | None:
        """Last hit before a cue, from the first on to the last again."""
        return self.cues[bisect_left(self.cues, cue) - 1] if self.cues else None
