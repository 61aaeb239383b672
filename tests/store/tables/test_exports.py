"""What changed since a deck was last exported."""

from __future__ import annotations

from tests.store.conftest import PROFILE
from tui.records.clips import NewClip
from tui.store import Store

LATER = "9999-01-01T00:00:00.000Z"


def test_new_changed_and_same_are_against_the_last_export_of_that_deck_name(store: Store) -> None:
    clips = [store.clips.add(PROFILE, NewClip(f"Satz {number}")) for number in range(4)]
    store.clips.add("berta", NewClip("fremd"))
    assert store.exports.compare(PROFILE, "Lode") == (4, 0, 0)
    store.exports.record(PROFILE, "Lode", LATER)
    assert store.exports.compare(PROFILE, "Lode") == (0, 0, 4)
    assert store.exports.compare(PROFILE, "Other") == (4, 0, 0)
    store.clips.edit(PROFILE, clips[0].id, NewClip("anders"))
    store.clips.edit(PROFILE, clips[1].id, NewClip("Satz 1"))
    store.clips.delete(PROFILE, [clips[2].id])
    store.clips.add(PROFILE, NewClip("neu"))
    assert store.exports.compare(PROFILE, "Lode") == (1, 1, 2)
    store.trash.undo(PROFILE)
    assert store.exports.compare(PROFILE, "Lode") == (1, 1, 3)
    store.exports.record(PROFILE, "Lode", LATER)
    assert store.exports.compare(PROFILE, "Lode") == (0, 0, 5)
    assert store.exports.compare("berta", "Lode") == (1, 0, 0)


def test_what_is_added_or_edited_while_a_deck_is_written_does_not_count_as_exported(store: Store) -> None:
    old = store.clips.add(PROFILE, NewClip("Satz"))
    store.exports.record(PROFILE, "Lode", LATER)
    edited = store.clips.edit(PROFILE, old.id, NewClip("anders"))
    store.exports.record(PROFILE, "Lode", old.updated_at)
    assert edited.updated_at > old.updated_at
    store.clips.add(PROFILE, NewClip("neu"))
    store.exports.record(PROFILE, "Lode", old.updated_at)
    assert store.exports.compare(PROFILE, "Lode") == (1, 1, 0)
