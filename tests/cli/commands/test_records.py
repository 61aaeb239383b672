"""What all records have in common: lists, deletion and undo; files and transcripts that go by a title or a path."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.conftest import STORY, Lode, add_file, columns
from tests.store.many_clips import add_many
from tui.cli.commands import records
from tui.records.clips import NewClip
from tui.store import Store


def fill(store: Store, count: int) -> list[str]:
    """Add so many clips; gives their ids, the oldest first."""
    add_many(store, "default", [NewClip(f"Satz {number}.") for number in range(count)])
    return [clip.id for clip in store.clips.page("default", limit=count).items][::-1]


def shown(lode: Lode, name: str) -> str:
    return str(lode("transcripts", "show", name, "--json").json()["id"])


def test_a_list_is_whole_in_a_pipe_and_fits_on_a_terminal(lode: Lode, store: Store, story: Path) -> None:
    lode("add", str(story))
    (file,) = lode("files", "list", "--json").json()
    assert columns(lode("files", "list")) == [
        [file["id"], "Der Zug.de.srt", "srt", "de", "2", "5000", str(story.stat().st_size), file["created_at"]]
    ]
    store.clips.add("default", NewClip(sentence="Der Zug fährt ab. " * 40, source="駅" * 100))
    title, row = lode("clips", "list", terminal=True).out.splitlines()
    assert title.startswith("id        focus")
    assert cell_len(row) <= 80
    assert "…" in row


def test_a_list_is_sorted_by_any_of_its_columns(lode: Lode, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for sentence, source in (("Zug", "b"), ("Aal", "a"), ("Markt", "a")):
        store.clips.add("default", NewClip(sentence, source=source))
    monkeypatch.setattr(records, "PAGE", 1)
    for sort, expected in (("sentence", "AMZ"), ("-sentence", "ZMA"), ("source", "MAZ"), ("-age", "ZAM")):
        rows = lode("clips", "list", "--sort", sort, "--json").json()
        assert "".join(row["sentence"][0] for row in rows) == expected, sort
    assert columns(lode("clips", "list", "--sort", "sentence", "--limit", "1", "--columns", "sentence")) == [["Aal"]]
    lode("clips", "list", "--sort", "cues").check_refused("'cues' is not one of 'word'", code=2)


def test_a_list_is_whole_page_after_page_and_a_limit_says_what_it_leaves_out(
    lode: Lode, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 53)
    monkeypatch.setattr(records, "PAGE", 10)
    done = lode("clips", "list", terminal=True)
    assert (len(done.out.splitlines()), done.err) == (54, "")  # one line of titles
    assert lode("clips", "list", "--limit", "50", terminal=True).err == "… and 3 more (--limit, --offset)\n"
    whole = [clip["sentence"] for clip in lode("clips", "list", "--json").json()]
    assert whole == [f"Satz {number}." for number in reversed(range(53))]
    assert [row[2] for row in columns(lode("clips", "list", "--limit", "20", "--offset", "1"))] == whole[1:21]
    assert [row[2] for row in columns(lode("clips", "list", "--search", "satz 7"))] == ["Satz 7."]
    assert lode("clips", "list", "--offset", "99", "--json").json() == []


def test_an_empty_list_says_so_to_people_and_nothing_to_programs(lode: Lode) -> None:
    for group in ("files", "transcripts", "clips", "jobs", "history"):
        assert lode(group, "list").out == ""
        assert lode(group, "list", "--json").out == "[]\n"
        told = lode(group, "list", terminal=True)
        assert (told.code, told.out, told.err[:3]) == (0, "", "no "), group


def test_an_unknown_id_is_an_error_with_a_hint(lode: Lode) -> None:
    for group in ("files", "transcripts", "clips"):
        for verb in ("show", "delete"):
            lode(group, verb, "zzzzzzzz").check_refused("error: ", "zzzzzzzz")


def test_deleting_a_file_takes_its_jobs_and_undo_brings_all_back(lode: Lode, story: Path) -> None:
    lode("add", str(story))
    (file,) = lode("files", "list", "--json").json()
    (job,) = lode("jobs", "list", "--json").json()
    done = lode("files", "delete", file["id"], "--json")
    assert done.json() == {"count": 1, "deleted_job_ids": [job["id"]]}
    assert done.err == "lode undo brings back what was deleted\n"
    assert [lode(group, "list").out for group in ("files", "jobs")] == ["", ""]
    assert len(lode("transcripts", "list", "--json").json()) == 1
    assert lode("undo").out.startswith("back again: ")
    assert [columns(lode(group, "list"))[0][0] for group in ("files", "jobs")] == [file["id"], job["id"]]
    assert lode("undo").err.startswith("error: there is nothing to undo\nhint: ")


def test_an_older_step_is_undone_by_its_id_and_redone_and_what_keeps_one_is_named(lode: Lode, store: Store) -> None:
    first, second = fill(store, 2)
    lode("clips", "delete", first)
    lode("clips", "delete", second)
    lode("words", "mark", "Zug", "--language", "de")
    listed = columns(lode("undo", "--list"))
    assert [row[1] for row in listed] == ["word marked: Zug", "clip deleted: Satz 1.", "clip deleted: Satz 0."]
    oldest = listed[-1][0]
    assert lode("undo", oldest).out == "back again: Satz 0.\n"
    assert [row[0] for row in columns(lode("clips", "list"))] == [first]
    assert lode("redo").out == "done again: clip deleted: Satz 0.\n"
    assert lode("redo").err.startswith("error: there is nothing to redo\nhint: ")
    lode("undo", oldest, "--json")
    assert lode("redo", "--json").json()["id"] == int(oldest)
    assert lode("clips", "list").out == ""
    assert columns(lode("undo", "--list")) == listed
    lode("words", "mark", "Zug", "--language", "de", "--state", "ignored")
    lode("undo", listed[0][0]).check_refused("error: what came later touches the same: word marked: Zug (")
    lode("undo", "4000").check_refused("error: there is no step 4000")
    lode("undo", oldest, "--list").check_refused("--list", code=2)
    assert "age" in lode("undo", "--list", terminal=True).out.splitlines()[0]


def test_several_are_deleted_and_come_back_at_once_and_a_person_is_asked_first(lode: Lode, store: Store) -> None:
    first, second, third = fill(store, 3)
    assert lode("clips", "delete", first[:6], third).out == "deleted 2 clips\n"
    assert [row[0] for row in columns(lode("clips", "list"))] == [second]
    assert lode("undo", "--json").json() == {"kind": "clip", "count": 2, "summary": "2 clips"}
    lode("clips", "delete", first, "zzzz").check_refused("'zzzz'")
    no = lode("clips", "delete", first, stdin="n\n", terminal=True)
    assert no.code == 1
    assert "Delete 1 clip? [y/N]" in no.err
    assert "nothing was deleted" in no.err
    assert lode("clips", "delete", first, stdin="", terminal=True).code == 130
    assert len(columns(lode("clips", "list"))) == 3
    assert lode("clips", "delete", first, stdin="y\n", terminal=True).out == "deleted 1 clip\n"
    assert lode("clips", "delete", second, "--yes", terminal=True).out == "deleted 1 clip\n"
    assert [row[0] for row in columns(lode("clips", "list"))] == [third]


def test_a_view_is_added_lists_what_it_finds_and_is_renamed_and_deleted(lode: Lode, store: Store) -> None:
    for number, tags in enumerate((("verb",), ("verb", "a1"), ())):
        store.clips.add("default", NewClip(f"Satz {number}", tags=tags))
    assert lode("views", "list", terminal=True).err.startswith("no views yet")
    view = lode("views", "add", "my verbs", "clips", "tag:verb", "--json").json()
    assert view == {"name": "my verbs", "list": "clips", "q": "tag:verb", "sort": ""}
    listed = lode("clips", "list", "--view", "MY VERBS", "--columns", "sentence")
    assert listed.out.split("\n")[:-1] == ["Satz 1", "Satz 0"]
    assert lode("clips", "list", "--view", "my verbs", "--search", "tag:a1", "--columns", "sentence").out == "Satz 1\n"
    lode("files", "list", "--view", "my verbs").check_refused("is of clips", 'lode clips list --view "my verbs"')
    lode("transcripts", "list", "--counts", "--view", "verbs").check_refused("there is no view 'verbs'")
    assert lode("views", "rename", "my verbs", "verbs").out == "view verbs renamed\n"
    assert columns(lode("views", "list")) == [["verbs", "clips", "tag:verb"]]
    lode("views", "delete", "verbs", "nothing").check_refused("there is no view 'nothing'")
    assert lode("views", "delete", "VERBS").out == "deleted 1 view\n"
    assert lode("undo").out == "back again: the view verbs\n"
    assert columns(lode("views", "list")) == [["verbs", "clips", "tag:verb"]]
    lode("views", "add", " ", "clips", "x").check_refused("a view needs a name")
    lode("views", "add", "x", "nothing", "x").check_refused("nothing", code=2)


def test_files_transcripts_and_clips_are_moved_to_another_profile(lode: Lode, store: Store, tmp_path: Path) -> None:
    file = add_file(lode, tmp_path / "Der Umzug.de.srt")
    transcript = file["transcript_id"]
    clip = store.clips.add("default", NewClip("Der Zug.", transcript_id=transcript))
    said = "1 file would go to anna, with 1 transcript and 1 clip\n"
    assert lode("files", "move", "Der Umzug.de.srt", "--to", "anna", "--dry-run").out == said
    assert len(columns(lode("files", "list"))) == 1
    moved = lode("transcripts", "move", "der umzug", "--to", "anna", "--json").json()
    assert moved == {"count": 1, "files": 1, "transcripts": 1, "clips": 1}
    assert [lode(each, "list").out for each in ("files", "transcripts", "clips")] == [""] * 3
    assert columns(lode("--profile", "anna", "clips", "list"))[0][0] == clip.id
    assert lode("undo").code == 0
    assert lode("clips", "move", clip.id[:6], "--to", "anna").out == "1 clip moved to anna\n"
    lode("clips", "move", clip.id, "--to", "anna").check_refused("there is no clip")
    lode("files", "move", file["file_id"], "--to", "default").check_refused("that is the profile that they are in")
    lode("files", "move", file["file_id"], "--to", "a b").check_refused("no profile name")


# Names


def test_a_title_goes_for_an_id_whole_or_its_beginning_in_any_case(lode: Lode, tmp_path: Path) -> None:
    moving = add_file(lode, tmp_path / "Der Umzug.de.srt")["transcript_id"]
    back = add_file(lode, tmp_path / "Der Umzug zurück.de.srt", STORY.replace("Zug", "Bus"))["transcript_id"]
    assert shown(lode, "der umzug") == moving  # the whole title comes before beginnings
    assert shown(lode, "DER UMZUG Z") == back
    assert shown(lode, "Der Umzug zuru\u0308ck") == back  # as a disk of another system composes it
    assert shown(lode, "Der Umzug.de.srt") == moving
    several = lode("transcripts", "show", "Der U")
    assert several.code == 1
    assert several.err == (
        "error: 'Der U' stands for more than one transcript\n"
        f'hint: give the id: {back} "Der Umzug zurück" (de), {moving} "Der Umzug" (de)\n'
    )
    assert "there is no transcript 'Umzug'" in lode("transcripts", "show", "Umzug").err
    for nothing in ("", " ", "/", "\udcff", "x" * 5000):
        assert lode("transcripts", "show", nothing).code == 1
    assert lode("transcripts", "edit", back, "--title", moving).code == 0
    assert shown(lode, moving) == moving  # an id comes before a title


def test_an_episode_goes_by_its_title_behind_the_series_as_the_list_shows_it(lode: Lode, tmp_path: Path) -> None:
    add_file(lode, tmp_path / "Dark.S01E01.srt")
    episode = add_file(lode, tmp_path / "Dark.S01E02.srt", STORY.replace("Zug", "Bus"))["transcript_id"]
    listed = lode("transcripts", "list", terminal=True).out.splitlines()[1]
    (title,) = [part for part in listed.split("  ") if "Dark" in part]
    assert shown(lode, title.strip()) == episode


def test_a_film_goes_for_its_transcript_by_its_path(
    lode: Lode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.media.films import make_film

    transcript = add_file(lode, tmp_path / "text.srt")["transcript_id"]
    film = make_film(tmp_path / "film.mkv", 5)
    assert lode("files", "link", "text.srt", str(film)).code == 0
    assert lode("files", "show", str(film), "--json").json()["transcript_id"] == transcript
    assert lode("transcripts", "show", "film.mkv").code == 1
    monkeypatch.chdir(tmp_path)
    assert {shown(lode, name) for name in (str(film), "film.mkv", "./film.mkv")} == {transcript}
    assert "the app needs a terminal" in lode("follow", "film.mkv", "--socket", "mpv").err
    written = lode("audio", "film.mkv", "speech.mp3", "--json").json()
    assert Path(written["path"]).exists()
    assert lode("files", "unlink", "film.mkv").out == f"{film} is linked no more\n"
    assert lode("transcripts", "show", "film.mkv").code == 1


def test_a_file_goes_by_its_name_and_by_a_path_that_ends_in_it(lode: Lode, tmp_path: Path) -> None:
    added = add_file(lode, tmp_path / "story.de.srt")
    assert lode("transcripts", "edit", "story", "--title", "Anders").code == 0
    path = tmp_path / "gone" / "Story.DE.srt"
    assert shown(lode, str(path)) == added["transcript_id"]
    assert {lode("files", "show", each, "--json").json()["id"] for each in (str(path), "story")} == {added["file_id"]}
    assert lode("files", "reread", str(path), "--json").code == 0
    asked = lode("files", "delete", "story.de.srt", stdin="y\n", terminal=True)
    assert "Delete 1 file and 2 jobs?" in asked.err
    assert lode("files", "list", "--json").json() == []
    assert shown(lode, "anders") == added["transcript_id"]


def test_every_other_command_takes_a_title_too(lode: Lode, tmp_path: Path) -> None:
    story = add_file(lode, tmp_path / "Der Zug.srt", STORY, "--language", "de")["transcript_id"]
    english = STORY.replace("Der Zug fährt ab", "The train leaves")
    track = add_file(lode, tmp_path / "The train.srt", english, "--language", "de")["transcript_id"]
    paired = lode("transcripts", "pair", "der zug", "the train", "--offset", "0", "--json").json()
    assert (paired["transcript"]["id"], paired["transcript"]["translation_id"]) == (story, track)
    assert lode("transcripts", "unpair", "der zug", "--json").json()["translation_id"] is None
    assert lode("transcripts", "changes", "der zug").code == 0
    assert "Der Zug fährt ab." in lode("transcripts", "export", "der zug", "-", "--format", "txt").out
    assert lode("transcripts", "export", "der zug", str(tmp_path / "out.srt")).code == 0
    assert len(lode("transcripts", "export", "der zug", "the train", str(tmp_path)).out.splitlines()) == 2
    assert lode("words", "next", "--transcript", "der zug", "--json").json()
    assert lode("transcripts", "delete", "der zug", "the", "--json").json()["count"] == 2
    assert lode("transcripts", "list", "--json").json() == []
