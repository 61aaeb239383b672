"""Deck export: all clips of the profile as an Anki package."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tui import regular_file
from tui.errors import DeckError, StoreError
from tui.records.exports import ExportReport
from tui.records.notes import Note
from tui.records.vocabulary import RunningAnki
from tui.regular_file import named_path
from tui.service.library import Library
from tui.service.notes import each_note
from tui.text.sanitize import is_blank

if TYPE_CHECKING:
    from tui.anki.notes import AnkiNotes
    from tui.service.deck_merge import Merging
    from tui.store import Store
    from tui.store.tables.sent_notes import SentRow


@dataclass(frozen=True, slots=True)
class Written:
    """What an export has written: the clips as of a moment, and what is remembered of each note."""

    as_of: str
    sent: tuple[SentRow, ...]


class LocalDeck:
    def __init__(self, library: Library) -> None:
        self._library = library

    async def export(
        self,
        path: str | Path,
        *,
        name: str = "",
        dry_run: bool = False,
        overwrite: bool = False,
        merge_with: str | Path | None = None,
    ) -> ExportReport:
        """Export the deck, as ``protocol.Deck`` says."""
        deck, target = self._named(name, path)
        source, anki = str(merge_with), None
        if merge_with is not None:
            anki = await self._anki_notes(merge_with)
        if dry_run:
            return await self._planned(deck, str(target), anki, source)
        state, report = await self._library.run(lambda store: self._as_it_was(store, deck, target))
        if report is not None and anki is None:
            return report
        report, written = await self.write(path, name=name, overwrite=overwrite, anki=anki, source=source)
        try:
            await self.record_export(report, written)
            if anki is None:
                sha256 = await asyncio.to_thread(_sha256, target)
                profile = self._library.profile
                await self._library.run(lambda store: store.exports.record_file(profile, deck, state, sha256))
        except StoreError:  # a full disk, say, or a library that can only be read: the deck is there all the same
            return replace(report, remembered=False)
        return report

    def _as_it_was(self, store: Store, deck: str, target: Path) -> tuple[str, ExportReport | None]:
        """The state of what is exported, and the report where the last export left exactly that at the target."""
        from tui.deck import DECK_VERSION

        state = store.exports.state(self._library.profile, DECK_VERSION)
        sha256 = store.exports.file_of(self._library.profile, deck, state)
        if not sha256 or sha256 != _sha256(target):
            return state, None
        report, _ = self._compared(store, deck, str(target))
        return state, replace(report, size_bytes=target.stat().st_size, written=True)

    async def write(
        self,
        path: str | Path,
        *,
        name: str = "",
        overwrite: bool = False,
        anki: AnkiNotes | None = None,
        source: str = "",
    ) -> tuple[ExportReport, Written]:
        """Write the deck, which is no export before ``record_export`` gets what this gives.

        With ``anki`` the clips are merged with those notes, of a ``source`` that is told. It takes a minute for some
        hundred thousand clips; who is cancelled meanwhile leaves nothing behind.
        """
        from tui.deck import write_deck
        from tui.service.deck_merge import Merging, noted

        deck, target = self._named(name, path)

        def write(store: Store, check: Callable[[], None]) -> tuple[ExportReport, Written]:
            report, as_of = self._compared(store, deck, str(target))

            def notes() -> Iterator[Note]:
                return _checked(each_note(store, self._library.profile), check)

            if anki is not None:
                merging = Merging.of(store, anki)
                write_deck(target, deck, merging.notes(notes), overwrite=overwrite, note_types=merging.note_types)
                report, rows = replace(report, merge=merging.report(source)), merging.sent_rows
            else:
                rows = []
                write_deck(target, deck, noted(notes(), rows, store), overwrite=overwrite)
            return replace(report, size_bytes=target.stat().st_size, written=True), Written(as_of, tuple(rows))

        return await self._library.database.run_long(write)

    async def record_export(self, report: ExportReport, written: Written) -> None:
        """Record the export, once the deck is where it was to get: the next one is compared with it."""
        profile = self._library.profile

        def record(store: Store) -> None:
            store.sent_notes.record(written.sent)
            store.exports.record(profile, report.deck, written.as_of)

        await self._library.run(record)

    async def push(self, anki: RunningAnki | None = None, *, name: str = "", dry_run: bool = False) -> ExportReport:
        """Push the deck into a running Anki, as ``protocol.Deck`` says."""
        from tui.service.running_collection import RunningCollection

        collection = RunningCollection((anki or RunningAnki()).address, self._library.database.directory)
        before = await collection.notes()
        if dry_run:
            return await self._planned(self._named(name, "deck.apkg")[0], "", before, collection.address)
        async with collection.package() as package:
            report, written = await self.write(package, name=name, anki=before, source=collection.address)
            # What Anki is about to have is remembered first: whatever breaks off now, none of it counts as an edit.
            await self._library.run(lambda store: store.sent_notes.record(written.sent))
            if report.merge is not None and report.merge.added + report.merge.updated:
                await collection.take(package)
        seen = await self._merged(await collection.notes())
        await self.record_export(report, replace(written, sent=tuple(seen.sent_rows)))
        merge = report.merge and replace(report.merge, not_taken=seen.to_write)
        return replace(report, path="", size_bytes=0, merge=merge)

    async def _planned(self, deck: str, target: str, anki: AnkiNotes | None, source: str) -> ExportReport:
        """Report on what an export would have in it."""
        report, _ = await self._library.run(lambda store: self._compared(store, deck, target))
        return report if anki is None else replace(report, merge=(await self._merged(anki)).report(source))

    async def _merged(self, anki: AnkiNotes) -> Merging:
        """A merge that writes nothing, at its end."""
        from tui.service.deck_merge import Merging

        def merge(store: Store, check: Callable[[], None]) -> Merging:
            merging = Merging.of(store, anki)
            for _ in merging.notes(lambda: _checked(each_note(store, self._library.profile), check)):
                pass
            return merging

        return await self._library.database.run_long(merge)

    async def _anki_notes(self, path: str | Path) -> AnkiNotes:
        from tui.service.deck_merge import anki_notes

        directory = self._library.database.directory
        return await self._library.database.run_long(lambda store, check: anki_notes(named_path(path), directory))

    def _named(self, name: str, path: str | Path) -> tuple[str, Path]:
        """The deck's name and where it goes. Raises ``DeckError``."""
        from tui.deck import default_deck_name

        target = named_path(path)
        if os.path.isdir(target):  # noqa: PTH112 - the one that never raises, whatever the name
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")
        return default_deck_name(self._library.profile) if is_blank(name) else name.strip(), target

    def _compared(self, store: Store, deck: str, target: str) -> tuple[ExportReport, str]:
        """Report on what an export would have in it, and the moment of that."""
        from tui.store.rows import now

        as_of = now()
        new, changed, same = store.exports.compare(self._library.profile, deck)
        return ExportReport(target, deck, new, changed, same, 0, written=False), as_of


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
