"""Adding, listing, showing, deleting and bringing back, as a person and as a program see it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.cli.conftest import STORY, Lode, columns
from tests.language.segmenting import needs_segmenter
from tui.records.clips import FocusWord, NewClip
from tui.service.local import LocalService

InService = Callable[[Callable[[LocalService], Any]], Any]


def test_adding_prints_a_line_for_each_file(lode: Lode, story: Path) -> None:
    done = lode("add", str(story))
    assert done.code == 0
    assert done.err == ""
    ((state, title, cues, language, transcript_id),) = columns(done)
    assert (state, title, cues, language) == ("added", "Der Zug", "2 cues", "de")
    assert lode("transcripts", "show", transcript_id).code == 0


def test_the_same_file_twice_is_noticed(lode: Lode, story: Path) -> None:
    first = columns(lode("add", str(story)))[0]
    again = lode("add", str(story))
    assert again.code == 0
    assert columns(again)[0] == ["same", *first[1:]]
    assert "already in the library" in lode("add", str(story), terminal=True).out
    assert len(lode("files", "list", "--json").json()) == 1


def test_a_refused_file_is_told_on_standard_error_and_the_others_are_added(
    lode: Lode, story: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.srt"
    broken.write_bytes(bytes(range(256)) * 20)
    done = lode("add", str(broken), str(story))
    assert done.code == 1
    assert [row[0] for row in columns(done)] == ["added"]
    refused, hint = done.err.splitlines()
    assert refused.startswith("refused  broken.srt: ")
    assert hint.startswith("hint: ")


def test_adding_as_json_is_one_object_per_file(lode: Lode, story: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.srt"
    empty.write_bytes(b"")
    done = lode("add", str(story), str(empty), "--json")
    assert done.code == 1
    added, refused = sorted(done.events(), key=lambda event: str(event["state"]))
    assert added["state"] == "added"
    assert added["path"] == str(story)
    assert added["cues"] == 2
    assert added["error"] is None
    assert lode("files", "show", added["file_id"], "--json").json()["transcript_id"] == added["transcript_id"]
    assert refused["state"] == "refused"
    assert refused["file_id"] is None
    assert refused["error"]


def test_a_missing_path_is_refused_before_anything_is_added(lode: Lode, story: Path, tmp_path: Path) -> None:
    done = lode("add", str(story), str(tmp_path / "nowhere.srt"))
    assert done.code == 1
    assert done.out == ""
    assert "nowhere.srt" in done.err
    assert "\nhint: " in done.err
    assert lode("files", "list", "--json").json() == []


def test_a_directory_and_a_language_and_an_encoding(lode: Lode, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "a.srt").write_text(STORY, "utf-16")
    (shelf / "b.srt").write_text(STORY.replace("Wir", "Sie"), "utf-16")
    done = lode("add", str(shelf), "--language", "de", "--encoding", "utf-16")
    assert done.code == 0, done.err
    assert [(row[0], row[3]) for row in columns(done)] == [("added", "de")] * 2


def test_a_terminal_gets_a_progress_bar_on_standard_error_and_lines_on_standard_output(lode: Lode, story: Path) -> None:
    done = lode("add", str(story), terminal=True)
    assert done.code == 0
    assert "0/1 Der Zug.de.srt" in done.err
    assert done.err.endswith("\r\x1b[2K")
    assert done.out.startswith("added  Der Zug  2 cues  de  ")


def test_the_samples_are_loaded_and_walked_without_any_file_or_key(lode: Lode) -> None:
    rows = columns(lode("add", "--samples"))
    assert len(rows) >= 4
    assert {"de", "es", "ja"} <= {row[3] for row in rows}
    shown = lode("transcripts", "show", rows[0][4])
    assert shown.code == 0
    assert len(shown.out.splitlines()) >= 30


def test_a_list_in_a_pipe_is_tab_separated_and_whole(lode: Lode, story: Path) -> None:
    lode("add", str(story))
    (row,) = columns(lode("files", "list"))
    (file,) = lode("files", "list", "--json").json()
    assert row == [
        file["id"], "Der Zug.de.srt", "srt", "de", "2", "5000", str(story.stat().st_size), file["created_at"]
    ]  # fmt: skip


def test_a_list_on_a_terminal_is_aligned_and_fits(lode: Lode, in_service: InService) -> None:
    in_service(lambda service: service.clips.add(NewClip(sentence="Der Zug fährt ab. " * 40, source="駅" * 100)))
    done = lode("clips", "list", terminal=True)
    title, row = done.out.splitlines()
    assert title.startswith("id        focus")
    assert cell_len(row) <= 80
    assert "…" in row


def test_a_terminal_gets_fifty_and_is_told_of_the_rest(lode: Lode, in_service: InService) -> None:
    async def fill(service: LocalService) -> None:
        for number in range(53):
            await service.clips.add(NewClip(sentence=f"Satz {number}."))

    in_service(fill)
    done = lode("clips", "list", terminal=True)
    assert len(done.out.splitlines()) == 51
    assert done.err == "… and 3 more (--limit, --offset)\n"
    assert len(columns(lode("clips", "list"))) == 53
    page = lode("clips", "list", "--limit", "2", "--offset", "1", "--json").json()
    assert [clip["sentence"] for clip in page] == ["Satz 51.", "Satz 50."]
    assert [row[2] for row in columns(lode("clips", "list", "--search", "satz 7"))] == ["Satz 7."]
    assert lode("clips", "list", "--offset", "99", "--json").json() == []


def test_a_long_list_is_read_in_pages(lode: Lode, in_service: InService, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fill(service: LocalService) -> None:
        for number in range(25):
            await service.clips.add(NewClip(sentence=f"Satz {number}."))

    in_service(fill)
    from tui.cli.commands import records

    monkeypatch.setattr(records, "PAGE", 10)
    sentences = [clip["sentence"] for clip in lode("clips", "list", "--json").json()]
    assert sentences == [f"Satz {number}." for number in reversed(range(25))]
    assert len(columns(lode("clips", "list", "--limit", "20"))) == 20


@pytest.mark.parametrize("group", ["files", "transcripts", "clips", "jobs", "history"])
def test_an_empty_list_says_so_to_people_and_nothing_to_programs(lode: Lode, group: str) -> None:
    assert lode(group, "list").out == ""
    assert lode(group, "list", "--json").out == "[]\n"
    told = lode(group, "list", terminal=True)
    assert (told.code, told.out) == (0, "")
    assert told.err.startswith("no ")


def test_a_transcript_is_shown_with_its_times(lode: Lode, story: Path) -> None:
    transcript_id = columns(lode("add", str(story)))[0][4]
    done = lode("transcripts", "show", transcript_id[:6])
    assert done.out == "Der Zug · de · 2 cues · 0:05\n\n0:01  Der Zug fährt ab.\n0:03  Wir fahren mit.\n"
    whole = lode("transcripts", "show", transcript_id, "--json").json()
    assert whole["id"] == transcript_id
    assert [cue["text"] for cue in whole["cues"]] == ["Der Zug fährt ab.", "Wir fahren mit."]
    assert whole["cues"][1]["start_ms"] == 3000
    assert json.loads(lode("transcripts", "show", transcript_id, "--json", terminal=True).out) == whole


@needs_segmenter("ja")
def test_a_transcript_is_shown_with_its_readings_or_as_json_with_its_words(lode: Lode, tmp_path: Path) -> None:
    film = tmp_path / "駅.ja.srt"
    film.write_text("1\n00:00:01,000 --> 00:00:02,000\n昨日学校へ\n行った。\n", "utf-8")
    lode("add", str(film))
    [transcript] = lode("transcripts", "list", "--json").json()
    shown = lode("transcripts", "show", transcript["id"], "--readings").out
    assert "0:01  昨日[きのう]学校[がっこう]へ\n      行[い]った。\n" in shown
    [cue] = lode("transcripts", "show", transcript["id"], "--readings", "--json").json()["cues"]
    assert cue["text"] == "昨日学校へ\n行った。"
    went, past = cue["words"][3:]
    assert went == {"text": "行っ", "start": 6, "end": 8, "lemma": "行く", "reading": "いっ", "is_function": False}
    assert (past["text"], past["is_function"]) == ("た", True)
    assert lode("transcripts", "show", transcript["id"], "--readings", "--sentences").code == 2


def test_a_transcript_is_shown_in_whole_sentences(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "zug.de.srt"
    path.write_text(
        "1\n00:00:01,000 --> 00:00:02,000\nDer Zug\n\n2\n00:00:02,100 --> 00:00:05,000\nfährt ab.\n", "utf-8"
    )
    transcript_id = columns(lode("add", str(path)))[0][4]
    shown = lode("transcripts", "show", transcript_id, "--sentences")
    assert shown.out == "zug · de · 2 cues · 0:05\n\n0:01  Der Zug fährt ab.\n"
    [sentence] = lode("transcripts", "show", transcript_id, "--sentences", "--json").json()["sentences"]
    assert (sentence["text"], sentence["start_ms"], sentence["end_ms"]) == ("Der Zug fährt ab.", 1000, 5000)
    assert (sentence["first_cue"], sentence["last_cue"]) == (0, 1)


def test_a_text_without_times_is_shown_with_numbers(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "brief.txt"
    path.write_text("Der Zug fährt ab. Wir fahren mit.\n", "utf-8")
    transcript_id = columns(lode("add", str(path)))[0][4]
    assert lode("transcripts", "show", transcript_id).out.splitlines()[2:] == [
        "1  Der Zug fährt ab.",
        "2  Wir fahren mit.",
    ]


def test_a_clip_is_shown_with_its_focus_word(lode: Lode, in_service: InService) -> None:
    focus = FocusWord("fährt … ab", lemma="abfahren", part_of_speech="verb", meanings=("to leave", "to depart"))
    clip = in_service(
        lambda service: service.clips.add(
            NewClip("Der Zug fährt ab.", focus=focus, explanation="A **separable** verb.", model="x:y", start_ms=1000)
        )
    )
    lines = lode("clips", "show", clip.id).out.splitlines()
    assert lines[:6] == [
        "Der Zug fährt ab.",
        "",
        "fährt … ab   abfahren · verb",
        "             to leave, to depart",
        "",
        "A **separable** verb.",
    ]
    whole = lode("clips", "show", clip.id, "--json").json()
    assert whole["focus"]["meanings"] == ["to leave", "to depart"]


@pytest.mark.parametrize("group", ["files", "transcripts", "clips"])
@pytest.mark.parametrize("verb", ["show", "delete"])
def test_an_unknown_id_is_an_error_with_a_hint(lode: Lode, group: str, verb: str) -> None:
    done = lode(group, verb, "zzzzzzzz")
    assert done.code == 1
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert "zzzzzzzz" in done.err
    assert "\nhint: " in done.err


def test_deleting_a_file_takes_its_jobs_and_undo_brings_all_back(lode: Lode, story: Path) -> None:
    lode("add", str(story))
    (file,) = lode("files", "list", "--json").json()
    (job,) = lode("jobs", "list", "--json").json()
    done = lode("files", "delete", file["id"], "--json")
    assert done.json() == {"count": 1, "deleted_job_ids": [job["id"]]}
    assert done.err == "lode undo brings back what was deleted\n"
    assert lode("files", "list", "--json").json() == []
    assert lode("jobs", "list", "--json").json() == []
    assert len(lode("transcripts", "list", "--json").json()) == 1

    assert lode("undo").out.startswith("back again: ")
    assert [found["id"] for found in lode("files", "list", "--json").json()] == [file["id"]]
    assert [found["id"] for found in lode("jobs", "list", "--json").json()] == [job["id"]]


def test_several_are_deleted_at_once_and_come_back_at_once(lode: Lode, in_service: InService) -> None:
    async def fill(service: LocalService) -> list[str]:
        return [(await service.clips.add(NewClip(sentence=f"Satz {number}."))).id for number in range(3)]

    ids = in_service(fill)
    assert lode("clips", "delete", ids[0], ids[2]).out == "deleted 2 clips\n"
    assert [clip["id"] for clip in lode("clips", "list", "--json").json()] == [ids[1]]
    assert lode("undo", "--json").json()["count"] == 2
    assert len(lode("clips", "list", "--json").json()) == 3


def test_on_a_terminal_a_deletion_is_asked_for(lode: Lode, in_service: InService) -> None:
    clip = in_service(lambda service: service.clips.add(NewClip(sentence="Satz.")))
    no = lode("clips", "delete", clip.id, stdin="n\n", terminal=True)
    assert no.code == 1
    assert "Delete 1 clip?" in no.err
    assert "nothing was deleted" in no.err
    assert lode("clips", "delete", clip.id, stdin="", terminal=True).code == 130
    assert len(lode("clips", "list", "--json").json()) == 1
    assert lode("clips", "delete", clip.id, stdin="y\n", terminal=True).out == "deleted 1 clip\n"
    assert lode("undo").code == 0
    assert lode("clips", "delete", clip.id, "--yes", terminal=True).out == "deleted 1 clip\n"


def test_a_file_and_its_details_are_shown(lode: Lode, story: Path) -> None:
    lode("add", str(story))
    (file,) = lode("files", "list", "--json").json()
    lines = lode("files", "show", file["id"]).out.splitlines()
    assert lines[0] == "name        Der Zug.de.srt"
    assert f"sha256      {file['sha256']}" in lines
    assert lode("files", "show", file["id"], "--json").json() == file


def test_a_file_that_was_read_wrongly_is_read_anew_and_undone(lode: Lode, tmp_path: Path) -> None:
    film = tmp_path / "film.ru.srt"
    film.write_bytes(STORY.replace("Der Zug fährt ab.", "Левый берег.").encode("cp1251"))
    refused = lode("add", str(film))
    assert refused.code == 1
    assert 'hint: it reads well as windows-1251: "Левый берег."' in refused.err
    assert lode("add", str(film), "--encoding", "cp1252").code == 1
    forced = lode("add", str(film), "--encoding", "cp1252", "--force")
    assert forced.code == 0, forced.err
    anew = lode("add", str(film), "--encoding", "windows-1251", "--json").json()
    assert (anew["state"], anew["transcript_id"]) == ("reread", columns(forced)[0][4])
    assert "encoding    cp1251" in lode("files", "show", anew["file_id"], terminal=True).out
    assert lode("add", str(film), "--encoding", "cp1251", terminal=True).out.startswith("same ")
    assert lode("add", str(film), "--language", "uk", terminal=True).out.startswith(
        "read anew  film  2 cues, read as windows-1251  uk"
    )
    assert lode("undo").code == 0
    assert lode("undo").out == "back again: film, as it was read before\n"
    assert "áåðåã" in lode("transcripts", "show", anew["transcript_id"]).out
