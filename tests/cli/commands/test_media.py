"""``lode files link`` and ``unlink``, and what an export says of films that are gone."""

from __future__ import annotations

import os
from pathlib import Path

from tests.cli.conftest import Lode
from tests.media.films import make_film
from tui.records.clips import NewClip
from tui.store import Store

SRT = "1\n00:00:01,000 --> 00:00:02,000\nDer Zug kommt heute wieder viel zu spät an.\n"


def test_a_film_is_linked_its_clips_get_their_sound_and_one_that_is_gone_is_told(
    lode: Lode, store: Store, tmp_path: Path
) -> None:
    subtitle = tmp_path / "zug.de.srt"
    subtitle.write_text(SRT, "utf-8")
    lode("add", str(subtitle))
    (file,) = lode("files", "list", "--json").json()
    transcript = file["transcript_id"]
    clip = store.clips.add(
        "default", NewClip("Der Zug kommt.", transcript_id=transcript, cue_index=0, start_ms=1000, end_ms=2000)
    )
    film = make_film(tmp_path / "film.mkv", 3, languages=("de", "en"))
    linked = lode("files", "link", file["id"][:6], str(film))
    assert linked.code == 0
    assert linked.out.startswith(f"{film}: linked to 1 transcript · 0:03 · track 1 de, track 2 en · 64×48\n")
    assert "1 clip with sound and picture" in linked.out
    assert store.clips.get("default", clip.id).audio
    film.rename(tmp_path / "gone.mkv")
    store.clips.add("default", NewClip("Er.", transcript_id=transcript, start_ms=500, end_ms=900))
    told = lode("export", str(tmp_path / "lode.apkg"))
    assert (told.code, told.out[:4]) == (0, "Lode")
    assert "warning: 1 clip without sound and picture: film.mkv is not where it was" in told.err
    unlinked = lode("files", "unlink", transcript)
    assert unlinked.out == f"{film} is linked no more\n"
    assert lode("files", "unlink", transcript).err == "there was no film\n"
    assert lode("files", "unlink", transcript, "--json").json() == []


def test_what_is_no_film_is_refused(lode: Lode, tmp_path: Path) -> None:
    subtitle = tmp_path / "zug.de.srt"
    subtitle.write_text(SRT, "utf-8")
    lode("add", str(subtitle))
    (file,) = lode("files", "list", "--json").json()
    refused = lode("files", "link", file["id"], str(subtitle))
    assert refused.code == 1
    assert "zug.de.srt is no film or recording that can be read" in refused.err


def test_a_pipe_with_the_name_of_a_film_holds_nothing(lode: Lode, store: Store, tmp_path: Path) -> None:
    subtitle, pipe = tmp_path / "zug.de.srt", tmp_path / "zug.mp4"
    subtitle.write_text(SRT, "utf-8")
    os.mkfifo(pipe)
    assert lode("add", str(tmp_path)).code == 0
    (file,) = lode("files", "list", "--json").json()
    assert "zug.mp4 is no ordinary file" in lode("add", str(pipe)).err
    assert "it is a pipe, not a file" in lode("files", "link", file["id"], str(pipe)).err
    store.clips.add("default", NewClip("Er.", transcript_id=file["transcript_id"], cue_index=0, start_ms=1, end_ms=900))
    assert lode("export", str(tmp_path / "lode.apkg")).code == 0
