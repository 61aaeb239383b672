"""What changed since a deck was last exported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.conftest import PROFILE
from tests.store.older_library import MOMENT, library_before
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


def test_the_versions_of_a_note_stand_in_the_order_in_which_they_were_last_sent(store: Store) -> None:
    first, second = ("a", b"x", b"1", b"", False), ("a", b"y", b"2", b"", True)
    for row in (first, second, second, first, first):
        store.sent_notes.record([row, ("b", b"z", b"9", b"8", False)])
    other = ("b", b"z", b"9", b"8", False)
    assert list(store.sent_notes.each()) == [second, first, other]
    store.sent_notes.record([second])
    store.sent_notes.record([(*second[:-1], False)])
    assert list(store.sent_notes.each()) == [first, other, second], "the latest one has arrived, and that stays"


def test_a_library_from_before_sent_notes_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with library_before("m015_sent_notes", tmp_path, monkeypatch) as older:
        older.execute("INSERT INTO exports (profile, deck, created_at) VALUES (1, 'Lode', ?)", (MOMENT,))
    store = Store.open(tmp_path)
    assert list(store.sent_notes.each()) == []
    store.close()
