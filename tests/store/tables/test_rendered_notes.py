"""Notes are rendered once for each state of their clip."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE
from tests.store.older_library import MOMENT, library_before
from tui.records.clips import Clip, NewClip
from tui.records.notes import Note
from tui.store import Store
from tui.store.tables.decks import Rendering


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
    assert list(store.rendered_notes.each(PROFILE, Rendering(1, renderer))) == expected
    assert renderer.rendered == ["satz 0", "satz 1", "satz 2"]
    assert list(store.rendered_notes.each(PROFILE, Rendering(1, renderer))) == expected
    assert len(renderer.rendered) == 3
    store.clips.edit(PROFILE, clips[1].id, NewClip("anders"))
    store.clips.delete(PROFILE, [clips[0].id])
    assert [note.fields[0] for note in store.rendered_notes.each(PROFILE, Rendering(1, renderer))] == [
        "ANDERS",
        "SATZ 2",
    ]
    assert renderer.rendered[3:] == ["anders"]
    store.trash.undo(PROFILE)
    assert len(list(store.rendered_notes.each(PROFILE, Rendering(2, renderer)))) == 3
    assert sorted(renderer.rendered[4:]) == ["anders", "satz 0", "satz 2"]


def test_what_cannot_be_kept_is_rendered_all_the_same(store: Store) -> None:
    store.clips.add(PROFILE, NewClip("satz"))
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("ALTER TABLE rendered_notes RENAME COLUMN rendering TO other")
        connection.execute("ALTER TABLE rendered_notes ADD COLUMN rendering INTEGER NOT NULL DEFAULT 0")
    renderer = Renderer()
    for _ in range(2):
        assert [note.fields[0] for note in store.rendered_notes.each(PROFILE, Rendering(1, renderer))] == ["SATZ"]
    assert renderer.rendered == ["satz", "satz"]


def test_clips_of_an_older_library_are_untouched_and_rendered_with_their_first_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m016_rendered_notes", tmp_path, monkeypatch) as connection:
        connection.execute(
            "INSERT INTO clips (id, profile, created_at, updated_at, sentence, context, translation, explanation,"
            " model, tags, note, source, surface, lemma, spaceless)"
            " VALUES ('old', 1, ?1, ?1, 'satz', '', '', '', '', '[]', '', '', '', '', 0)",
            (MOMENT,),
        )
        connection.execute("INSERT INTO exports (profile, deck, created_at) VALUES (1, 'Lode', ?)", (MOMENT,))
    with closing(Store.open(tmp_path)) as store:
        assert [note.guid for note in store.rendered_notes.each(PROFILE, Rendering(1, Renderer()))] == ["old"]
        assert store.clips.get(PROFILE, "old").updated_at == MOMENT
        assert store.exports.file_of(PROFILE, "Lode", store.exports.state(PROFILE, "1")) == ""
