"""Files and transcripts that go by a title or a path wherever a command wants an id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import STORY, Lode
from tests.media.films import make_film


def _add(lode: Lode, path: Path, *, text: str = STORY, language: str = "de") -> Any:
    """Add a subtitle; gives its transcript, as JSON."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    assert lode("add", str(path), "--language", language).code == 0
    return lode("transcripts", "list", "--json").json()[0]


def _shown(lode: Lode, name: str) -> str:
    return str(lode("transcripts", "show", name, "--json").json()["id"])


def test_a_title_goes_for_an_id_whole_or_its_beginning_in_any_case(lode: Lode, tmp_path: Path) -> None:
    moving = _add(lode, tmp_path / "Der Umzug.srt")["id"]
    back = _add(lode, tmp_path / "Der Umzug zurück.srt", text=STORY.replace("Zug", "Bus"))["id"]
    assert _shown(lode, "der umzug") == moving  # the whole title comes before beginnings
    assert _shown(lode, "DER UMZUG Z") == back
    assert _shown(lode, "Der Umzug zuru\u0308ck") == back  # as a disk of another system composes it
    assert _shown(lode, "Der Umzug.srt") == moving
    assert _shown(lode, back[:5]) == back
    several = lode("transcripts", "show", "Der U")
    assert several.code == 1
    assert several.err == (
        "error: 'Der U' stands for more than one transcript\n"
        f'hint: give the id: {back} "Der Umzug zurück" (de), {moving} "Der Umzug" (de)\n'
    )
    assert "there is no transcript 'Umzug'" in lode("transcripts", "show", "Umzug").err
    for nothing in ("", " ", "/", "\udcff", "x" * 5000):
        assert lode("transcripts", "show", nothing).code == 1


def test_an_id_comes_before_a_title(lode: Lode, tmp_path: Path) -> None:
    one = _add(lode, tmp_path / "one.srt")["id"]
    other = _add(lode, tmp_path / "other.srt", text=STORY.replace("Zug", "Bus"))["id"]
    assert lode("transcripts", "edit", other, "--title", one).code == 0
    assert _shown(lode, one) == one


def test_an_episode_goes_by_its_title_behind_the_series_as_the_list_shows_it(lode: Lode, tmp_path: Path) -> None:
    _add(lode, tmp_path / "Dark.S01E01.srt")
    episode = _add(lode, tmp_path / "Dark.S01E02.srt", text=STORY.replace("Zug", "Bus"))["id"]
    listed = lode("transcripts", "list", terminal=True).out.splitlines()[1]
    (title,) = [part for part in listed.split("  ") if "Dark" in part]
    assert _shown(lode, title.strip()) == episode


def test_a_film_goes_for_its_transcript_by_its_path_however_that_is_typed(
    lode: Lode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = _add(lode, tmp_path / "text.srt")["id"]
    film = make_film(tmp_path / "film.mkv", 5)
    assert lode("files", "link", "text.srt", str(film)).code == 0
    assert _shown(lode, str(film)) == transcript
    assert lode("files", "show", str(film), "--json").json()["transcript_id"] == transcript
    assert lode("transcripts", "show", "film.mkv").code == 1
    monkeypatch.chdir(tmp_path)
    assert _shown(lode, "film.mkv") == transcript
    assert _shown(lode, "./film.mkv") == transcript
    assert "the app needs a terminal" in lode("follow", "film.mkv", "--socket", "mpv").err
    written = lode("audio", "film.mkv", "speech.mp3", "--json").json()
    assert Path(written["path"]).exists()
    assert lode("files", "unlink", "film.mkv").out == f"{film} is linked no more\n"
    assert lode("transcripts", "show", "film.mkv").code == 1


def test_a_file_goes_by_its_name_and_by_a_path_that_ends_in_it(lode: Lode, tmp_path: Path) -> None:
    transcript = _add(lode, tmp_path / "story.de.srt")
    assert lode("transcripts", "edit", "story", "--title", "Anders").code == 0
    path = tmp_path / "gone" / "Story.DE.srt"
    assert _shown(lode, str(path)) == transcript["id"]
    assert lode("files", "show", str(path), "--json").json()["id"] == transcript["file_id"]
    assert lode("files", "show", "story", "--json").json()["id"] == transcript["file_id"]
    assert lode("files", "reread", str(path), "--json").code == 0
    asked = lode("files", "delete", "story.de.srt", stdin="y\n", terminal=True)
    assert "Delete 1 file and 2 jobs?" in asked.err
    assert lode("files", "list", "--json").json() == []
    assert _shown(lode, "anders") == transcript["id"]


def test_every_other_command_takes_a_title_too(lode: Lode, tmp_path: Path) -> None:
    story = _add(lode, tmp_path / "Der Zug.srt")["id"]
    track = _add(lode, tmp_path / "The train.srt", text=STORY.replace("Der Zug fährt ab", "The train leaves"))["id"]
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
