"""Refused files on the command line: the likeliest encodings with a line of each, and one picked for the directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Lode

CUE = "1\n00:00:01,000 --> 00:00:02,500\n{}\n"


@pytest.fixture
def job(lode: Lode, tmp_path: Path) -> str:
    """The id of one of two refused imports of a directory."""
    for name, line in (("a.ru.srt", "Синий лес"), ("b.ru.srt", "Слева дом.")):
        (tmp_path / name).write_bytes(CUE.format(line).encode("cp1251"))
    done = lode("add", str(tmp_path))
    assert done.code == 1
    assert (
        'hint: it may be windows-1251: "Синий лес" or iso-8859-5: "бшэшщ ыхё"; add it with --encoding windows-1251'
    ) in done.err
    ids: list[str] = [each["id"] for each in lode("jobs", "list", "--json").json()]
    return ids[0]


def test_the_readings_of_a_refused_file_are_listed(lode: Lode, job: str) -> None:
    rows = [line.split("\t") for line in lode("jobs", "readings", job).out.splitlines()]
    assert rows[0][0] == "windows-1251"
    assert ["iso-8859-5", "быхтр фюь."] in rows or ["iso-8859-5", "бшэшщ ыхё"] in rows
    first, *_ = lode("jobs", "readings", job, "--json").events()
    assert first["encoding"] == "windows-1251"
    assert lode("jobs", "readings", "nothere").code == 1


def test_an_encoding_holds_for_the_refused_files_beside_it(lode: Lode, job: str) -> None:
    done = lode("jobs", "retry", job, "--encoding", "windows-1251")
    assert done.code == 0, done.err
    assert sorted(line.split("\t")[0] for line in done.out.splitlines()) == ["added", "added"]
    assert lode("jobs", "retry", job, "--encoding", "nonsense").code == 1


def test_mojibake_is_said_with_what_mends_it(lode: Lode, tmp_path: Path) -> None:
    film = tmp_path / "film.de.srt"
    film.write_bytes(CUE.format("Schöne Grüße aus Köln.").encode().decode("cp1252").encode())
    said = lode("add", str(film), terminal=True).out
    assert "its letters look wrong: lode files reread" in said
    (file,) = lode("files", "list", "--json").json()
    assert lode("files", "reread", file["id"], "--encoding", "mojibake-cp1252").code == 0
    assert "Schöne Grüße" in lode("transcripts", "show", file["transcript_id"]).out
