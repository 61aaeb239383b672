"""Plots of block characters: a curve over time, a calendar of days. Pure: texts with their heights and shades.

Drawn here and not by a library: plotext and textual-plotext have had no release since 2024, and what is wanted is two
shapes without axes, in the two greys and the accent of the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_SHADES = 4
DAYS_A_WEEK = 7
_LEAST = timedelta(weeks=4)
DAY = "■"
NO_DAY = "·"


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve as lines of text from the top down; ``first`` is the day at which it begins."""

    lines: tuple[str, ...]
    first: date


def curve(points: Sequence[tuple[date, int]], today: date, width: int, height: int) -> Curve | None:
    """Draw numbers that hold from their day to that of the next one, up to today; None where there are none.

    It begins with nothing, on the day before the first one, and shows some weeks at least.
    Columns go from nothing at the bottom to the highest number at the top, in eighths of a cell.
    """
    if not points or width < 1 or height < 1:
        return None
    last = max(today, points[-1][0])
    first = min(points[0][0] - timedelta(days=1), last - _LEAST)
    points = [(first, 0), *points]
    days = (last - first).days
    highest = max(number for _, number in points)
    heights = []
    at = 0
    for column in range(width):
        day = first + timedelta(days=round(days * column / max(width - 1, 1)))
        while at + 1 < len(points) and points[at + 1][0] <= day:
            at += 1
        heights.append(round(points[at][1] / highest * height * 8) if highest else 0)
    return Curve(columns(heights, height), first)


def columns(heights: Sequence[int], rows: int) -> tuple[str, ...]:
    """Draw columns of these heights, in eighths of a cell, as so many lines of text from the top down."""
    return tuple(
        "".join(_EIGHTHS[min(8, max(0, eighths - 8 * row))] for eighths in heights) for row in reversed(range(rows))
    )


@dataclass(frozen=True, slots=True)
class Calendar:
    """A calendar as columns of weeks, the last one that of today: for each weekday a shade from 0 (nothing) to 4.

    A day after today is None. ``months`` are names over the columns in which they begin.
    """

    weeks: tuple[tuple[int | None, ...], ...]
    months: tuple[tuple[int, str], ...]


def calendar(counts: Mapping[date, int], today: date, weeks: int) -> Calendar:
    """Lay out the last weeks; the shade of a day is its share of the busiest one among them."""
    monday = today - timedelta(days=today.weekday() + DAYS_A_WEEK * (weeks - 1))
    busiest = max((count for day, count in counts.items() if monday <= day <= today), default=0)
    columns, months = [], []
    for week in range(weeks):
        begin = monday + timedelta(weeks=week)
        days = [begin + timedelta(days=weekday) for weekday in range(DAYS_A_WEEK)]
        columns.append(tuple(None if day > today else _shade(counts.get(day, 0), busiest) for day in days))
        starting = next((day for day in days if day.day == 1), None)
        if starting is not None and starting <= today:
            months.append((week, starting.strftime("%b")))
    return Calendar(tuple(columns), tuple(months))


def _shade(count: int, busiest: int) -> int:
    return 0 if not count or not busiest else max(1, -(-_SHADES * count // busiest))
