"""Plots of block characters."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from rich.cells import cell_len

from tui.widgets.plots import calendar, curve

TODAY = date(2026, 11, 22)  # a Sunday


def test_a_curve_rises_from_nothing_to_its_highest_number_at_the_right() -> None:
    drawn = curve([(date(2026, 10, 23), 1), (date(2026, 11, 7), 50), (TODAY, 100)], TODAY, 3, 2)
    assert drawn is not None
    assert drawn[0] == ("  █", " ██")
    assert drawn[1] == date(2026, 10, 22)


def test_a_number_holds_until_today_and_some_weeks_are_shown() -> None:
    drawn = curve([(TODAY - timedelta(days=14), 8)], TODAY, 5, 1)
    assert drawn is not None
    assert drawn[0] == ("  ███",)


@pytest.mark.parametrize("points", [[], [(TODAY, 0)]])
def test_a_curve_of_nothing_is_drawn_as_nothing(points: list[tuple[date, int]]) -> None:
    drawn = curve(points, TODAY, 10, 2)
    assert drawn is None or not "".join(drawn[0]).strip()


@pytest.mark.parametrize("width", [1, 2, 7, 60])
def test_a_curve_has_just_its_cells(width: int) -> None:
    drawn = curve([(TODAY - timedelta(days=day), day + 1) for day in range(400, -1, -1)], TODAY, width, 6)
    assert drawn is not None
    assert [cell_len(line) for line in drawn[0]] == [width] * 6


def test_a_calendar_ends_with_today_and_shades_days_by_the_busiest() -> None:
    friday = date(2026, 11, 20)
    counts = {friday: 8, friday - timedelta(days=1): 1, friday - timedelta(weeks=1): 4, date(2020, 1, 1): 900}
    columns, _ = calendar(counts, date(2026, 11, 21), 3)
    assert columns == [(0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 2, 0, 0), (0, 0, 0, 1, 4, 0, None)]


def test_a_calendar_names_the_months_where_they_begin() -> None:
    assert [name for _, name in calendar({}, TODAY, 10)[1]] == ["Oct", "Nov"]
