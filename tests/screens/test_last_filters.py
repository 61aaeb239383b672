"""The last filters of each list: kept for the next start, each once, and no more than are gone through."""

from pathlib import Path

import pytest

from tui.screens.last_filters import MAX_KEPT, LastFilters


def test_filters_are_kept_by_list_each_once_the_last_one_last(tmp_path: Path) -> None:
    filters = LastFilters(tmp_path)
    for q in ("zug", "lang:de", "zug", 'a "b" \udcff ✓'):
        filters.keep("clip", q)
    filters.keep("file", "srt")
    assert LastFilters(tmp_path).of("clip") == ["lang:de", "zug", 'a "b" \udcff ✓']
    assert filters.of("file") == ["srt"]
    assert filters.of("job") == []


def test_no_more_are_kept_than_somebody_goes_through(tmp_path: Path) -> None:
    filters = LastFilters(tmp_path)
    for number in range(MAX_KEPT + 5):
        filters.keep("clip", str(number))
    assert filters.of("clip") == [str(number) for number in range(5, MAX_KEPT + 5)]


@pytest.mark.parametrize(
    "written", ["", "[]", "{", '{"clip": 1}', '{"clip": [1, null, "zug"], "x": {}}', "[" * 100_000]
)
def test_a_file_that_says_something_else_is_passed_over(tmp_path: Path, written: str) -> None:
    (tmp_path / "filters.json").write_text(written)
    filters = LastFilters(tmp_path)
    assert [q for q in filters.of("clip") if q != "zug"] == []
    filters.keep("clip", "neu")
    assert filters.of("clip")[-1] == "neu"


def test_what_cannot_be_written_is_not_kept_and_nothing_breaks(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    filters = LastFilters(tmp_path / "home")
    filters.keep("clip", "zug")
    assert filters.of("clip") == []
    nowhere = LastFilters()
    nowhere.keep("clip", "zug")
    assert nowhere.of("clip") == []
