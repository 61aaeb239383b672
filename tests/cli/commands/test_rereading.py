"""`lode files reread`: what it prints, for people and programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import STORY, Lode, columns


@pytest.fixture
def film(lode: Lode, tmp_path: Path) -> str:
    """A film that was read in the wrong encoding and is no longer where it was; gives the file's id."""
    path = tmp_path / "Der Zug.de.srt"
    path.write_bytes(STORY.encode("cp1252"))
    done = lode("add", str(path), "--encoding", "cp437", "--force", "--json")
    path.unlink()
    file_id: str = done.events()[0]["file_id"]
    return file_id


def test_a_file_is_read_anew_and_that_can_be_undone(lode: Lode, film: str) -> None:
    done = lode("files", "reread", film, "--encoding", "windows-1252")
    assert done.code == 0
    ((state, title, cues, language, transcript),) = columns(done)
    assert (state, title, cues, language) == ("reread", "Der Zug", "2 cues", "de")
    assert "Der Zug fährt ab." in lode("transcripts", "show", transcript).out
    assert "as it was read before" in lode("undo").out
    assert "fährt" not in lode("transcripts", "show", transcript).out


def test_the_same_again_says_how_many_cues(lode: Lode, film: str) -> None:
    assert columns(lode("files", "reread", film))[0][0] == "same"
    assert "the same 2 cues" in lode("files", "reread", film, terminal=True).out
    (event,) = lode("files", "reread", film, "--as-is", "--json").events()
    assert (event["state"], event["file_id"], event["path"]) == ("same", film, f"kept:{film}/Der Zug.de.srt")
    assert lode("undo").code == 1


def test_a_refusal_says_why_and_an_unknown_file_is_none(lode: Lode, film: str) -> None:
    done = lode("files", "reread", film, "--encoding", "nonsense")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("refused  Der Zug.de.srt: ")
    assert lode("files", "reread", film, "nothere").code == 1
    assert lode("files", "reread").code == 2
