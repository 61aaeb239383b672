"""What changed since a deck was last exported."""

from __future__ import annotations

from tests.store.conftest import PROFILE
from tui.records import NewClip
from tui.store import Store


def test_new_changed_and_same_are_against_the_last_export_of_that_deck_name(store: Store) -> None:
    clips = [store.clips.add(PROFILE, NewClip(f"Satz {number}")) for number in range(4)]
    store.clips.add("berta", NewClip("fremd"))
    assert store.exports.compare(PROFILE, "Lode") == (4, 0, 0)
    store.exports.record(PROFILE, "Lode")
    assert store.exports.compare(PROFILE, "Lode") == (0, 0, 4)
    assert store.exports.compare(PROFILE, "Other") == (4, 0, 0)
    store.clips.edit(PROFILE, clips[0].id, NewClip("anders"))
    store.clips.edit(PROFILE, clips[1].id, NewClip("Satz 1"))
    store.clips.delete(PROFILE, [clips[2].id])
    store.clips.add(PROFILE, NewClip("neu"))
    assert store.exports.compare(PROFILE, "Lode") == (1, 1, 2)
    store.trash.undo(PROFILE)
    assert store.exports.compare(PROFILE, "Lode") == (1, 1, 3)
    store.exports.record(PROFILE, "Lode")
    assert store.exports.compare(PROFILE, "Lode") == (0, 0, 5)
    assert store.exports.compare("berta", "Lode") == (1, 0, 0)
