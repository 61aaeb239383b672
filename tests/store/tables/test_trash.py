"""Every deletion can be undone, whole, in its old place, without touching what has come since."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, AddFilm
from tests.store.many_clips import add_many
from tests.store.older_library import lode_before
from tui.errors import NotFound
from tui.records.clips import NewClip
from tui.records.library import Restored
from tui.records.transcripts import Cue
from tui.store import Store


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables but the trash and the bookkeeping, the search tables included."""
    connection = sqlite3.connect(store.path)
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    own = [
        name
        for name in names
        if not name.startswith(("sqlite_", "_sqlite", "trash", "totals", "openings"))
        and "_words" not in name
        and "_trigrams" not in name
    ]
    state = {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in own}
    state["totals"] = connection.execute("SELECT profile, kind, n FROM totals ORDER BY 1, 2").fetchall()
    state["found"] = connection.execute("SELECT rowid FROM cues_words WHERE cues_words MATCH 'zug'").fetchall()
    connection.close()
    return state


def check_search_tables(path: Path) -> None:
    connection = sqlite3.connect(path)
    for table in ("clips_words", "clips_trigrams", "cues_words", "cues_trigrams"):
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


@pytest.mark.parametrize("kind", ["file", "transcript", "clip"])
def test_undo_restores_the_library_exactly(store: Store, add_film: AddFilm, kind: str) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    add_film("Davor.", name="Davor.srt")
    file, transcript = add_film("Der Zug kommt.", "東京に行きます", job_id=job.id)
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", transcript_id=transcript.id, file_id=file.id, tags=("a",)))
    add_film("Danach, der Zug.", name="Danach.srt")
    before = everything(store)
    match kind:
        case "file":
            store.files.delete(PROFILE, [file.id])
        case "transcript":
            store.transcripts.delete(PROFILE, [transcript.id])
        case _:
            store.clips.delete(PROFILE, [clip.id])
    assert everything(store) != before
    check_search_tables(store.path)
    names = {"file": "Der letzte Zug.srt", "transcript": "Der letzte Zug", "clip": "Der Zug."}
    expected = Restored(kind, 1, names[kind])
    assert store.trash.undo(PROFILE) == expected
    assert everything(store) == before
    check_search_tables(store.path)
    assert store.trash.undo(PROFILE) is None


def test_deletions_are_undone_one_by_one_from_the_newest(store: Store, add_film: AddFilm) -> None:
    file, transcript = add_film("Der Zug.")
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", transcript_id=transcript.id, file_id=file.id))
    before = everything(store)
    store.clips.delete(PROFILE, [clip.id])
    store.files.delete(PROFILE, [file.id])
    store.transcripts.delete(PROFILE, [transcript.id])
    kinds = []
    while (restored := store.trash.undo(PROFILE)) is not None:
        kinds.append(restored.kind)
    assert kinds == ["transcript", "file", "clip"]
    assert everything(store) == before


def test_clips_that_came_since_stay_where_they_are(store: Store) -> None:
    clips = [store.clips.add(PROFILE, NewClip(f"Satz {number}")) for number in range(3)]
    store.clips.delete(PROFILE, [clips[0].id, clips[2].id])
    newer = store.clips.add(PROFILE, NewClip("neu"))
    restored = store.trash.undo(PROFILE)
    assert restored == Restored("clip", 2, "2 clips")
    assert [clip.id for clip in store.clips.page(PROFILE).items] == [newer.id, *(clip.id for clip in reversed(clips))]


def test_a_file_that_was_imported_again_stays_the_new_one_and_the_old_links_lead_to_it(
    store: Store, add_film: AddFilm
) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    file, transcript = add_film("Der Zug.", job_id=job.id)
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", file_id=file.id))
    store.files.delete(PROFILE, [file.id])
    again, second = add_film("Der Zug.")
    restored = store.trash.undo(PROFILE)
    assert restored is not None
    assert restored.count == 0
    assert [found.id for found in store.files.page(PROFILE).items] == [again.id]
    assert store.transcripts.get(PROFILE, transcript.id).file_id == again.id
    assert store.clips.get(PROFILE, clip.id).file_id == again.id
    assert store.jobs.get(PROFILE, job.id).file_id == again.id
    assert store.files.get(PROFILE, again.id).transcript_id == second.id


