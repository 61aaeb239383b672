"""Reader memory: where each transcript was left and what was shown in it, for as long as its service is open."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from tui.playing.mpv_process import MpvSource
from tui.screens.reader.side_pane import SidePaneName
from tui.service.protocol import Service


@dataclass(slots=True)
class ReaderMemory:
    """Memory of the readers over one service; transcripts are named by their ids."""

    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Cue and word at which each transcript was left."""
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
