"""``lode audio``: the speech of a film by the times of a transcript."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Lode
from tests.media.films import length, make_film
from tui.service.media import media_process

pytestmark = pytest.mark.exhaustive

SRT = "1\n00:00:01,000 --> 00:00:02,000\nDer Zug kommt.\n\n2\n00:00:08,000 --> 00:00:09,000\nEr fährt ab.\n"


@pytest.fixture
def transcript(lode: Lode, tmp_path: Path) -> str:
    (tmp_path / "film.de.srt").write_text(SRT, "utf-8")
    assert lode("add", str(tmp_path / "film.de.srt")).code == 0
    return str(json.loads(lode("transcripts", "list", "--json").out)[0]["id"])


def test_the_speech_is_written_without_the_gaps(lode: Lode, tmp_path: Path, transcript: str) -> None:
    film = make_film(tmp_path / "film.mkv", 12, languages=("eng", "ger"))
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
    assert (told["pieces"], told["size_bytes"]) == (2, len(before))
    assert told["track"]["language"] == "de"


def test_what_cannot_be_written_is_told_and_leaves_nothing(
    lode: Lode, tmp_path: Path, transcript: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.mkv").write_text("no film")
    out = tmp_path / "speech.mp3"
    refused = lode("audio", transcript, str(out), "--media", str(tmp_path / "notes.mkv"))
    assert (refused.code, "notes.mkv is no film or recording" in refused.err) == (1, True)
    (tmp_path / "story.txt").write_text("Der Zug kommt. Er fährt ab.", "utf-8")
    lode("add", str(tmp_path / "story.txt"), "--language", "de")
    story = json.loads(lode("transcripts", "list", "--search", "story", "--json").out)[0]["id"]
    refused = lode("audio", story, str(out), "--media", str(tmp_path / "notes.mkv"))
    assert (refused.code, "has no times" in refused.err) == (1, True)
    monkeypatch.setattr(media_process, "__name__", "os")  # a process that does not do what it should
    refused = lode("audio", transcript, str(out), "--media", str(tmp_path / "notes.mkv"))
    assert (refused.code, "no process could be started" in refused.err) == (1, True)
    assert not out.exists()
    assert {path.suffix for path in tmp_path.iterdir() if path.is_file()} == {".srt", ".mkv", ".txt"}
    assert not list(tmp_path.glob("*lode*"))
