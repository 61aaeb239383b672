"""`lode transcripts edit`: title, language and encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import STORY, Lode, columns


@pytest.fixture
def transcript(lode: Lode, tmp_path: Path) -> str:
    """A transcript that was read in the wrong encoding."""
    path = tmp_path / "Der Zug.de.srt"
    path.write_bytes(STORY.encode("cp1252"))
    return columns(lode("add", str(path), "--encoding", "cp437", "--force"))[0][4]


def test_title_and_language_are_edited_and_undone(lode: Lode, transcript: str) -> None:
    done = lode("transcripts", "edit", transcript, "--title", "Die Fahrt", "--language", "nl")
    assert (done.code, done.out, done.err) == (0, "Die Fahrt · nl\n", "")
    assert "as it was before it was edited" in lode("undo").out
    shown = lode("transcripts", "edit", transcript, "--language", "", "--json").json()
    assert (shown["title"], shown["language"]) == ("Der Zug", None)


def test_another_encoding_reads_the_file_anew(lode: Lode, transcript: str) -> None:
    done = lode("transcripts", "edit", transcript, "--title", "Die Fahrt", "--encoding", "windows-1252")
    assert done.code == 0
    assert columns(done)[0][:3] == ["reread", "Die Fahrt", "2 cues"]
    assert "Der Zug fährt ab." in lode("transcripts", "show", transcript).out


def test_what_cannot_be_is_said(lode: Lode, transcript: str) -> None:
    assert lode("transcripts", "edit", transcript).code == 2
    for wrong in (("--language", "no tag"), ("--title", " "), ("--encoding", "nonsense")):
        done = lode("transcripts", "edit", transcript, *wrong)
        assert (done.code, done.out) == (1, ""), wrong
        assert "hint: " in done.err
    file = lode("transcripts", "show", transcript, "--json").json()["file_id"]
    assert lode("files", "delete", file, "--yes").code == 0
    done = lode("transcripts", "edit", transcript, "--encoding", "windows-1252")
    assert done.code == 1
    assert "was deleted" in done.err
