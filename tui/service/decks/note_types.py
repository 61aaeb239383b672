"""Note types that a profile's fields are compared with, read where the learner sits."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tui.anki.connect import AnkiConnect
from tui.anki.notes import read_note_types
from tui.deck.note_fields import NoteFields
from tui.records.note_fields import NoteTypeFields
from tui.records.vocabulary import RunningAnki
from tui.service.words.vocabulary_sources import connection_of
from tui.system.regular_file import named_path


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
