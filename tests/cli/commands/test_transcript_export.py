"""`lode transcripts export`: a file, standard output, a directory of files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import STORY, Lode, columns


@pytest.fixture
def shelf(lode: Lode, tmp_path: Path) -> dict[str, str]:
    """A film, another of the same title, and a text, by their kinds; gives their transcripts."""
    (tmp_path / "Der Zug.de.srt").write_text(STORY, "utf-8")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "Der Zug.de.srt").write_text(STORY.replace("Wir", "Sie"), "utf-8")
    (tmp_path / "Brief.de.txt").write_text("Ein Satz. Noch einer.", "utf-8")
    paths = [tmp_path / "Der Zug.de.srt", tmp_path / "two" / "Der Zug.de.srt", tmp_path / "Brief.de.txt"]
    return dict(zip(("film", "other", "text"), [columns(lode("add", str(path)))[0][4] for path in paths], strict=True))


def test_a_file_gets_the_format_of_its_ending(lode: Lode, shelf: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "out.vtt"
    done = lode("transcripts", "export", shelf["film"], str(target))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{target} (")
    assert target.read_text("utf-8").startswith("WEBVTT\nLanguage: de\n")


def test_a_file_that_is_there_needs_force(lode: Lode, shelf: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "out.srt"
    target.write_text("mine")
    refused = lode("transcripts", "export", shelf["film"], str(target))
    assert (refused.code, refused.out, target.read_text()) == (1, "", "mine")
    assert "exists already" in refused.err
    assert "--force" in refused.err
    assert lode("transcripts", "export", shelf["film"], str(target), "--force").code == 0
    assert "Der Zug fährt ab." in target.read_text("utf-8")


def test_standard_output_gets_exactly_the_file(lode: Lode, shelf: dict[str, str]) -> None:
    done = lode("transcripts", "export", shelf["film"], "-", "--format", "srt")
    assert (done.code, done.out.rstrip(), done.err) == (0, STORY.rstrip(), "")
    shown = lode("transcripts", "show", shelf["film"], "--json").json()
    assert json.loads(lode("transcripts", "export", shelf["film"], "-", "--format", "json").out) == shown


def test_standard_output_needs_a_format_and_takes_one(lode: Lode, shelf: dict[str, str]) -> None:
    assert lode("transcripts", "export", shelf["film"], "-").code == 2
    assert lode("transcripts", "export", shelf["film"], shelf["text"], "-", "--format", "txt").code == 2
    done = lode("transcripts", "export", shelf["film"], "-", "--format", "pdf")
    assert (done.code, done.out) == (1, "")
    assert "there are srt, vtt, txt, json" in done.err


def test_a_directory_gets_a_file_for_each_and_none_is_lost(lode: Lode, shelf: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    done = lode("transcripts", "export", *shelf.values(), str(out), "--json")
    assert done.code == 0
    assert [event["format"] for event in done.events()] == ["srt", "srt", "txt"]
    assert sorted(path.name for path in out.iterdir()) == ["Brief.de.txt", "Der Zug (2).de.srt", "Der Zug.de.srt"]
    assert "Sie fahren mit." in (out / "Der Zug (2).de.srt").read_text("utf-8")


def test_what_cannot_be_written_does_not_keep_back_the_others(
    lode: Lode, shelf: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    done = lode("transcripts", "export", shelf["text"], shelf["film"], f"{out}/", "--format", "srt")
    assert done.code == 1
    assert "without times" in done.err
    assert [path.name for path in out.iterdir()] == ["Der Zug.de.srt"]


def test_several_need_a_directory(lode: Lode, shelf: dict[str, str], tmp_path: Path) -> None:
    done = lode("transcripts", "export", *shelf.values(), str(tmp_path / "out.srt"))
    assert done.code == 2
    assert "name a directory" in done.err
