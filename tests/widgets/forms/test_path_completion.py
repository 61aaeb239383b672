"""Typed paths are taken apart as a shell does, and completed so that taking them apart gives the same path again."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tui.errors import InvalidInput
from tui.widgets.forms import path_completion
from tui.widgets.forms.path_completion import complete, split_paths

AWKWARD = [
    "plain.srt",
    "with space.srt",
    "it's.srt",
    'say "hi".srt',
    "$HOME.srt",
    "back\\slash.srt",
    "тест 日本.srt",
    "a;b&c.srt",
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(place))
    return place


def test_paths_are_split_at_spaces_outside_of_quotes() -> None:
    assert split_paths("a.srt 'b c.srt' d\\ e.srt \"f g\"") == ("a.srt", "b c.srt", "d e.srt", "f g")


def test_a_tilde_becomes_the_home_and_a_wildcard_stays(here: Path) -> None:
    assert split_paths("~/films/*.srt") == (f"{here}/films/*.srt",)


def test_an_open_quote_is_an_error_with_a_next_step() -> None:
    with pytest.raises(InvalidInput, match="left open") as caught:
        split_paths("'a b")
    assert caught.value.hint


@pytest.mark.parametrize("quote", ["", "'", '"'])
@pytest.mark.parametrize("name", AWKWARD)
def test_a_completed_name_is_read_back_as_that_name(here: Path, name: str, quote: str) -> None:
    (here / name).write_text("x")
    typed = "first.srt " + quote
    found = complete(typed, len(typed))
    assert [match.path for match in found.matches] == [name]
    line = typed[: found.start] + found.write(found.matches[0].path, whole=True)
    assert shlex.split(line) == ["first.srt", name]


def test_a_name_with_wildcards_is_completed_as_a_name_where_there_is_one(here: Path) -> None:
    for name in ("film [1].srt", "film 1.srt", "star*.srt"):
        (here / name).write_text("x")
    found = complete("film\\ [", 7)
    assert ([match.path for match in found.matches], found.is_glob) == (["film [1].srt"], False)
    line = found.write(found.matches[0].path, whole=True)
    assert split_paths(line) == ("film [1].srt",)
    found = complete("film*", 5)
    assert ([match.path for match in found.matches], found.is_glob) == (["film 1.srt", "film [1].srt"], True)


def test_completion_looks_at_the_word_before_the_cursor_only(here: Path) -> None:
    (here / "one.srt").write_text("x")
    found = complete("on two", 2)
    assert (found.start, found.end, [match.name for match in found.matches]) == (0, 2, ["one.srt"])


def test_what_all_matches_share_is_known(here: Path) -> None:
    for name in ("season 1", "season 2"):
        (here / name).mkdir()
    assert complete("se", 2).common == "season "


@pytest.mark.parametrize("typed", ["nowhere/x", "~nobody-of-that-name/x", "a\x00b", "/etc/\x00"])
def test_what_cannot_be_read_has_no_matches(typed: str) -> None:
    assert complete(typed, len(typed)).matches == ()


def test_a_folder_with_very_many_names_is_read_in_part(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_completion, "MAX_MATCHES", 5)
    for number in range(20):
        (here / f"{number}.srt").write_text("x")
    assert len(complete("", 0).matches) == 5
