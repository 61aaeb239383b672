"""``lode add``: files, folders, archives, addresses and standard input, and what is said of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import STORY, Lode, columns
from tests.importing.archives.making import encrypted, story, zipped
from tests.importing.web.web_server import Answer, WebServer, web
from tui.importing import parse

__all__ = ["web"]


def test_each_file_has_a_line_and_one_that_is_there_already_is_noticed(lode: Lode, story: Path) -> None:
    done = lode("add", str(story))
    assert (done.code, done.err) == (0, "")
    ((state, *rest),) = columns(done)
    assert (state, *rest[:3]) == ("added", "Der Zug", "2 cues", "de")
    again = lode("add", str(story))
    assert (again.code, columns(again)) == (0, [["same", *rest]])
    assert "already in the library" in lode("add", str(story), terminal=True).out
    assert len(lode("files", "list", "--json").json()) == 1


def test_a_refused_file_is_told_and_the_others_are_added(lode: Lode, story: Path, tmp_path: Path) -> None:
    broken, empty = tmp_path / "broken.srt", tmp_path / "empty.srt"
    broken.write_bytes(bytes(range(256)) * 20)
    empty.touch()
    done = lode("add", str(broken), str(story))
    assert (done.code, [row[0] for row in columns(done)]) == (1, ["added"])
    refused, hint = done.err.splitlines()
    assert refused.startswith("refused  broken.srt: ")
    assert hint.startswith("hint: ")
    done = lode("add", str(story), str(empty), "--json")
    assert done.code == 1
    refused_one, same = sorted(done.events(), key=lambda event: str(event["state"]))
    assert (same["state"], same["path"], same["cues"], same["error"]) == ("same", str(story), 2, None)
    assert lode("files", "show", same["file_id"], "--json").json()["transcript_id"] == same["transcript_id"]
    assert (refused_one["state"], refused_one["file_id"], bool(refused_one["error"])) == ("refused", None, True)


def test_a_missing_path_is_refused_before_anything_is_added(lode: Lode, story: Path, tmp_path: Path) -> None:
    lode("add", str(story), str(tmp_path / "nowhere.srt")).check_refused("nowhere.srt")
    assert lode("files", "list", "--json").json() == []


def test_a_directory_is_added_in_an_encoding_with_a_bar_on_a_terminal(lode: Lode, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "a.srt").write_text(STORY, "utf-16")
    (shelf / "b.srt").write_text(STORY.replace("Wir", "Sie"), "utf-16")
    done = lode("add", str(shelf), "--language", "de", "--encoding", "utf-16", terminal=True)
    assert done.code == 0, done.err
    assert "0/2 a.srt" in done.err
    assert done.err.endswith("\r\x1b[2K")
    assert sorted(line.rpartition("  ")[0] for line in done.out.splitlines()) == [
        *("added  a  2 cues  de", "added  b  2 cues  de")
    ]


def test_the_samples_are_loaded_and_walked_without_any_file_or_key(lode: Lode) -> None:
    rows = columns(lode("add", "--samples"))
    assert len(rows) >= 4
    assert {"de", "es", "ja"} <= {row[3] for row in rows}
    assert len(lode("transcripts", "show", rows[0][4]).out.splitlines()) >= 30


def test_a_file_that_was_read_wrongly_is_read_anew_and_undone(lode: Lode, tmp_path: Path) -> None:
    film = tmp_path / "film.ru.srt"
    film.write_bytes(STORY.replace("Der Zug fährt ab.", "Левый берег.").encode("cp1251"))
    lode("add", str(film)).check_refused('hint: it reads well as windows-1251: "Левый берег."')
    assert lode("add", str(film), "--encoding", "cp1252").code == 1
    forced = lode("add", str(film), "--encoding", "cp1252", "--force", "--json").json()
    anew = lode("add", str(film), "--encoding", "windows-1251", "--json").json()
    assert (anew["state"], anew["transcript_id"]) == ("reread", forced["transcript_id"])
    assert "encoding    cp1251" in lode("files", "show", anew["file_id"], terminal=True).out
    assert lode("add", str(film), "--language", "uk", terminal=True).out.startswith(
        "read anew  film  2 cues, read as windows-1251  uk"
    )
    assert lode("undo").code == 0
    assert lode("undo").out == "back again: film, as it was read before\n"
    assert "áåðåã" in lode("transcripts", "show", anew["transcript_id"]).out


def test_mojibake_is_said_with_what_mends_it(lode: Lode, tmp_path: Path) -> None:
    film = tmp_path / "film.de.srt"
    cue = "1\n00:00:01,000 --> 00:00:02,500\nSchöne Grüße aus Köln.\n"
    film.write_bytes(cue.encode().decode("cp1252").encode())
    assert "its letters look wrong: lode files reread" in lode("add", str(film), terminal=True).out
    (file,) = lode("files", "list", "--json").json()
    assert lode("files", "reread", file["id"], "--encoding", "mojibake-cp1252").code == 0
    assert "Schöne Grüße" in lode("transcripts", "show", file["transcript_id"]).out


def test_standard_input_is_imported_under_a_name_or_by_its_first_words(lode: Lode, tmp_path: Path) -> None:
    event = lode("add", "-", "--name", "Der Zug.de.srt", "--json", stdin=STORY).json()
    assert (event["state"], event["title"], event["language"], event["cues"]) == ("added", "Der Zug", "de", 2)
    assert event["path"] == "Der Zug.de.srt"
    assert lode("add", "-", stdin=STORY.replace("Wir", "Sie")).out.startswith("added\tDer Zug fährt ab\t2 cues\t")
    assert lode("add", "-", stdin="Es war einmal ein König.").out.startswith("added\tEs war einmal ein König\t")
    wrong = lode("add", str(tmp_path), "--name", "a.srt")
    wrong.check_refused("--name is the name of what comes on standard input", code=2)


def test_what_cannot_be_imported_of_standard_input_is_refused(lode: Lode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "MAX_BYTES", 100_000)
    for stdin, said in (
        (b"", "stdin.txt is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "a PNG image"),
        (b"x" * 100_001, "the most that"),
    ):
        done = lode("add", "-", stdin=stdin)
        assert (done.code, done.out, said in done.err) == (1, "", True), done
    assert lode("files", "list", "--json").json() == []


def test_an_archive_is_one_line_for_each_of_its_files(lode: Lode, tmp_path: Path) -> None:
    path = zipped(tmp_path / "Dark.zip", {"S01E01.srt": story("1"), "S01E02.srt": story("2"), "empty.srt": b""})
    done = lode("add", str(path))
    assert done.code == 1
    assert [row[:2] for row in columns(done)] == [["added", "Dark · S01E02"], ["added", "Dark · S01E01"]]
    assert "refused  empty.srt: empty.srt is empty" in done.err
    locked = lode("add", str(encrypted(zipped(tmp_path / "locked.zip", {"a.srt": story("a")}))))
    assert (locked.code, locked.err.count("\n")) == (1, 2)
    assert "locked.zip cannot be imported: it is encrypted" in locked.err


def test_an_address_is_fetched_and_its_refusal_is_one_error(lode: Lode, web: WebServer) -> None:
    web.answers["/film.de.srt"] = Answer(STORY.encode(), "text/plain")
    event = lode("add", f"{web.url}/film.de.srt", "--json").json()
    assert (event["state"], event["title"], event["path"]) == ("added", "film", f"{web.url}/film.de.srt")
    missing = lode("add", f"{web.url}/missing.srt")
    assert (missing.code, missing.err.count("\n")) == (1, 2)
    assert "404 Not Found" in missing.err
