"""Times of a running Anki's cards when they were last read: a file for each profile in the data directory.

By them the next reading tells which cards have changed. It holds for one choice of field and deck: another one is read
anew. Where the file is lost or damaged, all cards are read once more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from tui import bounds
from tui.records.vocabulary import VocabularyChoice
from tui.system import regular_file
from tui.system.temporary import replace_text

_MOST_BYTES, _MOST_VALUES = bounds.CARD_TIMES.bytes_in, bounds.CARD_TIMES.entries


@dataclass(frozen=True, slots=True)
class LastReading:
    """What a running Anki was read at last: the times of its cards, and how many days ago, today counted."""

    card_times: Mapping[int, int]
    days: int


_NOTHING = LastReading({}, 0)


class CardTimes:
    """The file of one profile, for what is chosen of the Anki at an address. All methods block."""

    def __init__(self, directory: Path, profile: str, address: str, choice: VocabularyChoice) -> None:
        self._path = directory / "anki" / f"{profile}.json"
        self._read_of = {"address": address, **asdict(choice)}

    def load(self) -> LastReading:
        """The last reading of just this; without one nothing is known of any card."""
        try:
            data = regular_file.read(self._path, _MOST_BYTES)
            if sum(map(data.count, (b",", b"[", b"{"))) > _MOST_VALUES:  # objects take thirty times their bytes
                return _NOTHING
            kept = json.loads(data)
            if kept["of"] != self._read_of:
                return _NOTHING
            day = date.fromisoformat(kept["day"])
            times = {int(card): int(time) for card, time in kept["cards"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return _NOTHING
        # Anki's days begin at night, and in another time zone: one more is asked for on either side.
        return LastReading(times, max((_today() - day).days, 0) + 2)

    def save(self, card_times: Mapping[int, int]) -> None:
        """Keep the times; where that cannot be, the next reading takes longer, and says the same."""
        kept = {"of": self._read_of, "day": _today().isoformat(), "cards": card_times}
        with suppress(OSError):
            replace_text(self._path, json.dumps(kept, separators=(",", ":")))

    def forget(self) -> None:
        """Let the next reading take all cards."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _today() -> date:
    return datetime.now(UTC).date()
