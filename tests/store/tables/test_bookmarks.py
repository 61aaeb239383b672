"""Bookmarks: set, named, listed, found, deleted and brought back, and moved by another reading of their file."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE, AddFilm, check_search_tables, redo, remove_discarded, run_sql, undo
from tests.store.tables.test_reimport import NEW, OLD, read, timed
from tui.errors import InvalidInput, NotFound
from tui.records.transcripts import Bookmark, ReadingPlace, Transcript
from tui.store import Store


def put(store: Store, transcript: Transcript, cue: int, name: str | None = None) -> Bookmark:
    return store.bookmarks.put(PROFILE, transcript.id, cue, name)


def at(store: Store, transcript: Transcript) -> list[tuple[int, str]]:
    return [(each.cue_index, each.name) for each in store.bookmarks.of(PROFILE, transcript.id)]


def test_a_bookmark_says_what_stands_where_it_is_and_keeps_its_name_until_it_gets_another(
    store: Store, add_film: AddFilm
) -> None:
    _, transcript = add_film("Der Zug.", "Er hält.", name="Zug.srt")
    first = put(store, transcript, 1)
    assert (first.cue_index, first.text, first.start_ms, first.title, first.name) == (1, "Er hält.", 1000, "Zug", "")
    named = put(store, transcript, 1, "the halt")
    assert named == replace(first, name="the halt")
    assert put(store, transcript, 1) == named
    assert (put(store, transcript, 0), store.bookmarks.get(PROFILE, named.id[:8])) == (
        store.bookmarks.page(PROFILE).items[0],
        named,
    )
    assert at(store, transcript) == [(0, ""), (1, "the halt")]
    assert [step.kind for step in store.trash.steps(PROFILE)] == ["set_bookmark", "named_bookmark", "set_bookmark"]


def test_a_bookmark_is_refused_where_there_is_no_cue(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.")
    for cue in (1, -1, 2**60):
        with pytest.raises(InvalidInput, match="there is no cue"):
            put(store, transcript, cue)
    with pytest.raises(NotFound):
        store.bookmarks.put("berta", transcript.id, 0, None)


def test_bookmarks_are_listed_newest_first_and_found_by_what_they_say(store: Store, add_film: AddFilm) -> None:
    _, bahn = add_film("Der Zug.", "Er hält in Köln.", "Ende.", name="Bahn.srt")
    _, faro = add_film("El tren.", name="Faro.srt", language="es")
    marks = [put(store, bahn, 1), put(store, faro, 0, "la Salida"), put(store, bahn, 2, "fin")]
    ids = [each.id for each in marks]
    assert [each.id for each in store.bookmarks.page(PROFILE).items] == ids[::-1]
    for q, found in (
        *(("koln", [0]), ("salida", [1]), ("bahn", [2, 0]), ("lang:es", [1]), ("title:bahn fin", [2]), ("zug", [])),
        *(("-bahn", [1]), ("?", [])),
    ):
        page = store.bookmarks.page(PROFILE, q=q)
        assert ([each.id for each in page.items], page.total) == ([ids[each] for each in found], len(found)), q
    first = store.bookmarks.page(PROFILE, limit=2)
    assert [each.id for each in store.bookmarks.page(PROFILE, after=first.next).items] == ids[:1]
    assert store.bookmarks.page("berta").total == 0


def test_each_step_with_bookmarks_is_undone_and_redone(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.", "Er hält.", "Ende.")
    states = [at(store, transcript)]
    first = put(store, transcript, 0)
    states.append(at(store, transcript))
    put(store, transcript, 0, "begin")
    states.append(at(store, transcript))
    last = put(store, transcript, 2)
    states.append(at(store, transcript))
    assert store.bookmarks.delete(PROFILE, [first.id, last.id]).count == 2
    states.append(at(store, transcript))
    listed = store.bookmarks.page(PROFILE).items
    for _ in range(2):
        for state in states[-2::-1]:
            undo(store)
            assert at(store, transcript) == state
        for state in states[1:]:
            redo(store)
            assert at(store, transcript) == state
    undo(store)
    assert [each.id for each in store.bookmarks.page(PROFILE).items] == [last.id, first.id], "in their order, too"
    assert listed == ()


def test_an_older_step_is_taken_back_alone_unless_the_bookmark_was_touched_since(
    store: Store, add_film: AddFilm
) -> None:
    _, transcript = add_film("Der Zug.", "Er hält.")
    one, other = put(store, transcript, 0), put(store, transcript, 1)
    store.bookmarks.delete(PROFILE, [other.id])
    *_, set_one = store.trash.steps(PROFILE)
    store.trash.undo_step(PROFILE, set_one.id)
    assert at(store, transcript) == []
    redo(store)
    put(store, transcript, 0, "x")
    with pytest.raises(InvalidInput, match="what came later touches the same: bookmark named"):
        store.trash.undo_step(PROFILE, store.trash.steps(PROFILE)[-1].id)
    assert one.id in {each.id for each in store.bookmarks.of(PROFILE, transcript.id)}


def test_a_bookmark_does_not_come_back_to_where_another_one_is_by_now(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.", "Er hält.")
    old = put(store, transcript, 0, "old")
    store.bookmarks.delete(PROFILE, [old.id])
    deleted, _ = store.trash.steps(PROFILE)
    put(store, transcript, 0, "new")
    store.trash.undo_step(PROFILE, deleted.id)
    assert at(store, transcript) == [(0, "new")]


def test_bookmarks_go_and_come_back_with_their_transcript_and_go_for_good_with_it(
    store: Store, add_film: AddFilm
) -> None:
    _, transcript = add_film("Der Zug.")
    mark = put(store, transcript, 0, "x")
    store.transcripts.delete(PROFILE, [transcript.id])
    assert store.bookmarks.page(PROFILE).total == store.bookmarks.page(PROFILE, q="x").total == 0
    undo(store)
    assert at(store, transcript) == [(0, "x")]
    store.bookmarks.delete(PROFILE, [mark.id])
    store.transcripts.delete(PROFILE, [transcript.id])
    run_sql(store, "DELETE FROM trash WHERE kind = 'transcript'")
    remove_discarded(store)
    assert store.trash.steps(PROFILE)[0].kind == "bookmark"
    undo(store)
    assert store.bookmarks.page(PROFILE).total == 0, "nothing is left that it could be in"
    check_search_tables(store)


def test_another_reading_moves_bookmarks_and_the_place_of_reading_by_their_moments(store: Store) -> None:
    _, transcript = read(store, timed(*OLD))
    for cue in range(4):
        put(store, transcript, cue, f"mark {cue}")
    store.transcripts.leave_at(PROFILE, transcript.id, ReadingPlace(2, 1, 3))
    later = [replace(cue, index=cue.index + 1) for cue in timed(*NEW)]
    read(store, timed("Vorspann", begin=-5000) + later)
    assert at(store, transcript) == [(cue + 1, f"mark {cue}") for cue in range(4)]
    assert store.transcripts.place(PROFILE, transcript.id) == ReadingPlace(3, 1, 4)
    undo(store)
    assert at(store, transcript) == [(cue, f"mark {cue}") for cue in range(4)]
    assert store.transcripts.place(PROFILE, transcript.id) == ReadingPlace(2, 1, 3)
    store.transcripts.leave_at(PROFILE, transcript.id, ReadingPlace(3, 0, 4))
    read(store, timed(*NEW[:2]))
    assert at(store, transcript) == [(0, "mark 0"), (1, "mark 1")], "those whose moment has gone are at the nearest"
    assert store.transcripts.place(PROFILE, transcript.id) == ReadingPlace(1, 0, 2), "what is read whole stays so"


def test_what_became_one_by_another_reading_is_two_again_when_that_is_taken_back(store: Store) -> None:
    _, transcript = read(store, timed(*OLD), language="ru")
    for cue, name in ((1, ""), (2, "the second")):
        put(store, transcript, cue, name)
        store.transcripts.note(PROFILE, transcript.id, cue, f"note {cue}")
    store.transcripts.leave_at(PROFILE, transcript.id, ReadingPlace(2, 1, 3))
    notes, place = store.transcripts.notes(PROFILE, transcript.id), store.transcripts.place(PROFILE, transcript.id)
    read(store, timed(*NEW[:2]))
    assert at(store, transcript) == [(1, "the second")]
    assert [note.text for note in store.transcripts.notes(PROFILE, transcript.id)] == ["note 1\nnote 2"]
    undo(store)
    assert at(store, transcript) == [(1, ""), (2, "the second")]
    assert store.transcripts.notes(PROFILE, transcript.id) == notes
    assert store.transcripts.place(PROFILE, transcript.id) == place
    redo(store)
    assert at(store, transcript) == [(1, "the second")]
    store.transcripts.leave_at(PROFILE, transcript.id, ReadingPlace(0, 0, 0))
    put(store, transcript, 0, "new since")
    undo(store)
    undo(store)
    assert at(store, transcript) == [(1, ""), (2, "the second")]
    place = store.transcripts.place(PROFILE, transcript.id)
    assert place is not None
    assert place.cue_index == 0, "what has changed since is not overwritten"


def test_a_bookmark_that_went_to_another_profile_with_its_film_stays_there(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.")
    put(store, transcript, 0)
    step = store.trash.steps(PROFILE)[0].id
    store.moving.move(PROFILE, "transcripts", [transcript.id], "berta", dry_run=False)
    with pytest.raises(InvalidInput) as refused:
        store.trash.undo_step(PROFILE, step)
    assert refused.value.code == "undo_blocked"
    run_sql(store, "DELETE FROM trash WHERE seq <> ?", (step,))
    undo(store)
    assert len(store.bookmarks.of("berta", transcript.id)) == 1


def test_bookmarks_are_in_a_backup(store: Store, add_film: AddFilm, tmp_path: Path) -> None:
    _, transcript = add_film("Der Zug.")
    put(store, transcript, 0, "x")
    copy = store.backup(tmp_path / "copy.db")
    (tmp_path / "other").mkdir()
    copy.rename(tmp_path / "other" / "lode.db")
    assert run_sql(tmp_path / "other", "SELECT cue, name FROM bookmarks") == [(0, "x")]