def test_a_clip_comes_back_without_its_transcript_when_that_is_gone_for_good(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.")
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", transcript_id=transcript.id))
    store.clips.delete(PROFILE, [clip.id])
    connection = sqlite3.connect(store.path)
    connection.execute("DELETE FROM all_transcripts")
    connection.commit()
    connection.close()
    store.trash.undo(PROFILE)
    assert store.clips.get(PROFILE, clip.id).transcript_id is None


def test_a_job_that_was_still_at_work_comes_back_as_cancelled(store: Store, add_film: AddFilm) -> None:
    file, _ = add_film("Der Zug.")
    job = store.jobs.add(PROFILE, "fix_subtitles", file.name, file_id=file.id)
    assert store.files.delete(PROFILE, [file.id]).job_ids == (job.id,)
    store.trash.undo(PROFILE)
    assert store.jobs.get(PROFILE, job.id).state == "cancelled"


def test_profiles_have_their_own_trash(store: Store) -> None:
    mine = store.clips.add("anna", NewClip("a"))
    theirs = store.clips.add("berta", NewClip("b"))
    store.clips.delete("anna", [mine.id])
    store.clips.delete("berta", [theirs.id])
    restored = store.trash.undo("anna")
    assert restored == Restored("clip", 1, "a")
    assert store.clips.page("berta").total == 0


@pytest.mark.exhaustive
def test_a_transcript_of_4_000_cues_and_2_000_clips_go_and_come_back(store: Store) -> None:
    cues = [Cue(index, index * 1000, index * 1000 + 900, f"Zeile {index} vom Zug") for index in range(4_000)]
    _, transcript = add_file(store, "lang.srt", cues)
    add_many(store, PROFILE, (NewClip(f"Satz {n}", transcript_id=transcript.id) for n in range(2_000)))
    ids = [clip.id for clip in store.clips.page(PROFILE, limit=2_000).items]
    assert store.transcripts.delete(PROFILE, [transcript.id]).count == 1
    assert store.clips.get(PROFILE, ids[0]).transcript_id is None
    assert store.clips.delete(PROFILE, ids).count == 2_000
    assert store.clips.page(PROFILE).total == 0
    store.trash.undo(PROFILE)
    store.trash.undo(PROFILE)
    assert [clip.id for clip in store.clips.page(PROFILE, limit=2_000).items] == ids
    assert store.clips.get(PROFILE, ids[-1]).transcript_id == transcript.id
    assert store.transcripts.cues(PROFILE, transcript.id, 3_999).items == (cues[-1],)
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (4_000, (4_000,))


def test_emptying_forgets_what_is_old_and_the_bytes_that_nothing_needs(store: Store) -> None:
    shas = {name: store.blobs.put(name.encode()) for name in ("kept", "deleted", "unknown")}
    for name in ("kept", "deleted"):
        add_file(store, f"{name}.srt", [Cue(0, 0, 1, name)], sha256=shas[name])
    left_over = store.blobs.path(shas["kept"]).with_name(f".{shas['kept'][2:]}.1234-0a1b2c3d.part")
    left_over.write_bytes(b"half")
    foreign = left_over.with_name(".half.part")
    foreign.write_bytes(b"somebody's")
    file_id = store.files.by_sha256(PROFILE, shas["deleted"])
    assert file_id is not None
    store.files.delete(PROFILE, [file_id.id])
    assert store.trash.empty() == 0
    assert [name for name in shas if store.blobs.path(shas[name]).exists()] == ["kept", "deleted"]
    assert not left_over.exists()
    assert foreign.exists()
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("INSERT INTO openings (date) VALUES ('2037-01-01')")
    assert store.trash.empty(after_dates=1) == 1
    assert store.blobs.path(shas["deleted"]).exists(), "until it is certain that the deletion is forgotten"
    assert store.trash.empty() == 0
    assert [name for name in shas if store.blobs.path(shas[name]).exists()] == ["kept"]
    assert store.trash.undo(PROFILE) is None


def test_what_a_forgotten_deletion_hid_is_removed_batch_by_batch_and_nothing_else(
    store: Store, add_film: AddFilm
) -> None:
    _, kept = add_film("Der Zug kommt.", name="kept.srt")
    _, undone = add_film("Der Zug hält.", name="undone.srt")
    _, gone = add_film(*(f"Der Zug fährt ab um {hour}." for hour in range(1_200)), name="gone.srt")
    store.transcripts.delete(PROFILE, [gone.id])
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("INSERT INTO openings (date) VALUES ('2037-01-01')")
    assert store.trash.empty(after_dates=1) == 1
    store.transcripts.delete(PROFILE, [undone.id])
    batches = 0
    while store.trash.remove_discarded():
        batches += 1
        check_search_tables(store.path)
    assert batches > 2
    assert not store.trash.remove_discarded()
    connection = sqlite3.connect(store.path)
    assert connection.execute("SELECT count(*) FROM cues").fetchone() == (2,)
    assert connection.execute("SELECT count(*) FROM all_transcripts").fetchone() == (2,)
    connection.close()
    assert store.trash.undo(PROFILE) == Restored("transcript", 1, "undone")
    assert {each.id for each in store.transcripts.page(PROFILE).items} == {kept.id, undone.id}
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (2, (1, 1))


def test_the_words_of_a_deleted_transcript_are_neither_counted_nor_found(store: Store, add_film: AddFilm) -> None:
    add_film("Der Zug kommt.", "猫です", name="older.srt")
    film, middle = add_film(*["Der Zug fährt.", "猫がいる"] * 3_000, name="middle.srt")
    add_film("Der Zug hält.", name="newer.srt")
    store.transcripts.delete(PROFILE, [middle.id])
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (2, (1, 1))
    for language in ("de", None):
        found = store.words.concordance(PROFILE, language, ["zug"], 10)
        assert [line.title for line in found] == ["newer", "older"]
    assert [line.title for line in store.words.concordance(PROFILE, "de", ["猫"], 10)] == ["older"]
    assert [line.title for line in store.words.concordance(PROFILE, "de", ["猫です"], 10)] == ["older"]
    assert store.transcripts.page(PROFILE).total == 2
    assert store.transcripts.page(PROFILE, q="middle").total == 0
    assert store.files.get(PROFILE, film.id).transcript_id is None
    with pytest.raises(NotFound):
        store.transcripts.get(PROFILE, middle.id)
    with pytest.raises(NotFound):
        store.clips.add(PROFILE, NewClip("Der Zug.", transcript_id=middle.id))
    store.trash.undo(PROFILE)
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (3_002, (1, 3_000, 1))
    assert store.files.get(PROFILE, film.id).transcript_id == middle.id


def test_a_deleted_transcript_comes_back_with_its_file_when_that_went_after_it(store: Store, add_film: AddFilm) -> None:
    file, transcript = add_film("Der Zug.")
    before = everything(store)
    store.transcripts.delete(PROFILE, [transcript.id])
    store.files.delete(PROFILE, [file.id])
    store.trash.undo(PROFILE)
    assert store.files.get(PROFILE, file.id).transcript_id is None
    store.trash.undo(PROFILE)
    assert everything(store) == before


def test_deleting_and_undoing_write_as_little_for_many_cues_as_for_few(store: Store, add_film: AddFilm) -> None:
    written = []
    log = store.path.with_name("lode.db-wal")
    for count in (10, 4_000):
        _, transcript = add_film(*(f"Der Zug {number} kommt." for number in range(count)), name=f"{count}.srt")
        connection = sqlite3.connect(store.path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        store.transcripts.delete(PROFILE, [transcript.id])
        store.trash.undo(PROFILE)
        written.append(log.stat().st_size)
    assert written[1] < 2 * written[0]


def test_a_library_from_before_transcripts_were_hidden_keeps_all_and_its_deletions_can_be_undone(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = "2026-01-01T00:00:00.000Z"
    bundle = {
        "tables": {
            "form_counts": {"columns": ["form", "transcript", "n"], "rows": [[1, 2, 1]]},
            "cues": {
                "columns": [
                    "seq",
                    "transcript",
                    "position",
                    "start_ms",
                    "end_ms",
                    "text",
                    "speaker",
                    "scope",
                    "spaceless",
                ],
                "rows": [[7, 2, 0, 0, 900, 'Der alte Zug – 漢字 "]}".', None, "p1xde", 0]],
            },
            "transcripts": {
                "columns": [
                    *("seq", "id", "profile", "file_id", "title", "language", "origin"),
                    *("cue_count", "duration_ms", "created_at", "folded"),
                ],
                "rows": [[2, "old", 1, "f", "Alt", "de", "import", 1, 900, moment, " alt"]],
            },
        },
        "links": [["clips", "transcript_id", 1, "old"]],
    }
    with lode_before("m005_discarded_transcripts", monkeypatch):
        store = Store.open(directory)
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.executescript(f"""
                INSERT INTO profiles (name, created_at) VALUES ('{PROFILE}', '{moment}');
                INSERT INTO files VALUES (1, 'f', 1, 'a.srt', 'subtitle', 'srt', 'de', 1, 'aa', 1, '{moment}', ' a');
                INSERT INTO transcripts VALUES (1, 'kept', 1, 'f', 'Neu', 'de', 'import', 1, 900, '{moment}', ' neu');
                INSERT INTO cues VALUES (1, 1, 0, 0, 900, 'Der Zug.', NULL, 'p1xde', 0);
                INSERT INTO forms (seq, language, form) VALUES (1, 'de', 'zug');
                INSERT INTO form_counts VALUES (1, 1, 1);
                INSERT INTO clips VALUES (1, 'c', 1, NULL, 'f', 0, 0, 900, 'Der alte Zug.', '', '', NULL, '', '', '',
                    '', '[]', '', '', 0, '{moment}', '{moment}');
            """)
            connection.execute(
                "INSERT INTO trash (profile, kind, summary, count, bundle, blobs, created_at)"
                " VALUES (1, 'transcript', 'Alt', 1, ?, '[]', ?)",
                (json.dumps(bundle), moment),
            )
        store.close()
    store = Store.open(directory)
    assert [each.id for each in store.transcripts.page(PROFILE).items] == ["kept"]
    assert store.trash.undo(PROFILE) == Restored("transcript", 1, "Alt")
    assert [(each.id, each.file_id) for each in store.transcripts.page(PROFILE).items] == [("old", "f"), ("kept", "f")]
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (2, (1, 1))
    assert [line.title for line in store.words.concordance(PROFILE, "de", ["zug"], 10)] == ["Alt", "Neu"]
    clip = store.clips.get(PROFILE, "c")
    assert (clip.transcript_id, clip.updated_at) == ("old", moment)
    check_search_tables(store.path)
    everything_before = everything(store)
    store.transcripts.delete(PROFILE, ["old", "kept"])
    assert store.transcripts.page(PROFILE).total == 0
    assert store.trash.undo(PROFILE) == Restored("transcript", 2, "2 transcripts")
    assert everything(store) == everything_before
    store.close()
