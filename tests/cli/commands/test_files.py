"""``lode files``, ``follow`` and ``audio``: files shown and read anew, films linked, followed, and their speech."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import STORY, Lode, add_file, columns
from tests.playing.programs import Programs, programs
from tui.records.clips import NewClip
from tui.service.media import media_process
from tui.store import Store

__all__ = ["programs"]

SRT = "1\n00:00:01,000 --> 00:00:02,000\nDer Zug kommt.\n\n2\n00:00:08,000 --> 00:00:09,000\nEr fährt ab.\n"


def film_at(path: Path, seconds: int, **how: Any) -> Path:
    """Make a film, where PyAV is installed."""
    from tests.media.films import make_film

    return make_film(path, seconds, **how)


def test_a_file_is_shown_read_anew_and_that_is_undone(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "Der Zug.de.srt"
    added = add_file(lode, path, STORY.encode("cp1252"), "--encoding", "cp437", "--force")
    path.unlink()
    file = added["file_id"]
    (listed,) = lode("files", "list", "--json").json()
    lines = lode("files", "show", file).out.splitlines()
    assert lines[0] == "name        Der Zug.de.srt"
    assert f"sha256      {listed['sha256']}" in lines
    assert lode("files", "show", file, "--json").json() == listed
    done = lode("files", "reread", file, "--encoding", "windows-1252")
    assert (done.code, columns(done)) == (0, [["reread", "Der Zug", "2 cues", "de", added["transcript_id"]]])
    assert "Der Zug fährt ab." in lode("transcripts", "show", added["transcript_id"]).out
    assert "as it was read before" in lode("undo").out
    assert "fährt" not in lode("transcripts", "show", added["transcript_id"]).out
    assert "the same 2 cues" in lode("files", "reread", file, terminal=True).out
    event = lode("files", "reread", file, "--as-is", "--json").json()
    assert (event["state"], event["file_id"], event["path"]) == ("same", file, f"kept:{file}/Der Zug.de.srt")
    refused = lode("files", "reread", file, "--encoding", "nonsense")
    assert (refused.code, refused.out, refused.err[:25]) == (1, "", "refused  Der Zug.de.srt: ")
    assert [lode("files", "reread", *given).code for given in ((file, "nothere"), ())] == [1, 2]


def test_a_linked_film_gives_clips_their_sound_and_is_missed(lode: Lode, store: Store, tmp_path: Path) -> None:
    added = add_file(lode, tmp_path / "zug.de.srt", SRT)
    transcript = added["transcript_id"]
    new = NewClip("Der Zug kommt.", transcript_id=transcript, cue_index=0, start_ms=1000, end_ms=2000)
    clip = store.clips.add("default", new)
    lode("files", "link", added["file_id"], str(tmp_path / "zug.de.srt")).check_refused(
        "zug.de.srt is no film or recording that can be read"
    )
    film = film_at(tmp_path / "film.mkv", 3, languages=("de", "en"))
    linked = lode("files", "link", added["file_id"][:6], str(film))
    assert linked.code == 0
    assert linked.out.startswith(f"{film}: linked to 1 transcript · 0:03 · track 1 de, track 2 en · 64×48\n")
    assert "1 clip with sound and picture" in linked.out
    assert store.clips.get("default", clip.id).audio
    film.rename(tmp_path / "gone.mkv")
    store.clips.add("default", NewClip("Er.", transcript_id=transcript, start_ms=500, end_ms=900))
    told = lode("export", str(tmp_path / "lode.apkg"))
    assert (told.code, told.out[:4]) == (0, "Lode")
    assert "warning: 1 clip without sound and picture: film.mkv is not where it was" in told.err
    assert lode("files", "unlink", transcript).out == f"{film} is linked no more\n"
    assert lode("files", "unlink", transcript).err == "there was no film\n"
    assert lode("files", "unlink", transcript, "--json").json() == []


def test_a_pipe_with_the_name_of_a_film_holds_nothing(lode: Lode, store: Store, tmp_path: Path) -> None:
    (tmp_path / "zug.de.srt").write_text(SRT, "utf-8")
    pipe = tmp_path / "zug.mp4"
    os.mkfifo(pipe)
    assert lode("add", str(tmp_path)).code == 0
    (file,) = lode("files", "list", "--json").json()
    assert "zug.mp4 is no ordinary file" in lode("add", str(pipe)).err
    assert "it is a pipe, not a file" in lode("files", "link", file["id"], str(pipe)).err
    store.clips.add("default", NewClip("Er.", transcript_id=file["transcript_id"], cue_index=0, start_ms=1, end_ms=900))
    assert lode("export", str(tmp_path / "lode.apkg")).code == 0


def test_what_cannot_be_followed_is_refused_with_the_next_step(lode: Lode, tmp_path: Path, programs: Programs) -> None:
    transcript = add_file(lode, tmp_path / "film.de.srt")["transcript_id"]
    film = tmp_path / "-film.mkv"
    refused = lode("follow", transcript[:6])
    assert (refused.code, refused.err) == (
        *(1, "error: film has no film or recording\nhint: name it: lode files link TRANSCRIPT FILM\n"),
    )
    lode("follow", transcript, "--", str(film)).check_refused("error: -film.mkv is not on this machine")
    film.touch()
    lode("follow", transcript, str(film)).check_refused("error: mpv was not found here\nhint: install mpv")
    programs.add("mpv")
    for given in ((str(film),), ("--socket", str(tmp_path / "mpv"))):
        lode("follow", transcript, *given).check_refused("the app needs a terminal")
    assert lode("follow", "nothing", str(film)).code == 1
    story = add_file(lode, tmp_path / "story.txt", "Der Zug kommt. Er fährt ab.", "--language", "de")
    lode("follow", story["transcript_id"], str(film)).check_refused("story has no times")
    assert not programs.told("mpv")


@pytest.mark.exhaustive
def test_the_speech_of_a_film_is_written_without_the_gaps(lode: Lode, tmp_path: Path) -> None:
    from tests.media.films import length

    transcript = add_file(lode, tmp_path / "film.de.srt", SRT)["transcript_id"]
    film = film_at(tmp_path / "film.mkv", 12, languages=("eng", "ger"))
    out = tmp_path / "speech.mp3"
    done = lode("audio", transcript[:6], str(out), "--media", str(film))
    assert (done.code, done.err) == (0, "")
    assert "0:03 of speech in 2 pieces" in done.out
    assert "track 2 (de)" in done.out
    assert length(out) == pytest.approx(3.3, abs=0.05)
    before = out.read_bytes()
    assert lode("audio", transcript, str(out), "--media", str(film)).code == 1  # it is there already
    told = json.loads(lode("audio", transcript, str(out), "--media", str(film), "--force", "--json").out)
    assert told["duration_ms"] == pytest.approx(3300, abs=20)
    assert (told["pieces"], told["size_bytes"], told["track"]["language"]) == (2, len(before), "de")


@pytest.mark.exhaustive
def test_speech_that_cannot_be_written_is_told(lode: Lode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = add_file(lode, tmp_path / "film.de.srt", SRT)["transcript_id"]
    story = add_file(lode, tmp_path / "story.txt", "Der Zug kommt. Er fährt ab.", "--language", "de")["transcript_id"]
    (tmp_path / "notes.mkv").write_text("no film")
    rest = (str(tmp_path / "speech.mp3"), "--media", str(tmp_path / "notes.mkv"))
    before = {*tmp_path.iterdir()}
    lode("audio", transcript, *rest).check_refused("notes.mkv is no film or recording")
    lode("audio", story, *rest).check_refused("has no times")
    monkeypatch.setattr(media_process, "__name__", "os")  # a process that does not do what it should
    assert "no process could be started" in lode("audio", transcript, *rest).err
    assert {*tmp_path.iterdir()} == before
