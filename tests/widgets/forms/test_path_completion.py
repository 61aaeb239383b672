"""Typed paths are taken apart as a shell does, and completed so that taking them apart gives the same path again."""

import shlex
from pathlib import Path

import pytest

from tui.errors import InvalidInput
from tui.widgets.forms import path_completion
from tui.widgets.forms.path_completion import complete, split_paths


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(place))
    return place


def test_paths_are_split_at_spaces_outside_of_quotes_and_a_tilde_becomes_the_home(here: Path) -> None:
    assert split_paths("a.srt 'b c.srt' d\\ e.srt \"f g\"") == ("a.srt", "b c.srt", "d e.srt", "f g")
    assert split_paths("~/films/*.srt") == (f"{here}/films/*.srt",)
    with pytest.raises(InvalidInput, match="left open") as caught:
        split_paths("'a b")
    assert caught.value.hint


def test_a_completed_name_is_read_back_as_that_name(here: Path) -> None:
    for name in (
        *("plain.srt", "with space.srt", "it's.srt", 'say "hi".srt', "$HOME.srt"),
        *("back\\slash.srt", "тест 日本.srt", "a;b&c.srt"),
    ):
        (here / name).write_text("x")
        for quote in ("", "'", '"'):
            typed = "first.srt " + quote
            found = complete(typed, len(typed))
            assert [match.path for match in found.matches] == [name]
            line = typed[: found.start] + found.quote_path(found.matches[0].path, whole=True)
            assert shlex.split(line) == ["first.srt", name], quote
        (here / name).unlink()


def test_a_name_with_wildcards_is_completed_as_a_name_where_there_is_one(here: Path) -> None:
    for name in ("film [1].srt", "film 1.srt", "star*.srt"):
        (here / name).write_text("x")
    found = complete("film\\ [", 7)
    assert ([match.path for match in found.matches], found.is_glob) == (["film [1].srt"], False)
    line = found.quote_path(found.matches[0].path, whole=True)
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


def test_what_cannot_be_read_has_no_matches_many_are_read_in_part(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for typed in ("nowhere/x", "~nobody-of-that-name/x", "a\x00b", "/etc/\x00"):
        assert complete(typed, len(typed)).matches == ()
    monkeypatch.setattr(path_completion, "MAX_MATCHES", 5)
    for number in range(20):
        (here / f"{number}.srt").write_text("x")
    assert len(complete("", 0).matches) == 5
