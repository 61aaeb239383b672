"""Anki where the learner sits: its collection, its note types, and the deck pushed into it, wherever the library is.

No action of AnkiConnect tells a note's guid, and those that add notes make up new ones. So what Anki has is read from a
copy of its collection, and what is to be there goes in as a package, which keeps the identity of every note.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from heapq import nlargest
from pathlib import Path
from typing import Protocol

from tui.anki.connect import AnkiConnect
from tui.anki.notes import AnkiNotes, read_note_types
from tui.deck.note_fields import NoteFields
from tui.errors import ImportRefused, ProviderError
from tui.records.exports import ExportReport, MergedDeck, MergeReport
from tui.records.notes import NoteTypeFields
from tui.records.vocabulary import RunningAnki
from tui.service.decks.deck_merge import anki_notes
from tui.service.words.vocabulary import connection_of
from tui.system.net import is_this_machine
from tui.system.regular_file import named_path
from tui.system.temporary import TemporaryDirectory, make_in_thread
from tui.text.sanitize import one_line

_COMPARED = 20
"""Notes by which a collection on this disk is known as the one that Anki has open."""


class RunningCollection:
    """The collection that the Anki at an address has open; its copies lie in ``place`` meanwhile.

    All methods raise ``ProviderError``, with the code ``collection_out_of_reach`` where it cannot be read from here.
    """

    def __init__(self, anki: RunningAnki, place: Path) -> None:
        self.anki = AnkiConnect(*connection_of(anki))
        self._place = place

    async def notes(self, fields: NoteFields) -> AnkiNotes:
        """The notes of Lode's, as they are there, and the note type that ``fields`` are of."""
        path = await self._path()
        try:
            found = await asyncio.to_thread(anki_notes, path, self._place, fields)
        except ImportRefused as error:
            raise _out_of_reach(path, error) from error
        last = nlargest(_COMPARED, found.notes.values(), key=lambda note: note.changed_at)
        if not await self.anki.has_notes({note.id: note.changed_at for note in last}):
            raise _out_of_reach(self.anki.address)
        return found

    @asynccontextmanager
    async def package(self) -> AsyncGenerator[Path, None]:
        """A path for a package that Anki can read, which is gone after the block.

        It is beside the collection, since an Anki in a sandbox sees its own folder, and of others none for certain.
        """
        path = await self._path()
        try:
            place = await make_in_thread(lambda: TemporaryDirectory(path.parent))
        except OSError as error:
            raise _out_of_reach(path, error) from error
        with place as directory:
            yield directory / "lode.apkg"

    async def _path(self) -> Path:
        if not is_this_machine(self.anki.address):
            raise _out_of_reach(self.anki.address)
        return await self.anki.collection()


def _out_of_reach(what: object, cause: Exception | None = None) -> ProviderError:
    why = f" ({one_line(str(cause))})" if cause is not None else ""
    return ProviderError(
        f"the collection of Anki cannot be read from here: {one_line(str(what))}{why}",
        hint="export the deck out of Anki, then: lode export lode.apkg --from THAT_FILE",
        code="collection_out_of_reach",
    )


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
    source, fields = collection.anki.address, await library.note_fields()
    before = await collection.notes(fields)
    if dry_run:
        return (await library.planned_merge(before, source, name=name)).report
    async with collection.package() as package:
        # Notes are remembered as sent before Anki has them: whatever breaks off now, none of them counts as edited.
        merged = await library.write_merged(package, before, source, name=name)
        merge = merged.report.merge
        if merge is not None and merge.added + merge.updated:
            await collection.anki.import_package(package)
    # Whatever a library that is elsewhere says, none but Lode's own notes are removed.
    orphans = {note.id for note in before.notes.values()}.intersection(merged.orphans)
    if remove_deleted and orphans:
        await collection.anki.delete_notes(sorted(orphans))  # with their cards, which Anki itself can take back
    after = await collection.notes(fields)
    seen = await library.record_arrived(after, source, merged.report.deck, merged.as_of)
    removed = max(len(merged.orphans) - seen.deleted_count, 0)
    merge = merge and replace(merge, not_taken=seen.added + seen.updated, removed=removed)
    return replace(merged.report, path="", size_bytes=0, merge=merge)


async def note_types_in(
    source: Path | RunningAnki, fields: NoteFields, place: Path
) -> tuple[list[NoteTypeFields], str]:
    """Note types of a deck, a collection or a running Anki, and what it is called.

    Of a running Anki only the one of the ``fields`` comes with what it has. Raises as ``protocol.Deck.check_fields``.
    """
    if isinstance(source, RunningAnki):
        anki = AnkiConnect(*connection_of(source))
        return await anki.note_types(fields.note_type), anki.address
    found = await asyncio.to_thread(read_note_types, named_path(source), place)
    return [NoteTypeFields(each.name, each.fields) for each in found.values()], str(source)
