from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tui.errors import ImportRefused
from tui.importing import sources
from tui.importing.sources import find_files


@pytest.fixture
def films(tmp_path: Path) -> Path:
    folder = tmp_path / "films"
    for name in ("b.srt", "a.VTT", "c.txt", "notes.log", ".hidden.srt", "sub/d.ass", "sub/deep/e.ssa", ".git/f.srt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return folder


def names(folder: Path, *given: str | Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in find_files(given)]


def test_a_directory_gives_its_files_of_known_kinds_sorted(films: Path) -> None:
    assert names(films, films) == ["a.VTT", "b.srt", "c.txt", "sub/d.ass", "sub/deep/e.ssa"]


def test_texts_that_are_not_read_are_not_passed_over(films: Path) -> None:
    for name in ("book.PDF", "old.doc", "sub/season.rar", "cover.jpg", "film.mkv"):
        (films / name).write_bytes(b"x")
    assert len(names(films, films)) == 8 and {"book.PDF", "old.doc", "sub/season.rar"} < {*names(films, films)}


def test_a_named_file_may_end_in_anything(films: Path) -> None:
    assert names(films, films / "notes.log", str(films / ".hidden.srt")) == ["notes.log", ".hidden.srt"]


def test_patterns_are_expanded(films: Path) -> None:
    assert names(films, f"{films}/*.srt") == ["b.srt"]
    assert names(films, f"{films}/*") == ["a.VTT", "b.srt", "c.txt", "sub/d.ass", "sub/deep/e.ssa"]
    assert names(films, f"{films}/**/*.ss[ax]") == ["sub/deep/e.ssa"]
    assert names(films, f"{films}/**/deep/*") == ["sub/deep/e.ssa"]
    assert names(films, f"{films}/s*/**") == ["sub/d.ass", "sub/deep/e.ssa"]


def test_a_name_with_brackets_is_a_name_first(films: Path) -> None:
    (films / "[b].srt").write_text("x")
    assert names(films, films / "[b].srt") == ["[b].srt"]
    (films / "season [1]").mkdir()
    (films / "season 1").mkdir()
    for folder in ("season [1]", "season 1"):
        (films / folder / "x.srt").write_text("x")
    for pattern in ("season [1]/*.srt", "season [1]/**/*.srt", "**/season [1]/x.srt"):
        assert names(films, f"{films}/{pattern}") == ["season [1]/x.srt"], "each part of a pattern as well"
    assert names(films, f"{films}/season [0-9]/*.srt") == ["season 1/x.srt"]


def test_a_link_that_leads_nowhere_is_named_as_such(films: Path) -> None:
    (films / "gone.srt").symlink_to("nowhere.srt")
    (films / "link to gone.srt").symlink_to("gone.srt")
    for given in ("gone.srt", "link to gone.srt", "*gone.srt"):
        with pytest.raises(ImportRefused, match=r"gone\.srt is a link to .*nowhere\.srt, which does not exist$"):
            find_files([films / given])
    assert "b.srt" in names(films, f"{films}/*"), "it keeps nothing else back"


def test_a_search_says_where_it_is_and_what_it_is_told_raises_ends_it(films: Path) -> None:
    seen: list[Path] = []
    find_files([films, f"{films}/*.srt"], seen.append)
    assert seen == [films, films / "sub", films / "sub/deep", films]

    def stop(folder: Path) -> None:
        raise InterruptedError

    for pattern in ("**/*.xyz", "*.xyz", "sub"):
        with pytest.raises(InterruptedError):
            find_files([films / pattern], stop)


async def test_a_search_that_nobody_waits_for_any_more_ends(films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_SILENT_SECONDS", 0.0)
    told: list[str] = []
    assert await sources.find([f"{films}/**/*.srt"], told.append) == (films / "b.srt",)
    await asyncio.sleep(0)  # what the thread told comes by the loop
    looked, goes_on, ended = threading.Event(), threading.Event(), threading.Event()
    walk = os.walk

    def slowly(*place: Any, **how: Any) -> Iterator[object]:
        try:
            for step in walk(*place, **how):
                looked.set()
                assert goes_on.wait(30)
                yield step
        finally:
            ended.set()

    monkeypatch.setattr(os, "walk", slowly)
    searching = asyncio.ensure_future(sources.find([films]))
    assert await asyncio.to_thread(looked.wait, 30)
    searching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await searching  # although the thread is held
    goes_on.set()
    assert await asyncio.to_thread(ended.wait, 30)


def test_paths_are_absolute_and_home_is_understood(films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(films)
    assert find_files(["b.srt", "**/d.*", "."])[:2] == (films / "b.srt", films / "sub/d.ass")
    monkeypatch.setenv("HOME", str(films))
    assert names(films, "~/b.srt", "~/*.txt") == ["b.srt", "c.txt"]
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


def test_what_is_missing_or_has_nothing_to_import_refuses_all(films: Path) -> None:
    (films / "empty").mkdir()
    (films / "empty/x.mkv").write_text("x")
    for given, message, hint in (
        ("b.str", "there is no file {}", "did you mean {}/b.srt?"),
        ("no/such.srt", "there is no file {}", "there is no directory {}/no"),
        ("*.srx", "nothing matches {}", "check the pattern"),
        ("*.log", "what matches {} holds no subtitles", ""),
        ("sub/deep/*.srt", "nothing matches {}", ""),
        ("empty", "the directory {} holds no subtitles (.srt, .vtt, .ass, .ssa)", "name its files"),
    ):
        with pytest.raises(ImportRefused) as caught:
            find_files([films / "b.srt", films / given])
        assert message.format(films / given) in caught.value.message
        assert hint.format(films) in caught.value.hint


def test_what_is_no_ordinary_file_is_refused(films: Path) -> None:
    os.mkfifo(films / "pipe.srt")
    with pytest.raises(ImportRefused, match="no ordinary file"):
        find_files([films / "pipe.srt"])
    with pytest.raises(ImportRefused, match="no ordinary file"):
        find_files(["/dev/null"])
    assert "pipe.srt" not in names(films, films)


def test_what_is_no_path_is_refused() -> None:
    for path in ("", "  ", "a\0b", "x" * 5000, "\x1b[31mred"):
        with pytest.raises(ImportRefused) as caught:
            find_files([path])
        assert "\x1b" not in caught.value.message
