"""Notes of clips, rendered once: when a clip is kept or edited, else with the first deck that has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from tui.errors import StoreError

if TYPE_CHECKING:
    from tui.records.clips import Clip
    from tui.records.notes import Note
    from tui.store import Store


def each_note(store: Store, profile: str, selected: Sequence[int] | None = None) -> Iterator[Note]:
    """Iterate over the notes of all clips, or of those with these row numbers, oldest first. Blocks."""
    from tui.deck import RENDERING, make_note
    from tui.store.tables.rendered_notes import Rendering

    return store.rendered_notes.each(profile, Rendering(RENDERING, make_note), selected)


def with_note(store: Store, clip: Clip) -> Clip:
    with_notes(store, (clip,))
    return clip


def with_notes(store: Store, clips: tuple[Clip, ...]) -> tuple[Clip, ...]:
    """Render clips that were just added or edited, and give them back; what fails here is done with their deck."""
    from tui.deck import RENDERING, make_note
    from tui.store.tables.rendered_notes import Rendering

    with suppress(StoreError):
        store.rendered_notes.keep(clips, Rendering(RENDERING, make_note))
    return clips
