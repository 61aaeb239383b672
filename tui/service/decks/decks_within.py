"""Decks within the deck: one for each language, or for the first tag of each clip, as the profile says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.deck.note import GUID_PREFIX
from tui.language.tags import base_language, language_name
from tui.records.notes import Note

if TYPE_CHECKING:
    from tui.store import Store


def in_decks(notes: Iterable[Note], store: Store, profile: str) -> Iterator[Note]:
    """The notes, each with the deck that its new cards come into; a note without language or tag is in none of them.

    Varieties of one language (pt-BR, pt-PT) share a deck.
    """
    match store.settings.get(profile).deck_per:
        case "none":
            yield from notes
        case "tag":
            for note in notes:
                yield replace(note, within=note.tags[0]) if note.tags else note
        case "language":
            languages = store.clips.languages(profile)
            names = {tag: language_name(base_language(tag)) for tag in set(languages.values())}
            for note in notes:
                tag = languages.get(note.guid.removeprefix(GUID_PREFIX))
                yield note if tag is None else replace(note, within=names[tag])
