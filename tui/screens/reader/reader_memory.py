"""Reader memory: what was shown in each transcript, for as long as its service is open."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from tui.playing.mpv_process import MpvSource
from tui.records.transcripts import ReadingPlace
from tui.screens.reader.side_pane import SidePaneName
from tui.service.protocol import Service


@dataclass(slots=True)
class ReaderMemory:
    """Memory of the readers over one service; transcripts are named by their ids."""

    places: dict[str, ReadingPlace] = field(default_factory=dict)
    """Places at which transcripts were left that the library has not kept yet, or cannot keep."""
    whole_sentences: set[str] = field(default_factory=set)
    """Transcripts that are read by whole sentences."""
    shows_readings: bool = False
    shows_translations: bool = False
    side_pane: SidePaneName = "word"
    films: dict[str, MpvSource] = field(default_factory=dict)
    """Films, or where mpv plays them, that were named for transcripts: ``lode follow``."""


_memories: WeakKeyDictionary[Service, ReaderMemory] = WeakKeyDictionary()


def memory_of(service: Service) -> ReaderMemory:
    """The memory of the readers over this service, which changes with them."""
    return _memories.setdefault(service, ReaderMemory())
