"""Notes of clips, rendered once: when a clip is kept or edited, else with the first deck that has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.errors import StoreError

if TYPE_CHECKING:
    from tui.records.clips import Clip
    from tui.records.notes import Note
    from tui.store import Store
    from tui.store.tables.decks import Rendering


def each_note(store: Store, profile: str, selected: Sequence[int] | None = None) -> Iterator[Note]:
    """Iterate over the notes of all clips, or of those with these row numbers, oldest first. Blocks."""
    return store.rendered_notes.each(profile, _rendering(), selected)


def notes_in_decks(store: Store, profile: str, selected: Sequence[int] | None = None) -> Iterator[Note]:
    """Iterate over notes as ``each_note`` does, each with the deck that its new cards come into, as the profile says.

    A note without language or tag is in none of them; varieties of one language (pt-BR, pt-PT) share a deck. Blocks.
    """
    from tui.deck.note import GUID_PREFIX
    from tui.language.tags import base_language, language_name

    notes = each_note(store, profile, selected)
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


def with_notes(store: Store, clips: tuple[Clip, ...]) -> tuple[Clip, ...]:
    """Render clips that were just added or edited, and give them back; what fails here is done with their deck."""
    with suppress(StoreError):
        store.rendered_notes.keep(clips, _rendering())
    return clips


def _rendering() -> Rendering:
    from tui.deck.note import RENDERING, make_note
    from tui.store.tables.decks import Rendering

    return Rendering(RENDERING, make_note)
