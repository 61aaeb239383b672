"""Lists of cues, in memory while few and then in a temporary file, their order by start, and cues being cleaned."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

from tui import bounds
from tui.importing.readers.cue_text import Unreadable, bracket_readings
from tui.records.transcripts import Cue, CueChange, OriginalCue, Ruby
from tui.system.spool import Spool

T = TypeVar("T")

_FEW = 10_000
"""Maximum records that are kept in memory."""
MAX_CUES = bounds.SUBTITLE.entries
"""Maximum cues with times of a file."""


class RecordList(Generic[T]):
    """A list that is appended to and then read; ``pack`` makes plain values of a record, ``unpack`` a record of them.

    ``unpack`` is also given the index that the record has then.
    """

    def __init__(self, pack: Callable[[T], Any], unpack: Callable[[int, Any], T]) -> None:
        self._pack, self._unpack = pack, unpack
        self._few: list[T] = []
        self._spool: Spool | None = None

    def append(self, record: T) -> None:
        if self._spool is None and len(self._few) < _FEW:
            self._few.append(record)
            return
        if self._spool is None:
            self._spool = Spool(self._unpack)
            for each in self._few:
                self._spool.append(self._pack(each))
            self._few.clear()
        self._spool.append(self._pack(record))

    def __len__(self) -> int:
        return len(self._few) if self._spool is None else len(self._spool)

    def values(self, order: Sequence[int] | None = None) -> Sequence[T]:
        """The records, in this order of the numbers in which they were appended; nothing may be appended then."""
        if self._spool is not None:
            if order is not None:
                self._spool.arrange(order)
            return self._spool
        if order is None:
            return tuple(self._few)
        return tuple(self._unpack(index, self._pack(self._few[number])) for index, number in enumerate(order))


def make_cue_list() -> RecordList[Cue]:
    return RecordList(_pack_cue, _unpack_cue)


def make_original_list() -> RecordList[OriginalCue]:
    return RecordList(
        lambda cue: (cue.cue_index, cue.change, cue.reasons, cue.start_ms, cue.end_ms, cue.text),
        lambda index, values: OriginalCue(*values),
    )


def sort_cues(cues: Iterable[Cue]) -> Sequence[Cue]:
    """Sort cues by their start, those that start together in the order given, and index them anew.

    Raises ``Unreadable`` for more than ``MAX_CUES`` with times.
    """
    records, starts, is_ordered, timed = make_cue_list(), array("q"), True, 0
    for cue in cues:
        timed += cue.start_ms is not None
        if timed > MAX_CUES:
            raise Unreadable(f"has more than {MAX_CUES:,} cues", "check that it is the file you meant, or split it")
        start = cue.start_ms or 0
        is_ordered = is_ordered and (not starts or starts[-1] <= start)
        starts.append(start)
        records.append(cue)
    return records.values(None if is_ordered else array("q", sorted(range(len(starts)), key=starts.__getitem__)))


def _pack_cue(cue: Cue) -> tuple[Any, ...]:
    ruby = tuple((each.start, each.end, each.text) for each in cue.ruby)
    return cue.start_ms, cue.end_ms, cue.text, cue.speaker, ruby, cue.sounds


def _unpack_cue(index: int, values: Sequence[Any]) -> Cue:
    start, end, text, speaker, ruby, sounds = values
    return Cue(index, start, end, text, speaker, tuple(Ruby(*each) for each in ruby), sounds)


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


MAX_ORIGINALS = 5000
"""Cues of the file that one may be made of at most, minutes of frames: memory holds them."""


@dataclass(slots=True)
class CleanedCue:
    """A cue as the steps so far have left it. ``reasons`` are keys of ``REASONS``, in the order of the steps."""

    cue: Cue
    originals: list[Cue] = field(init=False)
    reasons: dict[str, None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.originals = [self.cue]

    def change(self, reason: str, **fields: Any) -> None:
        """Give the cue other values of these fields."""
        self.cue = replace(self.cue, **fields)
        self.reasons[reason] = None

    def absorb(self, other: Self, reason: str) -> None:
        """Take another cue in, which shows nothing that this does not; it is shown until the later end of both."""
        self.originals += other.originals
        self.reasons |= other.reasons
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
            OriginalCue(place, change, tuple(self.reasons), each.start_ms, each.end_ms, bracket_readings(each))
            for each in self.originals
        ]
