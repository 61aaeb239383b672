"""Last filters of each list, kept in a file of this machine's data: a filter bar goes through them, as a shell does."""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from textual.app import App

from tui import bounds
from tui.system import regular_file
from tui.system.temporary import replace_text

MAX_KEPT = 50
"""Filters kept of a list."""
_MAX_BYTES = bounds.LAST_FILTERS.bytes_in


class LastFilters:
    """Filters by what they list, the last one last; ``home`` has the file, which other processes write too.

    Without one nothing is kept.
    """

    def __init__(self, home: Path | None = None) -> None:
        self._path = None if home is None else home / "filters.json"

    def of(self, noun: str) -> Sequence[str]:
        """The last filters of a list; none where they can't be read."""
        return self._read().get(noun, [])

    def keep(self, noun: str, q: str) -> None:
        """Put a filter behind the others, and no second time; what cannot be written is not kept."""
        if self._path is None:
            return
        kept = self._read()
        kept[noun] = [*(each for each in kept.get(noun, []) if each != q), q][-MAX_KEPT:]
        with suppress(OSError):
            replace_text(self._path, json.dumps(kept) + "\n")

    def _read(self) -> dict[str, list[str]]:
        if self._path is None:
            return {}
        try:
            kept = json.loads(regular_file.read(self._path, _MAX_BYTES))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(kept, dict):
            return {}
        lists = {noun: each for noun, each in kept.items() if isinstance(each, list)}
        return {noun: [q for q in each if isinstance(q, str)][-MAX_KEPT:] for noun, each in lists.items()}


def last_filters(app: App[Any]) -> LastFilters:
    """The last filters that an app has; none where it keeps none."""
    kept = getattr(app, "last_filters", None)
    return kept if isinstance(kept, LastFilters) else LastFilters()
