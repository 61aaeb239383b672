"""Moves from one profile to another: what goes along, what stays, and the way back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, AddFilm, check_search_tables, everything, redo, run_sql, undo
from tui.errors import InvalidInput, NotFound
from tui.records.clips import Clip, FocusWord, NewClip
from tui.records.files import ProfileFile
from tui.records.library import Moved
from tui.records.pages import Page
from tui.records.transcripts import ReadingPlace, Transcript
from tui.records.words import WordMark
from tui.store import Store

OTHER = "berta"


def listed(store: Store, profile: str, q: str = "") -> dict[str, list[str]]:
    """What each list of a profile has, oldest first; its totals say as many."""
    pages: dict[str, Page[Any]] = {
        "files": store.files.page(profile, limit=1000, q=q),
        "transcripts": store.transcripts.page(profile, limit=1000, q=q),
        "clips": store.clips.page(profile, limit=1000, q=q),
    }
    assert all(page.total == len(page.items) for page in pages.values())
    return {name: [each.id for each in reversed(page.items)] for name, page in pages.items()}


def filled(store: Store, add_film: AddFilm) -> tuple[ProfileFile, Transcript, Clip]:
    """A film with a note, a place and a clip, and another one with a clip."""
    file, film = add_film("Der Zug kommt.", "Er hält.", name="zug.srt")
    _, other = add_film("Die Rose blüht.", name="rose.srt")
    focus = FocusWord("Zug", lemma="Zug", language="de")
    about = {"transcript_id": film.id, "file_id": file.id, "cue_index": 0}
    clip = store.clips.add(PROFILE, replace(NewClip("Der Zug kommt.", focus=focus, source="zug"), **about))  # type: ignore[arg-type]  # as named
    store.clips.add(PROFILE, NewClip("Die Rose blüht.", transcript_id=other.id))
    store.transcripts.note(PROFILE, film.id, 1, "strong")
    store.transcripts.leave_at(PROFILE, film.id, ReadingPlace(1))
    store.transcripts.pair(PROFILE, film.id, other.id)
    store.clips.add(OTHER, NewClip("Ein Satz."))
    run_sql(store, "DELETE FROM trash")
    return file, film, clip


@pytest.mark.parametrize("what", ["files", "transcripts"])
def test_a_file_goes_with_its_transcript_its_clips_and_all_that_was_written_and_one_undo_brings_all_back(
    store: Store, add_film: AddFilm, what: Any
) -> None:
    file, film, clip = filled(store, add_film)
    before, ids = everything(store), {"files": file.id, "transcripts": film.id}
    planned = store.moving.move(PROFILE, what, [ids[what]], OTHER, dry_run=True)
    assert everything(store) == before
    assert store.moving.move(PROFILE, what, [ids[what][:8]], OTHER, dry_run=False) == planned == Moved(1, 1, 1, 1)
    here, there = listed(store, PROFILE), listed(store, OTHER)
    assert (len(here["files"]), len(here["transcripts"]), len(here["clips"])) == (1, 1, 1)
    assert (there["files"], there["transcripts"]) == ([file.id], [film.id])
    assert clip.id in there["clips"]
    moved = store.clips.get(OTHER, clip.id)
    assert (moved.transcript_id, moved.file_id, moved.updated_at) == (film.id, file.id, clip.updated_at)
    assert store.transcripts.find(OTHER, film.id, "zug") == (0,)
    assert listed(store, OTHER, "kommt")["files"] == [file.id], "found by what is said in it"
    assert listed(store, PROFILE, "kommt") == {"files": [], "transcripts": [], "clips": []}
    assert [note.text for note in store.transcripts.notes(OTHER, film.id)] == ["strong"]
    assert store.transcripts.place(OTHER, film.id) == ReadingPlace(1)
    assert store.transcripts.get(OTHER, film.id).translation_id is None, "its track has stayed behind"
    with pytest.raises(NotFound):
        store.transcripts.get(PROFILE, film.id)
    check_search_tables(store)
    after = everything(store)
    for _ in range(2):
        restored = undo(store)
        assert (restored.kind, restored.count) == (f"moved_{what.removesuffix('s')}", 1)
        assert everything(store) == before
        check_search_tables(store)
        assert redo(store).kind == restored.kind
        assert everything(store) == after
        check_search_tables(store)


def test_a_clip_goes_alone_and_does_not_say_any_more_where_it_is_from(store: Store, add_film: AddFilm) -> None:
    _, film, clip = filled(store, add_film)
    before = everything(store)
    assert store.moving.move(PROFILE, "clips", [clip.id], OTHER, dry_run=False) == Moved(1, 0, 0, 1)
    moved = store.clips.get(OTHER, clip.id)
    assert moved == replace(clip, transcript_id=None, file_id=None)
    assert listed(store, OTHER, "word:zug")["clips"] == [clip.id]
    assert store.clips.cues_of(PROFILE, film.id) == ()
    undo(store)
    assert everything(store) == before
    assert store.clips.cues_of(PROFILE, film.id) == (0,)


def test_what_somebody_knows_stays_and_decks_do_and_what_was_sent_goes_along(store: Store, add_film: AddFilm) -> None:
    _, _, clip = filled(store, add_film)
    store.word_states.mark(PROFILE, [WordMark("de", "Zug", state="known")], "user")
    store.exports.record(PROFILE, "Lode", clip.updated_at)
    assert store.clips.get(PROFILE, clip.id).exported == "same"
    states = run_sql(store, "SELECT profile, word, state FROM word_states ORDER BY 1, 2")
    store.moving.move(PROFILE, "clips", [clip.id], OTHER, dry_run=False)
    assert run_sql(store, "SELECT profile, word, state FROM word_states ORDER BY 1, 2") == states
    assert store.clips.get(OTHER, clip.id).exported == "never"
    assert store.clips.existing([clip.id]) == {clip.id}, "no note of a deleted clip"
    undo(store)
    assert store.clips.get(PROFILE, clip.id).exported == "same"


def test_words_of_a_moved_text_are_those_of_the_other_profile(store: Store, add_film: AddFilm) -> None:
    _, film, _ = filled(store, add_film)

    def times(profile: str) -> int:
        return store.words.occurrences(profile, "de", ["zug"])[0]

    assert (times(PROFILE), times(OTHER)) == (1, 0)
    store.moving.move(PROFILE, "transcripts", [film.id], OTHER, dry_run=False)
    assert (times(PROFILE), times(OTHER)) == (0, 1)
    undo(store)
    assert (times(PROFILE), times(OTHER)) == (1, 0)


def test_a_file_that_the_other_profile_has_already_stays_with_all_others(store: Store, add_film: AddFilm) -> None:
    file, _, _ = filled(store, add_film)
    (sha256,) = run_sql(store, "SELECT sha256 FROM files WHERE id = ?", (file.id,))[0]
    add_file(store, "same.srt", [], sha256=sha256, profile=OTHER)
    before = everything(store)
    every = [each.id for each in store.files.page(PROFILE).items]
    with pytest.raises(InvalidInput, match="zug") as caught:
        store.moving.move(PROFILE, "files", every, OTHER, dry_run=False)
    assert caught.value.code == "file_exists"
    assert everything(store) == before


def test_undo_leaves_where_it_is_what_was_imported_again_meanwhile(store: Store, add_film: AddFilm) -> None:
    file, film, clip = filled(store, add_film)
    store.moving.move(PROFILE, "files", [file.id], OTHER, dry_run=False)
    (sha256,) = run_sql(store, "SELECT sha256 FROM files WHERE id = ?", (file.id,))[0]
    newer, _ = add_file(store, "zug.srt", [], sha256=sha256)
    assert undo(store).count == 0
    assert store.files.get(OTHER, file.id).transcript_id == film.id
    assert store.files.get(PROFILE, newer.id).id == newer.id
    assert store.clips.get(OTHER, clip.id).transcript_id == film.id


def test_what_was_done_there_is_not_taken_back_once_it_is_gone_from_there(store: Store, add_film: AddFilm) -> None:
    _, film, clip = filled(store, add_film)
    store.moving.move(PROFILE, "transcripts", [film.id], OTHER, dry_run=False)
    store.transcripts.edit(OTHER, film.id, title="Anders", language=None)
    store.clips.edit(OTHER, clip.id, replace(store.clips.get(OTHER, clip.id).contents(), note="there"))
    undo(store)
    for _ in range(2):
        assert undo(store, OTHER).count == 0
    assert store.transcripts.get(PROFILE, film.id).title == "Anders"
    assert store.clips.get(PROFILE, clip.id).note == "there"


def test_a_clip_comes_back_before_its_transcript_only_if_it_need_not_refer_to_it(
    store: Store, add_film: AddFilm
) -> None:
    _, film, clip = filled(store, add_film)
    store.moving.move(PROFILE, "clips", [clip.id], OTHER, dry_run=False)
    step = store.trash.steps(PROFILE)[0].id
    store.transcripts.delete(PROFILE, [film.id])
    with pytest.raises(InvalidInput, match="zug"):
        store.trash.undo_step(PROFILE, step)
    run_sql(store, "DELETE FROM trash WHERE seq <> ?", (step,))
    undo(store)
    assert store.clips.get(PROFILE, clip.id).transcript_id is None, "which nobody finds any more"


def test_a_file_that_has_gone_elsewhere_keeps_the_language_that_it_has_there(store: Store, add_film: AddFilm) -> None:
    file, film, _ = filled(store, add_film)
    store.transcripts.edit(PROFILE, film.id, title=None, language="nl")
    edit = store.trash.steps(PROFILE)[0].id
    store.transcripts.delete(PROFILE, [film.id])
    deletion = store.trash.steps(PROFILE)[0].id
    store.moving.move(PROFILE, "files", [file.id], OTHER, dry_run=False)
    run_sql(store, "DELETE FROM trash WHERE seq NOT IN (?, ?)", (edit, deletion))
    undo(store)
    undo(store)
    assert store.transcripts.get(PROFILE, film.id).language == "de"
    assert store.files.get(OTHER, file.id).language == "nl"


def test_a_word_is_not_seen_where_its_clip_has_gone_when_its_state_is_taken_back(store: Store) -> None:
    store.word_states.mark(PROFILE, [WordMark("de", "Zug")], "user")
    mark = store.trash.steps(PROFILE)[0].id
    focus = FocusWord("Zug", lemma="Zug", language="de")
    (clip,) = store.clips.add_at_once(PROFILE, [NewClip("Der Zug kommt.", focus=focus)])
    store.moving.move(PROFILE, "clips", [clip.id], OTHER, dry_run=False)
    store.trash.undo_step(PROFILE, mark)
    assert run_sql(store, "SELECT count(*) FROM word_states WHERE state <> ''") == [(0,)]


def test_a_clip_that_comes_back_does_not_refer_to_what_has_gone(store: Store, add_film: AddFilm) -> None:
    _, film, clip = filled(store, add_film)
    store.clips.delete(PROFILE, [clip.id])
    (deletion,) = store.trash.steps(PROFILE)
    store.moving.move(PROFILE, "transcripts", [film.id], OTHER, dry_run=False)
    with pytest.raises(InvalidInput, match="transcript moved"):
        store.trash.undo_step(PROFILE, deletion.id)
    run_sql(store, "DELETE FROM trash WHERE seq > ?", (deletion.id,))
    undo(store)
    assert store.clips.get(PROFILE, clip.id).transcript_id is None


def test_too_much_at_once_and_what_is_being_imported_stay(
    store: Store, add_film: AddFilm, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, film, _ = filled(store, add_film)
    monkeypatch.setattr("tui.store.tables.moving.MAX_CUES", 1)
    with pytest.raises(InvalidInput) as caught:
        store.moving.move(PROFILE, "transcripts", [film.id], OTHER, dry_run=True)
    assert caught.value.code == "too_much"
    monkeypatch.undo()
    store.jobs.add(PROFILE, "import", "zug.srt", {}, file.id)
    with pytest.raises(InvalidInput) as caught:
        store.moving.move(PROFILE, "files", [file.id], OTHER, dry_run=False)
    assert caught.value.code == "file_at_work"
    with pytest.raises(NotFound):
        store.moving.move(OTHER, "files", [file.id], PROFILE, dry_run=False)
