"""Transcripts: reading and searching their cues, deleting them whole, editing them and undoing that to the rows."""

from __future__ import annotations

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, AddFilm, check_search_tables, everything, remove_discarded, run_sql, undo
from tui.errors import NotFound
from tui.records.clips import NewClip
from tui.records.library import Restored
from tui.records.transcripts import Cue, NewTranscript, ReadingPlace
from tui.store import Store


def test_cues_come_in_order_and_in_pages(store: Store, add_film: AddFilm) -> None:
    add_film("anders", name="Anderer Film.srt")
    _, transcript = add_film(*(f"Zeile {number}" for number in range(30)))
    page = store.transcripts.cues(PROFILE, transcript.id[:9], 10, 5)
    assert [cue.index for cue in page.items] == [10, 11, 12, 13, 14]
    assert (page.total, page.offset) == (30, 10)
    assert store.transcripts.cues(PROFILE, transcript.id, 28, 100).items[-1].text == "Zeile 29"
    assert store.transcripts.cues(PROFILE, transcript.id, 2**70, 2**70).items == ()


def test_a_text_without_times_has_none(store: Store) -> None:
    _, transcript = add_file(
        store, "a.txt", [Cue(0, None, None, "Satz.", "ANNA")], kind="text", format="txt", language=None
    )
    assert transcript.duration_ms is None
    assert store.transcripts.cues(PROFILE, transcript.id).items == (Cue(0, None, None, "Satz.", "ANNA"),)


def test_finding_gives_the_indexes_of_the_cues_of_this_transcript(store: Store, add_film: AddFilm) -> None:
    add_film("Der Zug, auch hier.", name="Davor.srt")
    _, transcript = add_film("Wohin fährt der Zug?", "Nach Köln.", "Der Zug hält.", "東京に行きます")
    add_film("Der Zug, auch dort.", name="Danach.srt")
    for q, found in (
        *(("zug", (0, 2)), ("der zug", (0, 2)), ("zug hal", (2,)), ("koln", (1,)), ("東京", (3,)), ("京に行", (3,))),
        *(("東京 zug", ()), ("", ()), ("?", ())),
    ):
        assert store.transcripts.find(PROFILE, transcript.id, q) == found, q
        assert store.transcripts.find(PROFILE, transcript.id, q, 1) == found[:1]


