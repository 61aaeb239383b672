"""The collection of a running Anki: read from its file, and given packages over AnkiConnect.

No action of AnkiConnect tells a note's guid, and those that add notes make up new ones. So what Anki has is read from a
copy of its collection, and what is to be there goes in as a package, which keeps the identity of every note.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from heapq import nlargest
from pathlib import Path

from tui.anki.connect import AnkiConnect
from tui.anki.notes import AnkiNotes
from tui.deck.note_fields import NoteFields
from tui.errors import ImportRefused, ProviderError
from tui.records.vocabulary import RunningAnki
from tui.service.decks.deck_merge import anki_notes
from tui.service.words.vocabulary_sources import connection_of
from tui.system.net import is_this_machine
from tui.system.temporary import TemporaryDirectory, made_in_thread
from tui.text.sanitize import one_line

_COMPARED = 20
"""Notes by which a collection on this disk is known as the one that Anki has open."""


class RunningCollection:
    """The collection that the Anki at an address has open; its copies lie in ``place`` meanwhile.

    All methods raise ``ProviderError``, with the code ``collection_out_of_reach`` where it cannot be read from here.
    """

    def __init__(self, anki: RunningAnki, place: Path) -> None:
        self._anki = AnkiConnect(*connection_of(anki))
        self._place = place

    @property
    def address(self) -> str:
        return self._anki.address

    async def notes(self, fields: NoteFields) -> AnkiNotes:
        """The notes of Lode's, as they are there, and the note type that ``fields`` are of."""
        path = await self._path()
        try:
            found = await asyncio.to_thread(anki_notes, path, self._place, fields)
        except ImportRefused as error:
            raise _out_of_reach(path, error) from error
        last = nlargest(_COMPARED, found.notes.values(), key=lambda note: note.changed_at)
        if not await self._anki.has_notes({note.id: note.changed_at for note in last}):
            raise _out_of_reach(self.address)
        return found

    @asynccontextmanager
    async def package(self) -> AsyncGenerator[Path, None]:
        """A path for a package that Anki can read, which is gone after the block.

        It is beside the collection, since an Anki in a sandbox sees its own folder, and of others none for certain.
        """
        path = await self._path()
        try:
            place = await made_in_thread(lambda: TemporaryDirectory(path.parent))
        except OSError as error:
            raise _out_of_reach(path, error) from error
        with place as directory:
            yield directory / "lode.apkg"

    async def take(self, package: Path) -> None:
        """Let Anki import a package."""
        await self._anki.import_package(package)

    async def remove(self, notes: Sequence[int]) -> None:
        """Remove notes with their cards, which Anki itself can take back."""
        await self._anki.delete_notes(notes)

    async def _path(self) -> Path:
        if not is_this_machine(self.address):
            raise _out_of_reach(self.address)
        return await self._anki.collection()


def _out_of_reach(what: object, cause: Exception | None = None) -> ProviderError:
    why = f" ({one_line(str(cause))})" if cause is not None else ""
    return ProviderError(
        f"the collection of Anki cannot be read from here: {one_line(str(what))}{why}",
        hint="export the deck out of Anki, then: lode export lode.apkg --from THAT_FILE",
        code="collection_out_of_reach",
    )
