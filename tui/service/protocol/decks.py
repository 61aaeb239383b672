"""Protocol of decks: clips on their way to Anki, and to files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tui.records.exports import ALL_CLIPS, ClipSelection, ExportReport
from tui.service.protocol.operation import Operation

if TYPE_CHECKING:  # dataclasses take a while to make, and nothing before the first frame needs these
    from tui.records.note_fields import NoteFieldsCheck, NoteTypeFields
    from tui.records.vocabulary import RunningAnki


class Deck(Protocol):
    async def export(
        self,
        path: str | Path,
        *,
        name: str = "",
        selection: ClipSelection = ALL_CLIPS,
        dry_run: bool = False,
        overwrite: bool = False,
        merge_with: str | Path | None = None,
    ) -> ExportReport:
        """Export clips of the profile in the format that the path ends in (``deck/formats.py``): a deck as .apkg.

        New, changed and same are against the last deck of that name; ``name`` "" is ``Lode`` for the default profile,
        else ``Lode::<profile>``. Only a deck counts as exported, and of it the clips that are in it. An older deck at
        ``path`` is replaced; another file only with ``overwrite``: else that is an error with the code ``not_a_deck``
        or, where no deck is to be written, ``target_exists``. Raises ``InvalidInput`` for an ending that names no
        format and for a date that is none, ``NotFound`` for an id. A selection without clips writes nothing.

        ``merge_with`` is a package or a collection of Anki's: the deck then has the notes that are new there or differ,
        with what was edited in Anki, and in the note types as they are there.
        """

    async def push(
        self, anki: RunningAnki | None = None, *, name: str = "", dry_run: bool = False, remove_deleted: bool = False
    ) -> ExportReport:
        """Merge the profile's clips with the notes of an Anki that runs on this machine, and let it import them.

        Its notes keep what was edited there, and what is the same is left alone. Those of deleted clips are told, and
        taken out of Anki with ``remove_deleted``; a clip that is restored comes there anew. Raises ``ProviderError``
        with a code for each way not to answer, and with ``collection_out_of_reach`` where its collection cannot be read
        from here.
        """

    async def check_fields(self, source: Path | RunningAnki) -> NoteFieldsCheck:
        """Compare the profile's ``note_fields`` with the note types in a deck, a collection or an Anki that runs here.

        Raises ``ImportRefused`` for a file that is none, and ``ProviderError`` as ``push`` does.
        """

    @Operation("POST", "/profiles/note_fields_check", "check_note_fields", body="NoteTypes", asks=True)
    async def check_note_types(self, note_types: Sequence[NoteTypeFields], source: str = "") -> NoteFieldsCheck:
        """Compare the profile's ``note_fields`` with note types of an Anki, which somebody else has read.

        ``source`` is what they are of.
        """
