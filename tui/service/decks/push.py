"""Pushing a deck into the Anki that runs on this machine, wherever its library is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Protocol

from tui.anki.notes import AnkiNotes
from tui.deck.note_fields import NoteFields
from tui.records.exports import ExportReport, MergedDeck, MergeReport
from tui.records.vocabulary import RunningAnki
from tui.service.decks.running_collection import RunningCollection


class MergingLibrary(Protocol):
    """The library's part of a push: it knows the clips and what was sent of them, and nothing of Anki."""

    async def note_fields(self) -> NoteFields:
        """The fields of the note type that new notes are of."""

    async def planned_merge(self, anki: AnkiNotes, source: str, *, name: str = "") -> MergedDeck:
        """Report on what merging all clips with these notes, which are of ``source``, comes to."""

    async def write_merged(self, path: Path, anki: AnkiNotes, source: str, *, name: str = "") -> MergedDeck:
        """Write the deck that Anki is to import, of which each note is remembered as sent."""

    async def record_arrived(self, anki: AnkiNotes, source: str, deck: str, as_of: str) -> MergeReport:
        """Remember what is in Anki, and that this deck was exported as of a moment; the report says what is missing."""


async def push(
    library: MergingLibrary, anki: RunningAnki, place: Path, *, name: str, dry_run: bool, remove_deleted: bool
) -> ExportReport:
    """Push as ``protocol.Deck`` says; copies of Anki's collection lie in ``place`` meanwhile."""
    collection = RunningCollection(anki, place)
    source, fields = collection.address, await library.note_fields()
    before = await collection.notes(fields)
    if dry_run:
        return (await library.planned_merge(before, source, name=name)).report
    async with collection.package() as package:
        # Notes are remembered as sent before Anki has them: whatever breaks off now, none of them counts as edited.
        merged = await library.write_merged(package, before, source, name=name)
        merge = merged.report.merge
        if merge is not None and merge.added + merge.updated:
            await collection.take(package)
    # Whatever a library that is elsewhere says, none but Lode's own notes are removed.
    orphans = {note.id for note in before.notes.values()}.intersection(merged.orphans)
    if remove_deleted and orphans:
        await collection.remove(sorted(orphans))
    after = await collection.notes(fields)
    seen = await library.record_arrived(after, source, merged.report.deck, merged.as_of)
    removed = max(len(merged.orphans) - seen.deleted_count, 0)
    merge = merge and replace(merge, not_taken=seen.added + seen.updated, removed=removed)
    return replace(merged.report, path="", size_bytes=0, merge=merge)
