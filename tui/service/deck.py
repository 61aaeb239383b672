"""The deck: all clips of the profile as an Anki package."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import DeckError
from tui.records import ExportReport
from tui.service.library import Library

if TYPE_CHECKING:
    from tui.store import Store


class LocalDeck:
    def __init__(self, library: Library) -> None:
        self._library = library

    async def export(
        self, path: str | Path, *, name: str = "", dry_run: bool = False, overwrite: bool = False
    ) -> ExportReport:
        from tui.deck import default_deck_name, write_deck
        from tui.store.rows import now

        profile = self._library.profile
        deck = name.strip() or default_deck_name(profile)
        target = Path(path).expanduser()
        if os.path.isdir(target):  # noqa: PTH112 - the one that never raises, whatever the name
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")

        def export(store: Store) -> ExportReport:
            begun = now()
            new, changed, same = store.exports.compare(profile, deck)
            size = 0
            if not dry_run:
                write_deck(target, deck, store.clips.each(profile), overwrite=overwrite)
                store.exports.record(profile, deck, begun)
                size = target.stat().st_size
            return ExportReport(str(target), deck, new, changed, same, size, written=not dry_run)

        return await self._library.run(export)
