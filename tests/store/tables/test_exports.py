"""What changed since a deck was last exported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.store.conftest import PROFILE
from tests.store.older_library import MOMENT, library_before
from tui.errors import InvalidInput, NotFound
from tui.records.clips import NewClip
from tui.records.exports import ClipSelection
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


def test_a_part_that_is_exported_leaves_all_others_as_they_were(store: Store) -> None:
    clips = [store.clips.add(PROFILE, NewClip(f"Satz {number}")) for number in range(4)]
    part = store.exports.select(PROFILE, "Lode", ClipSelection(ids=(clips[0].id, clips[1].id)))
    store.exports.record(PROFILE, "Lode", LATER, part)
    assert store.exports.compare(PROFILE, "Lode") == (2, 0, 2)
    assert store.exports.compare(PROFILE, "Lode", part) == (0, 0, 2)
    store.clips.edit(PROFILE, clips[0].id, NewClip("anders"))
    store.clips.edit(PROFILE, clips[1].id, NewClip("auch anders"))
    store.exports.record(PROFILE, "Lode", LATER, store.exports.select(PROFILE, "Lode", ClipSelection(q="auch")))
    assert store.exports.compare(PROFILE, "Lode") == (2, 1, 1)
    store.exports.record(PROFILE, "Lode", LATER, store.exports.select(PROFILE, "Lode", ClipSelection(only_new=True)))
    assert store.exports.compare(PROFILE, "Lode") == (0, 0, 4)


def test_a_part_is_what_meets_every_condition(store: Store) -> None:
    clips = [
        store.clips.add(PROFILE, NewClip(sentence, tags=tags))
        for sentence, tags in (("Ein Zug", ("Verb",)), ("Zwei Züge", ("verb::stark",)), ("Drei Züge", ("verbs", "Ö")))
    ]
    store.clips.add("berta", NewClip("Zug", tags=("verb",)))

    def selected(**conditions: Any) -> list[str]:
        found = store.exports.select(PROFILE, "Lode", ClipSelection(**conditions))
        assert found is not None
        return [clip.sentence for clip in store.clips.each(PROFILE, found)]

    assert selected(tag="verb") == ["Ein Zug", "Zwei Züge"]
    assert selected(tag="ö") == ["Drei Züge"]
    assert selected(tag="verb", q="züge") == ["Zwei Züge"]
    assert selected(q="...") == selected(tag="nothing") == selected(ids=(clips[0].id,), tag="ö") == []
    with store.clips._connections.write() as connection:
        connection.execute("UPDATE clips SET updated_at = '2026-10-31T23:59:59.999Z' WHERE id = ?", (clips[0].id,))
        connection.execute("UPDATE clips SET updated_at = '2026-11-01T00:00:00.000Z' WHERE id = ?", (clips[1].id,))
        connection.execute("UPDATE clips SET updated_at = '2026-11-01T00:00:00.001Z' WHERE id = ?", (clips[2].id,))
    assert selected(since="2026-11-01T00:00Z") == ["Zwei Züge", "Drei Züge"]
    assert selected(since="2026-11-01T01:00:00.001+01:00") == ["Drei Züge"]
    for wrong in ("yesterday", "2026-13-01", "9999-99", "0001-01-01T00:00+14:00"):
        with pytest.raises(InvalidInput, match="no date"):
            selected(since=wrong)
    with pytest.raises(NotFound):
        selected(ids=("zzz",))


def test_a_clip_says_whether_any_deck_has_it_as_it_is(store: Store) -> None:
    first, second = (store.clips.add(PROFILE, NewClip(f"Satz {number}")) for number in range(2))

    def states() -> list[str]:
        return [clip.exported for clip in store.clips.page(PROFILE).items]

    assert states() == ["never", "never"]
    store.exports.record(PROFILE, "Mine", LATER, store.exports.select(PROFILE, "Mine", ClipSelection(ids=(first.id,))))
    assert states() == ["never", "same"]
    assert store.clips.edit(PROFILE, first.id, NewClip("anders")).exported == "changed"
    store.exports.record(PROFILE, "Lode", LATER)
    assert states() == ["same", "same"]
    assert store.clips.get(PROFILE, second.id).exported == "same"


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
