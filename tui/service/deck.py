"""Deck export: all clips of the profile as an Anki package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import DeckError, StoreError
from tui.records.clips import Clip
from tui.records.exports import ExportReport
from tui.regular_file import named_path
from tui.service.library import Library
from tui.text.sanitize import is_blank

if TYPE_CHECKING:
    from tui.store import Store


class LocalDeck:
    def __init__(self, library: Library) -> None:
        self._library = library

    async def export(
        self, path: str | Path, *, name: str = "", dry_run: bool = False, overwrite: bool = False
    ) -> ExportReport:
        """Export the deck, as ``protocol.Deck`` says."""
        if dry_run:
            deck, target = self._named(name, path)
            return (await self._library.run(lambda store: self._compared(store, deck, target)))[0]
        report, as_of = await self.write(path, name=name, overwrite=overwrite)
        try:
            await self.record_export(report, as_of)
        except StoreError:  # a full disk, say, or a library that can only be read: the deck is there all the same
            return replace(report, remembered=False)
        return report

    async def write(self, path: str | Path, *, name: str = "", overwrite: bool = False) -> tuple[ExportReport, str]:
        """Write the deck, which is no export before ``record_export`` gets what this gives.

        That is what is in it, and the moment as of which. It takes a minute for some hundred thousand clips; who is
        cancelled meanwhile leaves nothing behind.
        """
        from tui.deck import note_of, write_deck

        deck, target = self._named(name, path)

        def write(store: Store, check: Callable[[], None]) -> tuple[ExportReport, str]:
            report, as_of = self._compared(store, deck, target)
            clips = _checked(store.clips.each(self._library.profile), check)
            write_deck(target, deck, map(note_of, clips), overwrite=overwrite)
            return replace(report, size_bytes=target.stat().st_size, written=True), as_of

        return await self._library.database.run_long(write)

    async def record_export(self, report: ExportReport, as_of: str) -> None:
        """Record the export, once the deck is where it was to get: the next one is compared with it."""
        profile = self._library.profile
        await self._library.run(lambda store: store.exports.record(profile, report.deck, as_of))

    def _named(self, name: str, path: str | Path) -> tuple[str, Path]:
        """The deck's name and where it goes. Raises ``DeckError``."""
        from tui.deck import default_deck_name

        target = named_path(path)
        if os.path.isdir(target):  # noqa: PTH112 - the one that never raises, whatever the name
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")
        return default_deck_name(self._library.profile) if is_blank(name) else name.strip(), target

    def _compared(self, store: Store, deck: str, target: Path) -> tuple[ExportReport, str]:
        """Report on what an export would have in it, and the moment of that."""
        from tui.store.rows import now

        as_of = now()
        new, changed, same = store.exports.compare(self._library.profile, deck)
        return ExportReport(str(target), deck, new, changed, same, 0, written=False), as_of


def _checked(clips: Iterable[Clip], check: Callable[[], None]) -> Iterator[Clip]:
    for clip in clips:
        check()
        yield clip
