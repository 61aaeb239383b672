from __future__ import annotations

import os
from pathlib import Path

import pytest

from tui.errors import ImportRefused
from tui.importing.sources import find_files


@pytest.fixture
def films(tmp_path: Path) -> Path:
    folder = tmp_path / "films"
    for name in ("b.srt", "a.VTT", "c.txt", "notes.md", ".hidden.srt", "sub/d.ass", "sub/deep/e.ssa", ".git/f.srt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return folder


def names(folder: Path, *given: str | Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in find_files(given)]


def test_a_directory_gives_its_files_of_known_kinds_sorted(films: Path) -> None:
    assert names(films, films) == ["a.VTT", "b.srt", "c.txt", "sub/d.ass", "sub/deep/e.ssa"]


def test_a_named_file_may_end_in_anything(films: Path) -> None:
    assert names(films, films / "notes.md", str(films / ".hidden.srt")) == ["notes.md", ".hidden.srt"]


def test_patterns_are_expanded(films: Path) -> None:
    assert names(films, f"{films}/*.srt") == ["b.srt"]
    assert names(films, f"{films}/*") == ["a.VTT", "b.srt", "c.txt", "sub/d.ass", "sub/deep/e.ssa"]
    assert names(films, f"{films}/**/*.ss[ax]") == ["sub/deep/e.ssa"]
    assert names(films, f"{films}/**/deep/*") == ["sub/deep/e.ssa"]
    assert names(films, f"{films}/s*/**") == ["sub/d.ass", "sub/deep/e.ssa"]


def test_a_name_with_brackets_is_a_name_first(films: Path) -> None:
    (films / "[b].srt").write_text("x")
    assert names(films, films / "[b].srt") == ["[b].srt"]


def test_paths_are_absolute_and_relative_ones_are_read_from_here(films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(films)
    assert find_files(["b.srt", "**/d.*", "."])[:2] == (films / "b.srt", films / "sub/d.ass")


def test_home_is_understood(films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(films))
    assert names(films, "~/b.srt") == ["b.srt"]
    assert names(films, "~/*.txt") == ["c.txt"]
    with pytest.raises(ImportRefused):
        find_files(["~nobody-of-this-name/x.srt"])


def test_the_same_file_comes_once(films: Path) -> None:
    (films / "link.srt").symlink_to(films / "b.srt")
    assert names(films, films / "b.srt", f"{films}/*.srt", films, films / "sub" / ".." / "b.srt")[0] == "b.srt"
    assert len(names(films, films, films, films / "b.srt")) == 5


def test_circles_of_links_do_no_harm(films: Path) -> None:
    (films / "loop").symlink_to(films)
    (films / "sub" / "loop").symlink_to(films)
    (films / "self.srt").symlink_to(films / "self.srt")
    assert len(find_files([films])) == 5
    assert len(find_files([f"{films}/**/*.srt"])) == 1
    with pytest.raises(ImportRefused, match=r"self\.srt"):
        find_files([films / "self.srt"])


def test_a_missing_file_is_refused_with_the_nearest_name(films: Path) -> None:
    with pytest.raises(ImportRefused) as caught:
        find_files([films / "b.str"])
    assert caught.value.message == f"there is no file {films}/b.str"
    assert caught.value.hint == f"did you mean {films}/b.srt?"
    with pytest.raises(ImportRefused) as caught:
        find_files([films / "no" / "such.srt"])
    assert f"there is no directory {films}/no" in caught.value.hint


def test_one_missing_file_refuses_all(films: Path) -> None:
    with pytest.raises(ImportRefused):
        find_files([films / "b.srt", films / "zzz"])


@pytest.mark.parametrize("pattern", ["*.srx", "*.md", "**/*.mkv", "sub/deep/*.srt"])
def test_a_pattern_without_anything_to_import_is_refused(films: Path, pattern: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        find_files([f"{films}/{pattern}"])
    assert pattern in caught.value.message


def test_a_directory_without_anything_to_import_is_refused(films: Path) -> None:
    empty = films / "empty"
    empty.mkdir()
    (empty / "x.mkv").write_text("x")
    with pytest.raises(ImportRefused) as caught:
        find_files([empty])
    assert str(empty) in caught.value.message
    assert ".srt, .vtt, .ass, .ssa" in caught.value.message


def test_what_is_no_ordinary_file_is_refused(films: Path) -> None:
    os.mkfifo(films / "pipe.srt")
    with pytest.raises(ImportRefused, match="no ordinary file"):
        find_files([films / "pipe.srt"])
    with pytest.raises(ImportRefused, match="no ordinary file"):
        find_files(["/dev/null"])
    assert "pipe.srt" not in names(films, films)


@pytest.mark.parametrize("path", ["", "  ", "a\0b", "x" * 5000, "\x1b[31mred"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        find_files([path])
    assert "\x1b" not in caught.value.message
