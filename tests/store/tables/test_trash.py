"""Every deletion can be undone, whole, in its old place, without touching what has come since."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, AddFilm, check_search_tables, everything, remove_discarded, run_sql, undo
from tui.errors import NotFound
from tui.records.clips import NewClip
from tui.records.library import Restored
from tui.records.transcripts import Cue
from tui.store import Store
from tui.store.tables import words

OPENED_LATER = "INSERT INTO openings (date) VALUES ('2037-01-01')"


def test_undo_restores_the_library_exactly_one_by_one_from_the_newest(store: Store, add_film: AddFilm) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    add_film("Davor.", name="Davor.srt")
    file, transcript = add_film("Der Zug kommt.", "東京に行きます", job_id=job.id)
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", transcript_id=transcript.id, file_id=file.id, tags=("a",)))
    add_film("Danach, der Zug.", name="Danach.srt")
    deletions: dict[Restored, Callable[[], object]] = {
        Restored("clip", 1, "Der Zug."): lambda: store.clips.delete(PROFILE, [clip.id]),
        Restored("file", 1, "Der letzte Zug.srt"): lambda: store.files.delete(PROFILE, [file.id]),
        Restored("transcript", 1, "Der letzte Zug"): lambda: store.transcripts.delete(PROFILE, [transcript.id]),
    }
    for wanted, delete in deletions.items():
        before = everything(store)
        delete()
        assert everything(store) != before
        check_search_tables(store)
        assert undo(store) == wanted
        assert everything(store) == before
        check_search_tables(store)
        assert store.trash.undo(PROFILE) is None
    for delete in deletions.values():
        delete()
    assert [undo(store) for _ in deletions] == list(reversed(deletions))
    assert everything(store) == before


def test_clips_that_came_since_stay_where_they_are(store: Store) -> None:
    clips = [store.clips.add(PROFILE, NewClip(f"Satz {number}")) for number in range(3)]
    store.clips.delete(PROFILE, [clips[0].id, clips[2].id])
    newer = store.clips.add(PROFILE, NewClip("neu"))
    assert undo(store) == Restored("clip", 2, "2 clips")
    assert [clip.id for clip in store.clips.page(PROFILE).items] == [newer.id, *(clip.id for clip in reversed(clips))]


def test_a_file_that_was_imported_again_stays_and_old_links_lead_to_it(store: Store, add_film: AddFilm) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    file, transcript = add_film("Der Zug.", job_id=job.id)
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", file_id=file.id))
    store.files.delete(PROFILE, [file.id])
    again, second = add_film("Der Zug.")
    assert undo(store).count == 0
    assert [found.id for found in store.files.page(PROFILE).items] == [again.id]
    assert store.transcripts.get(PROFILE, transcript.id).file_id == again.id
    assert store.clips.get(PROFILE, clip.id).file_id == again.id
    assert store.jobs.get(PROFILE, job.id).file_id == again.id
    assert store.files.get(PROFILE, again.id).transcript_id == second.id


def test_a_clip_comes_back_without_its_transcript_when_that_is_gone_for_good(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.")
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", transcript_id=transcript.id))
    store.clips.delete(PROFILE, [clip.id])
    run_sql(store, "DELETE FROM all_transcripts")
    undo(store)
    assert store.clips.get(PROFILE, clip.id).transcript_id is None


def test_a_job_that_was_still_at_work_comes_back_as_cancelled(store: Store, add_film: AddFilm) -> None:
    file, _ = add_film("Der Zug.")
    job = store.jobs.add(PROFILE, "fix_subtitles", file.name, file_id=file.id)
    assert store.files.delete(PROFILE, [file.id]).job_ids == (job.id,)
    undo(store)
    assert store.jobs.get(PROFILE, job.id).state == "cancelled"


def test_profiles_have_their_own_trash(store: Store) -> None:
    for profile in ("anna", "berta"):
        store.clips.delete(profile, [store.clips.add(profile, NewClip(profile)).id])
    assert undo(store, "anna") == Restored("clip", 1, "anna")
    assert store.clips.page("berta").total == 0


def test_emptying_forgets_what_is_old_and_the_bytes_that_nothing_needs(store: Store) -> None:
    shas = {name: store.blobs.put(name.encode()) for name in ("kept", "deleted", "unknown")}
    files = [add_file(store, f"{name}.srt", [Cue(0, 0, 1, name)], sha256=shas[name])[0] for name in ("kept", "deleted")]

    def blobs() -> list[str]:
        return [name for name, sha256 in shas.items() if store.blobs.path(sha256).exists()]

    left_over = store.blobs.path(shas["kept"]).with_name(f".{shas['kept'][2:]}.1234-0a1b2c3d.part")
    foreign = left_over.with_name(".half.part")
    for path in (left_over, foreign):
        path.write_bytes(b"half")
    store.files.delete(PROFILE, [files[1].id])
    assert store.expiry.forget_steps() == 0
    assert (blobs(), left_over.exists(), foreign.exists()) == (["kept", "deleted"], False, True)
    run_sql(store, OPENED_LATER)
    assert store.expiry.forget_steps(after_dates=1) == 1
    assert blobs() == ["kept", "deleted"], "until it is certain that the deletion is forgotten"
    assert store.expiry.forget_steps() == 0
    assert blobs() == ["kept"]
    assert store.trash.undo(PROFILE) is None


def test_what_a_forgotten_deletion_hid_is_removed_batch_by_batch(store: Store, add_film: AddFilm) -> None:
    _, kept = add_film("Der Zug kommt.", name="kept.srt")
    _, undone = add_film("Der Zug hält.", name="undone.srt")
    _, gone = add_film(*(f"Der Zug fährt ab um {hour}." for hour in range(1_200)), name="gone.srt")
    store.transcripts.delete(PROFILE, [gone.id])
    run_sql(store, OPENED_LATER)
    assert store.expiry.forget_steps(after_dates=1) == 1
    store.transcripts.delete(PROFILE, [undone.id])
    assert store.expiry.remove_discarded()
    check_search_tables(store)
    assert remove_discarded(store) > 1
    check_search_tables(store)
    assert run_sql(store, "SELECT (SELECT count(*) FROM cues), (SELECT count(*) FROM all_transcripts)") == [(2, 2)]
    assert undo(store) == Restored("transcript", 1, "undone")
    assert {each.id for each in store.transcripts.page(PROFILE).items} == {kept.id, undone.id}
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (2, (1, 1))


def test_words_of_a_deleted_transcript_are_not_found(
    store: Store, add_film: AddFilm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "_CANDIDATES", 200)
    add_film("Der Zug kommt.", "猫です", name="older.srt")
    film, middle = add_film(*["Der Zug fährt.", "猫がいる"] * 300, name="middle.srt")
    add_film("Der Zug hält.", name="newer.srt")
    store.transcripts.delete(PROFILE, [middle.id])
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (2, (1, 1))
    for language, form, titles in (
        *(("de", "zug", ["newer", "older"]), (None, "zug", ["newer", "older"])),
        *(("de", "猫", ["older"]), ("de", "猫です", ["older"])),
    ):
        assert [line.title for line in store.words.concordance(PROFILE, language, [form], 10)] == titles
    assert store.transcripts.page(PROFILE).total == 2
    assert store.transcripts.page(PROFILE, q="middle").total == 0
    assert store.files.get(PROFILE, film.id).transcript_id is None
    with pytest.raises(NotFound):
        store.transcripts.get(PROFILE, middle.id)
    with pytest.raises(NotFound):
        store.clips.add(PROFILE, NewClip("Der Zug.", transcript_id=middle.id))
    undo(store)
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (302, (1, 300, 1))
    assert store.files.get(PROFILE, film.id).transcript_id == middle.id


def test_a_deleted_transcript_comes_back_with_its_file_when_that_went_after_it(store: Store, add_film: AddFilm) -> None:
    file, transcript = add_film("Der Zug.")
    before = everything(store)
    store.transcripts.delete(PROFILE, [transcript.id])
    store.files.delete(PROFILE, [file.id])
    undo(store)
    assert store.files.get(PROFILE, file.id).transcript_id is None
    undo(store)
    assert everything(store) == before


def test_deleting_and_undoing_write_as_little_for_many_cues_as_for_few(store: Store, add_film: AddFilm) -> None:
    written = []
    for count in (10, 2_000):
        _, transcript = add_film(*(f"Der Zug {number} kommt." for number in range(count)), name=f"{count}.srt")
        run_sql(store, "PRAGMA wal_checkpoint(TRUNCATE)")
        store.transcripts.delete(PROFILE, [transcript.id])
        undo(store)
        written.append(store.path.with_name("lode.db-wal").stat().st_size)
    assert written[1] < 2 * written[0]