def test_a_transcript_is_left_at_a_place_until_it_is_left_at_another(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.", "Er hält.", "Ende.")
    assert store.transcripts.place(PROFILE, transcript.id) is None
    for place in (ReadingPlace(1, 1), ReadingPlace(2, 0)):
        store.transcripts.leave_at(PROFILE, transcript.id[:9], place)
        assert store.transcripts.place(PROFILE, transcript.id) == place
    store.transcripts.delete(PROFILE, [transcript.id])
    store.trash.undo(PROFILE)
    assert store.transcripts.place(PROFILE, transcript.id) == ReadingPlace(2, 0)


def test_what_was_read_once_stays_read_however_often_one_goes_back(store: Store, add_film: AddFilm) -> None:
    _, transcript = add_film("Der Zug.", "Er hält.", "Ende.")
    assert store.transcripts.get(PROFILE, transcript.id).read_cues is None
    for told, read in ((0, 0), (2, 2), (1, 2), (-5, 2), (2**50, 3)):
        store.transcripts.leave_at(PROFILE, transcript.id, ReadingPlace(0, 0, told))
        assert store.transcripts.place(PROFILE, transcript.id) == ReadingPlace(0, 0, read)
        (file,) = store.files.page(PROFILE).items
        (listed,) = store.transcripts.page(PROFILE).items
        assert file.read_cues == listed.read_cues == store.transcripts.get(PROFILE, transcript.id).read_cues == read
    revisions = store.profiles.revisions(PROFILE)
    store.transcripts.leave_at(PROFILE, transcript.id, ReadingPlace(1))
    assert store.profiles.revisions(PROFILE) == revisions, "the lists of other processes are not read anew for it"


def test_transcripts_are_found_by_how_far_they_are_read_and_those_left_last_come_first(
    store: Store, add_film: AddFilm
) -> None:
    ids = [add_film("Der Zug.", "Er hält.", name=f"{number}.srt")[1].id for number in range(4)]
    for number, place in ((2, ReadingPlace(1, 0, 2)), (0, ReadingPlace(1, 1, 1)), (3, ReadingPlace(0, 0, 1))):
        store.transcripts.leave_at(PROFILE, ids[number], place)
        run_sql(
            store, "UPDATE reading_places SET left_at = ? WHERE transcript_id = ?", (f"2026-0{number + 1}", ids[number])
        )
    for q, found in (
        *(("read:done", [2]), ("read:begun", [3, 0]), ("read:new", [1]), ("-read:new", [3, 2, 0]), ("read:x", [])),
        *(("read:d,", [2]), ("zug read:new", [1])),
    ):
        assert [each.id for each in store.transcripts.page(PROFILE, q=q).items] == [ids[each] for each in found], q
    last, before = store.transcripts.last_read(PROFILE, 2)
    assert (last.transcript, last.place, last.start_ms) == (
        store.transcripts.get(PROFILE, ids[3]),
        ReadingPlace(0, 0, 1),
        0,
    )
    assert (before.transcript.id, before.place, before.left_at) == (ids[2], ReadingPlace(1, 0, 2), "2026-03")
    store.transcripts.delete(PROFILE, [ids[3]])
    assert [each.transcript.id for each in store.transcripts.last_read(PROFILE, 9)] == [ids[2], ids[0]]
    assert store.transcripts.last_read("berta", 9) == ()


def test_transcripts_and_their_files_are_found_by_one_cue_that_has_all_words(store: Store, add_film: AddFilm) -> None:
    add_film("Der Dom in Köln.", name="Dom.srt")
    add_film("Wohin?", "Der Zug hält.", "Nach Köln zum Dom.", "Köln!", name="Bahn.srt")
    add_film("東京に行きます", name="Japan.srt")
    file, gone = add_film("Der Zug hält nicht in Köln, auch nicht am Dom: 東京に行きます", name="Weg.srt")
    store.files.delete(PROFILE, [file.id])
    store.transcripts.delete(PROFILE, [gone.id])
    wanted: dict[str, dict[str, int | None]] = {
        "zug hal": {"Bahn": 1},
        "koln": {"Bahn": 2, "Dom": 0},
        "dom": {"Dom": None, "Bahn": 2},
        "京に行": {"Japan": 0},
        "東京": {"Japan": 0},
        "zug koln": {},
        "?": {},
    }
    for q, found in wanted.items():
        transcripts = store.transcripts.page(PROFILE, q=q)
        assert {each.title: each.hit and each.hit.cue_index for each in transcripts.items} == found, q
        files = store.files.page(PROFILE, q=q)
        assert {each.name.removesuffix(".srt"): each.hit and each.hit.cue_index for each in files.items} == found
        assert transcripts.total == files.total == len(found)
        assert all(each.hit is None or each.hit.transcript_id == each.id for each in transcripts.items)
        first = store.transcripts.page(PROFILE, limit=1, q=q)
        rest = store.transcripts.page(PROFILE, q=q, after=first.next) if first.next else None
        assert (*first.items, *(rest.items if rest else ())) == transcripts.items


def test_deleting_a_transcript_keeps_its_clips_and_file(store: Store, add_film: AddFilm) -> None:
    file, transcript = add_film("Der Zug.")
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", transcript_id=transcript.id, file_id=file.id))
    assert store.transcripts.delete(PROFILE, [transcript.id]).count == 1
    assert store.clips.get(PROFILE, clip.id).transcript_id is None
    assert store.clips.get(PROFILE, clip.id).updated_at == clip.updated_at, "the clip itself did not change"
    assert store.files.get(PROFILE, file.id).cue_count == 0
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (0, ())
    with pytest.raises(NotFound) as caught:
        store.transcripts.cues(PROFILE, transcript.id)
    assert caught.value.code == "transcript_not_found"


CUES = [Cue(0, 0, 900, "Der Zug kommt, der Zug."), Cue(1, 1000, 1900, "東京に行きます")]


def edit(store: Store, transcript_id: str, title: str | None = None, language: str | None = None) -> None:
    store.transcripts.edit(PROFILE, transcript_id, title=title, language=language)


@pytest.mark.parametrize("language", ["nl", "", "ja", "de-AT"])
def test_undo_of_an_edit_brings_back_every_row_but_the_inventory_of_words(store: Store, language: str) -> None:
    file, transcript = add_file(store, "zug.srt", CUES)
    add_file(store, "andere.srt", [Cue(0, 0, 900, "Der Zug.")])
    before = everything(store)
    edit(store, transcript.id, "Anders", language)
    check_search_tables(store)
    edited = everything(store)
    assert edited["all_transcripts"] != before["all_transcripts"]
    assert edited["found"] == before["found"]
    assert store.files.get(PROFILE, file.id).language == (language or None)
    assert undo(store) == Restored("edit", 1, "zug, as it was before it was edited")
    check_search_tables(store)
    after = everything(store)
    after["forms"] = before["forms"]  # the inventory of words only grows
    assert after == before


def test_counts_are_those_of_an_import_in_that_language(store: Store) -> None:
    _, transcript = add_file(store, "zug.srt", CUES)
    edit(store, transcript.id, language="nl")
    assert store.words.occurrences(PROFILE, "nl", ["zug"]) == (2, (2,))
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (0, ())


def test_a_chapter_is_edited_alone_and_its_book_keeps_its_language(store: Store) -> None:
    chapters = [NewTranscript(f"Kapitel {n}", "de", [Cue(0, None, None, f"Der Zug {n}.")]) for n in (1, 2)]
    file, _ = add_file(store, "buch.epub", transcripts=chapters, sha256="cd")
    newest = store.transcripts.page(PROFILE).items
    edit(store, newest[0].id, language="nl")
    assert [each.language for each in store.transcripts.page(PROFILE).items] == ["nl", "de"]
    assert store.files.get(PROFILE, file.id).language == "de"
    assert store.files.read_named_options(PROFILE, file.id) == (None, None)


def test_an_episode_with_another_title_is_found_by_its_series_still(store: Store) -> None:
    episode = NewTranscript("Geheimnisse", "de", [Cue(0, None, None, "Der Zug.")], series="Dark", season=1, episode=1)
    _, transcript = add_file(store, "dark.srt", transcripts=[episode])
    edit(store, transcript.id, "Lügen")
    for q in ("dark", "lügen", "series:dark", "title:lügen"):
        assert [each.id for each in store.transcripts.page(PROFILE, q=q).items] == [transcript.id], q
    assert store.transcripts.page(PROFILE, q="geheimnisse").total == 0


def test_an_edit_of_a_transcript_that_is_gone_for_good_brings_nothing_back(store: Store) -> None:
    _, transcript = add_file(store, "zug.srt", CUES)
    edit(store, transcript.id, "Anders")
    store.transcripts.delete(PROFILE, [transcript.id])
    run_sql(store, "DELETE FROM trash WHERE kind = 'transcript'")
    remove_discarded(store)
    assert undo(store).count == 0
