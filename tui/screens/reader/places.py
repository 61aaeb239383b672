"""Places in transcripts: where each was left, those that one came from, and what else readers remember of them."""

from contextlib import suppress
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from tui.errors import LodeError, NotFound
from tui.playing.mpv import MpvSource
from tui.records.transcripts import ReadingPlace, Transcript
from tui.screens.reader.side_pane import SidePaneName
from tui.service.protocol import Service
from tui.service.protocol.records import Transcripts
from tui.widgets.transcript.cue_lines import PlaceInCue

_MAX_PLACES = 100


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


@dataclass(frozen=True, slots=True)
class Place:
    """Place in a transcript: a cue, and a word of it."""

    transcript_id: str
    cue: int
    word: PlaceInCue = 0


class Places:
    """Places to go back to, and forward again, as a web browser keeps its pages; the last of each is the nearest."""

    def __init__(self) -> None:
        self._back: list[Place] = []
        self._forward: list[Place] = []

    @property
    def has_way_back(self) -> bool:
        return bool(self._back)

    def leave(self, here: Place) -> None:
        """Keep the place that is left for another one; there is no way forward any more."""
        self._back = [*self._back[1 - _MAX_PLACES :], here]
        self._forward.clear()

    def step(self, here: Place, step: int) -> Place | None:
        """The place that one came from (-1), or that one went back from (1); None where there is none."""
        source, target = (self._back, self._forward) if step < 0 else (self._forward, self._back)
        if not source:
            return None
        target.append(here)
        return source.pop()
