"""Films and their subtitles are known by their names; without PyAV nothing is read of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tui.errors import MediaError
from tui.media.films import find_film, find_subtitles, make_subtitle_name, take_fingerprint

FOLDER = ("Dark 01.MKV", "Dark 01.de.srt", "Dark 01.de.forced.ASS", "Dark 1.de.srt", "Dark 02.mp4", "lied.mp3", "a.nfo")


def test_a_subtitle_has_the_name_of_its_film() -> None:
    films = {
        **dict.fromkeys(("Dark 01.srt", "dark 01.de.srt", "Dark 01.de.forced.srt"), "Dark 01.MKV"),
        "Dark 02.mp4.srt": "Dark 02.mp4",
        "Lied.lrc": "lied.mp3",
        **dict.fromkeys(("Dark 01.de.forced.cc.srt", "Dark 01.a whole sentence.srt", "Dark 011.srt", ".srt", "srt")),
    }
    assert {subtitle: find_film(subtitle, FOLDER) for subtitle in films} == films


def test_a_film_has_the_subtitles_of_its_name() -> None:
    assert find_subtitles("Dark 01.MKV", FOLDER, (".srt", ".ass")) == ["Dark 01.de.forced.ASS", "Dark 01.de.srt"]
    assert find_subtitles("Dark 02.mp4", FOLDER, (".srt", ".ass")) == []
    assert find_film("Film.srt", ("Film.mp3", "Film.mkv")) == "Film.mkv"
    assert make_subtitle_name("Dark 01.MKV", "de", 2) == "Dark 01.de.ass"
    assert make_subtitle_name("Dark 01.MKV", "", 2) == "Dark 01.track2.ass"


def test_a_film_is_known_by_its_parts_wherever_it_lies(tmp_path: Path) -> None:
    film = tmp_path / "film.mkv"
    film.write_bytes(bytes(3_000_000))
    first = take_fingerprint(film)
    moved = film.rename(tmp_path / "moved.mkv")
    os.utime(moved, (1, 1))
    assert take_fingerprint(moved).parts_sha256 == first.parts_sha256
    for place in (0, 1_500_000, 2_999_999):
        with moved.open("rb+") as file:
            file.seek(place)
            file.write(bytes((place % 250 + 1,)))
        assert take_fingerprint(moved).parts_sha256 != first.parts_sha256
        first = take_fingerprint(moved)
    assert take_fingerprint(moved, first) is first
    moved.write_bytes(b"")
    assert take_fingerprint(moved).size_bytes == 0


def test_what_is_no_file_has_no_fingerprint(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mkv")
    for path, code in ((tmp_path / "none.mkv", "media_missing"), (tmp_path / "pipe.mkv", "media_unreadable")):
        with pytest.raises(MediaError) as refused:
            take_fingerprint(path)
        assert refused.value.code == code


def test_without_pyav_everything_that_reads_a_film_names_what_is_missing(run_python: Callable[[str], str]) -> None:
    code = """
import sys
sys.modules["av"] = None  # as if it were not installed
from pathlib import Path
from tui.errors import MediaError
from tui.records.media import Span
from tui.media.container import probe, read_text_subtitles
from tui.media.cutting import cut
from tui.media.sound import measure_peaks, write_speech

film, span = Path(sys.executable), Span(0, 1000)
for read in (
    lambda: probe(film),
    lambda: list(cut(film, [span])),
    lambda: measure_peaks(film, span),
    lambda: list(read_text_subtitles(film)),
    lambda: list(write_speech(film, [span], Path("out.mp3"))),
):
    try:
        print(read())
    except MediaError as error:
        print(error.code)
"""
    assert run_python(code).split() == ["media_extra_missing"] * 5
