"""What changed since a deck was last exported, which notes were sent, and what they were rendered as."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.conftest import PROFILE, run_sql
from tui.errors import InvalidInput, NotFound
from tui.records.clip_selection import ClipSelection
from tui.records.clips import Clip, NewClip
from tui.records.notes import Note
from tui.store import Store
from tui.store.tables.decks import Rendering

LATER = "9999-01-01T00:00:00.000Z"


def add_clips(store: Store, count: int) -> list[Clip]:
    return [store.clips.add(PROFILE, NewClip(f"Satz {number}")) for number in range(count)]


def test_new_changed_and_same_are_against_the_last_export_of_that_deck_name(store: Store) -> None:
    clips = add_clips(store, 4)
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
    (old,) = add_clips(store, 1)
    store.exports.record(PROFILE, "Lode", LATER)
    edited = store.clips.edit(PROFILE, old.id, NewClip("anders"))
    store.exports.record(PROFILE, "Lode", old.updated_at)
    assert edited.updated_at > old.updated_at
    store.clips.add(PROFILE, NewClip("neu"))
    store.exports.record(PROFILE, "Lode", old.updated_at)
    assert store.exports.compare(PROFILE, "Lode") == (1, 1, 0)


def test_a_part_that_is_exported_leaves_all_others_as_they_were(store: Store) -> None:
    clips = add_clips(store, 4)
    part = store.exports.select(PROFILE, "Lode", ClipSelection(ids=(clips[0].id, clips[1].id)))
    store.exports.record(PROFILE, "Lode", LATER, part)
    assert store.exports.compare(PROFILE, "Lode") == (2, 0, 2)
    assert store.exports.compare(PROFILE, "Lode", part) == (0, 0, 2)
    store.clips.edit(PROFILE, clips[0].id, NewClip("anders"))
    store.clips.edit(PROFILE, clips[1].id, NewClip("auch anders"))
    for selection, left in ((ClipSelection(q="auch"), (2, 1, 1)), (ClipSelection(only_new=True), (0, 0, 4))):
        store.exports.record(PROFILE, "Lode", LATER, store.exports.select(PROFILE, "Lode", selection))
        assert store.exports.compare(PROFILE, "Lode") == left


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
    moments = ("2026-10-31T23:59:59.999Z", "2026-11-01T00:00:00.000Z", "2026-11-01T00:00:00.001Z")
    for moment, clip in zip(moments, clips, strict=True):
        run_sql(store, "UPDATE clips SET updated_at = ? WHERE id = ?", (moment, clip.id))
    assert selected(since="2026-11-01T00:00Z") == ["Zwei Züge", "Drei Züge"]
    assert selected(since="2026-11-01T01:00:00.001+01:00") == ["Drei Züge"]
    for wrong in ("yesterday", "2026-13-01", "9999-99", "0001-01-01T00:00+14:00"):
        with pytest.raises(InvalidInput, match="no date"):
            selected(since=wrong)
    with pytest.raises(NotFound):
        selected(ids=("zzz",))


def test_a_clip_says_whether_any_deck_has_it_as_it_is(store: Store) -> None:
    first, second = add_clips(store, 2)

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
    first, second, other = ("a", b"x", b"1", b"", False), ("a", b"y", b"2", b"", True), ("b", b"z", b"9", b"8", False)
    for row in (first, second, second, first, first):
        store.sent_notes.record([row, other])
    assert list(store.sent_notes.each()) == [second, first, other]
    store.sent_notes.record([second])
    store.sent_notes.record([(*second[:-1], False)])
    assert list(store.sent_notes.each()) == [first, other, second], "the latest one has arrived, and that stays"


class Renderer:
    """Renders a sentence in capitals, and remembers which ones."""

    def __init__(self) -> None:
        self.rendered: list[str] = []

    def __call__(self, clip: Clip) -> Note:
        self.rendered.append(clip.sentence)
        return Note(clip.id, (clip.sentence.upper(), "", "x"), tuple(clip.tags), 1, 2)


def test_a_note_is_rendered_anew_when_its_clip_or_the_version_has_changed(store: Store) -> None:
    clips = [store.clips.add(PROFILE, NewClip(f"satz {number}", tags=("a", "b"))) for number in range(3)]
    store.clips.add("berta", NewClip("fremd"))
    renderer = Renderer()
    store.rendered_notes.keep(clips[:1], Rendering(1, renderer))
    expected = [Note(clip.id, (f"SATZ {number}", "", "x"), ("a", "b"), 1, 2) for number, clip in enumerate(clips)]
    for _ in range(2):
        assert list(store.rendered_notes.each(PROFILE, Rendering(1, renderer))) == expected
        assert renderer.rendered == ["satz 0", "satz 1", "satz 2"]
    store.clips.edit(PROFILE, clips[1].id, NewClip("anders"))
    store.clips.delete(PROFILE, [clips[0].id])
    notes = store.rendered_notes.each(PROFILE, Rendering(1, renderer))
    assert [note.fields[0] for note in notes] == ["ANDERS", "SATZ 2"]
    assert renderer.rendered[3:] == ["anders"]
    store.trash.undo(PROFILE)
    assert len(list(store.rendered_notes.each(PROFILE, Rendering(2, renderer)))) == 3
    assert sorted(renderer.rendered[4:]) == ["anders", "satz 0", "satz 2"]


def test_what_cannot_be_kept_is_rendered_all_the_same(store: Store) -> None:
    store.clips.add(PROFILE, NewClip("satz"))
    run_sql(store, "ALTER TABLE rendered_notes RENAME COLUMN rendering TO other")
    run_sql(store, "ALTER TABLE rendered_notes ADD COLUMN rendering INTEGER NOT NULL DEFAULT 0")
    renderer = Renderer()
    for _ in range(2):
        assert [note.fields[0] for note in store.rendered_notes.each(PROFILE, Rendering(1, renderer))] == ["SATZ"]
    assert renderer.rendered == ["satz", "satz"]
