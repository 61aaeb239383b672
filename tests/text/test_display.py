"""Ages, times, sizes and progress as they are written for people."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rich.cells import cell_len

from tui.text import display

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("2026-03-01T11:59:30.000Z", "now"),
        ("2026-03-01T11:57:00.000Z", "3 min"),
        ("2026-03-01T11:00:01.000Z", "59 min"),
        ("2026-03-01T07:00:00.000Z", "5 h"),
        ("2026-02-27T11:00:00.000Z", "2 d"),
        ("2026-02-01T12:00:00.000Z", "4 wk"),
        ("2025-11-01T12:00:00.000Z", "4 mo"),
        ("2023-01-01T12:00:00.000Z", "3 y"),
        ("2026-03-01T12:30:00.000Z", "now"),
        ("2026-03-01T11:57:00", "3 min"),
        ("", ""),
        ("yesterday", ""),
    ],
)
def test_an_age_is_one_number_and_a_unit(moment: str, said: str) -> None:
    assert display.age(moment, NOW) == said


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [
        (None, ""),
        (0, "0:00"),
        (-5, "0:00"),
        (888_000, "14:48"),
        (59_999, "0:59"),
        (3_723_000, "1:02:03"),
        (3_600_000, "1:00:00"),
        (360_000_000, "100:00:00"),
    ],
)
def test_a_place_and_a_length_read_like_a_clock(milliseconds: int | None, said: str) -> None:
    assert display.clock(milliseconds) == said


@pytest.mark.parametrize(
    ("milliseconds", "said"), [(0, "0:00.0"), (-50, "0:00.0"), (59_999, "0:59.9"), (3_723_450, "1:02:03.4")]
)
def test_where_a_second_is_too_long_a_place_has_tenths(milliseconds: int, said: str) -> None:
    assert display.clock_with_tenths(milliseconds) == said


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (12_345, "12.3 kB"),
        (999_960, "1.0 MB"),
        (4_000_000_000, "4.0 GB"),
        (5 * 10**16, "50000.0 TB"),
    ],
)
def test_a_size_has_one_decimal_and_a_unit(count: int, said: str) -> None:
    assert display.size(count) == said


@pytest.mark.parametrize("progress", [-1.0, 0.0, 0.05, 0.5, 0.999, 1.0, 7.0])
def test_a_bar_is_always_as_wide_as_asked(progress: float) -> None:
    assert cell_len(display.bar(progress, 10)) == 10


def test_a_bar_grows_in_eighths_of_a_cell() -> None:
    assert display.bar(0.5, 4) == "██  "
    assert display.bar(0.53125, 4) == "██▏ "
    assert display.bar(1.0, 4) == "████"


@pytest.mark.parametrize(
    ("source", "name"),
    [("/films/Der Zug.srt", "Der Zug.srt"), ("sample:el-faro.srt", "el-faro.srt"), (r"C:\a.srt", "a.srt"), ("", "")],
)
def test_a_source_is_shown_by_its_files_name(source: str, name: str) -> None:
    assert display.source_name(source) == name


def test_counts_say_their_noun_in_the_right_number() -> None:
    assert display.count_of(1, "clip") == "1 clip"
    assert display.count_of(0, "clip") == "0 clips"
    assert display.count_of(12_345, "clip") == "12\u00a0345 clips"


def test_a_language_without_a_name_is_shown_by_its_code_on_one_line() -> None:
    assert display.language("de") == "German"
    assert display.language(None) == ""
    assert display.language("\x1b[31mx\ny") == "x y"
