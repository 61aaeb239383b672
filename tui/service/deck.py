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
        """As the service says."""
        if dry_run:
            return (await self._made(path, name, None))[0]
        report, as_of = await self.write(path, name=name, overwrite=overwrite)
        await self.count(report, as_of)
        return report

    async def write(self, path: str | Path, *, name: str = "", overwrite: bool = False) -> tuple[ExportReport, str]:
        """Write the deck, which is no export before ``count`` is told so with what this gives."""
        return await self._made(path, name, overwrite)

    async def count(self, report: ExportReport, as_of: str) -> None:
        """The deck has got where it was to get: the next one is compared with it."""
        profile = self._library.profile
        await self._library.run(lambda store: store.exports.record(profile, report.deck, as_of))

    async def _made(self, path: str | Path, name: str, overwrite: bool | None) -> tuple[ExportReport, str]:
        """``overwrite`` None only compares. Gives what would be or is in the deck, and the moment of that."""
        from tui.deck import default_deck_name, write_deck
        from tui.store.rows import now

        profile = self._library.profile
        deck = name.strip() or default_deck_name(profile)
        target = Path(path).expanduser()
        if os.path.isdir(target):  # noqa: PTH112 - the one that never raises, whatever the name
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")

        def made(store: Store) -> tuple[ExportReport, str]:
            as_of = now()
            new, changed, same = store.exports.compare(profile, deck)
            size = 0
            if overwrite is not None:
                write_deck(target, deck, store.clips.each(profile), overwrite=overwrite)
                size = target.stat().st_size
            report = ExportReport(str(target), deck, new, changed, same, size, written=overwrite is not None)
            return report, as_of

        return await self._library.run(made)
