"""Places in transcripts: where each was left, how far it is read, and what else readers remember of them."""

from contextlib import suppress
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from tui.errors import LodeError, NotFound
from tui.playing.mpv import MpvSource
from tui.records.transcripts import ReadingPlace, Transcript
from tui.screens.reader.side_pane import SidePaneName
from tui.service.protocol import Service
from tui.service.protocol.records import Transcripts

_A_WHILE = 20
"""Cues that one goes on from a jump until it is clear that one reads there."""


class LeftPlaces:
    """Places at which transcripts were left: those that the library has not kept yet, or cannot keep, stay here."""

    def __init__(self) -> None:
        self._places: dict[str, ReadingPlace] = {}

    def remember(self, transcript_id: str, place: ReadingPlace) -> None:
        self._places[transcript_id] = place

    async def of(self, transcripts: Transcripts, transcript_id: str) -> tuple[int, int]:
        """The cue and the word at which a transcript was left."""
        place = self._places.get(transcript_id)
        with suppress(LodeError):  # what can be read is read from its start then
            place = place or await transcripts.place(transcript_id)
        return (0, 0) if place is None else (place.cue_index, place.word_index)

    async def keep(self, transcripts: Transcripts) -> None:
        """Have the library keep the places; what it cannot keep stays remembered while the app is open."""
        for transcript_id, place in tuple(self._places.items()):
            try:
                await transcripts.leave_at(transcript_id, place)
            except NotFound:
                self._places.pop(transcript_id, None)
            except LodeError:
                return
            if self._places.get(transcript_id) == place:
                del self._places[transcript_id]


class ReadOn:
    """Count of the cues from a transcript's start that are read: those that one has come to by moving on.

    A step is as far as one sees. Whoever jumps ahead (to the end, to a hit, to a bookmark) has not read what lies
    between, so that a jump does not count, and what comes after it only once one has gone on from there for a while:
    then that is where one reads.
    """

    def __init__(self, read_cues: int) -> None:
        self.cues = read_cues
        self._begin: int | None = None
        """Cue from which one has come here without a jump."""
        self._here = 0

    def come_to(self, cue: int, in_sight: int) -> int:
        """Come to a cue, with so many lines in sight; gives how many cues are read."""
        if self._begin is None or abs(cue - self._here) > in_sight:
            self._begin = cue
        self._begin, self._here = min(self._begin, cue), cue
        if self._begin <= self.cues or cue - self._begin >= _A_WHILE:
            self.cues = max(self.cues, cue + 1)
        return self.cues


async def find_cue_at(transcripts: Transcripts, transcript: Transcript, milliseconds: int) -> int:
    """Find the cue that is said at a time, or the last one before it, asking for few cues. Raises ``LodeError``."""
    first, last = 0, transcript.cue_count - 1
    while first < last:
        middle = (first + last + 1) // 2
        page = await transcripts.cues(transcript.id, offset=middle, limit=1)
        start = page.items[0].start_ms if page.items else None
        if start is not None and start > milliseconds:
            last = middle - 1
        else:
            first = middle
    return first


@dataclass(slots=True)
class ReaderMemory:
    """Memory of the readers over one service, for as long as it is open; transcripts are named by their ids."""

    places: LeftPlaces = field(default_factory=LeftPlaces)
    whole_sentences: set[str] = field(default_factory=set)
    """Transcripts that are read by whole sentences."""
    alone: set[str] = field(default_factory=set)
    """Transcripts of which one sentence is shown at a time."""
    shows_readings: bool = False
    shows_translations: bool = False
    side_pane: SidePaneName = "word"
    films: dict[str, MpvSource] = field(default_factory=dict)
    """Films, or where mpv plays them, that were named for transcripts: ``lode follow``."""


_memories: WeakKeyDictionary[Service, ReaderMemory] = WeakKeyDictionary()


def memory_of(service: Service) -> ReaderMemory:
    """The memory of the readers over this service, which changes with them."""
    return _memories.setdefault(service, ReaderMemory())
