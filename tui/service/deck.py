"""Deck export: all clips of the profile as an Anki package."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tui import regular_file
from tui.errors import DeckError, StoreError
from tui.records.exports import ExportReport
from tui.records.notes import Note
from tui.regular_file import named_path
from tui.service.library import Library
from tui.service.notes import each_note
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
        deck, target = self._named(name, path)
        if dry_run:
            return (await self._library.run(lambda store: self._compared(store, deck, target)))[0]
        state, report = await self._library.run(lambda store: self._as_it_was(store, deck, target))
        if report is not None:
            return report
        report, as_of = await self.write(path, name=name, overwrite=overwrite)
        try:
            await self.record_export(report, as_of)
            sha256 = await asyncio.to_thread(_sha256, target)
            await self._library.run(lambda store: store.exports.record_file(self._library.profile, deck, state, sha256))
        except StoreError:  # a full disk, say, or a library that can only be read: the deck is there all the same
            return replace(report, remembered=False)
        return report

    def _as_it_was(self, store: Store, deck: str, target: Path) -> tuple[str, ExportReport | None]:
        """The state of what is exported, and the report where the last export left exactly that at the target."""
        from tui.deck import deck_version

        profile = self._library.profile
        state = store.exports.state(profile, deck_version(store.settings.get(profile)))
        sha256 = store.exports.file_of(profile, deck, state)
        if not sha256 or sha256 != _sha256(target):
            return state, None
        report, _ = self._compared(store, deck, target)
        return state, replace(report, size_bytes=target.stat().st_size, written=True)

    async def write(self, path: str | Path, *, name: str = "", overwrite: bool = False) -> tuple[ExportReport, str]:
        """Write the deck, which is no export before ``record_export`` gets what this gives.

        That is what is in it, and the moment as of which. It takes a minute for some hundred thousand clips; who is
        cancelled meanwhile leaves nothing behind.
        """
        from tui.deck import write_deck

        deck, target = self._named(name, path)

        def write(store: Store, check: Callable[[], None]) -> tuple[ExportReport, str]:
            report, as_of = self._compared(store, deck, target)
            profile = self._library.profile
            notes, settings = _checked(each_note(store, profile), check), store.settings.get(profile)
            write_deck(target, deck, notes, settings=settings, overwrite=overwrite)
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


def _checked(notes: Iterable[Note], check: Callable[[], None]) -> Iterator[Note]:
    for note in notes:
        check()
        yield note


def _sha256(path: Path) -> str:
    """The SHA-256 of a file, "" where it is none, or cannot be read."""
    digest = hashlib.sha256()
    try:
        with regular_file.opened(path) as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError:
        return ""
    return digest.hexdigest()
