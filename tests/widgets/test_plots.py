"""Plots of block characters."""

from datetime import date, timedelta
from itertools import product

from rich.cells import cell_len

from tui.records.media import Span
from tui.widgets.plots import Neighbours, Peaks, calendar, chosen_columns, curve, time_line, waveform

TODAY = date(2026, 11, 22)  # a Sunday


def test_a_curve_rises_from_nothing_to_its_highest_number_at_the_right() -> None:
    drawn = curve([(date(2026, 10, 23), 1), (date(2026, 11, 7), 50), (TODAY, 100)], TODAY, 3, 2)
    assert drawn is not None
    assert drawn[0] == ("  █", " ██")
    assert drawn[1] == date(2026, 10, 22)


def test_a_number_holds_until_today_and_some_weeks_are_shown() -> None:
    drawn = curve([(TODAY - timedelta(days=14), 8)], TODAY, 5, 1)
    assert drawn is not None and drawn[0] == ("  ███",)


def test_a_curve_has_just_its_cells_and_of_nothing_none_is_drawn() -> None:
    for points in ([], [(TODAY, 0)]):
        drawn = curve(points, TODAY, 10, 2)
        assert drawn is None or not "".join(drawn[0]).strip()
    for width in (1, 2, 7, 60):
        drawn = curve([(TODAY - timedelta(days=day), day + 1) for day in range(400, -1, -1)], TODAY, width, 6)
        assert drawn is not None and [cell_len(line) for line in drawn[0]] == [width] * 6


def test_a_calendar_ends_with_today_and_shades_days_by_the_busiest() -> None:
    friday = date(2026, 11, 20)
    counts = {friday: 8, friday - timedelta(days=1): 1, friday - timedelta(weeks=1): 4, date(2020, 1, 1): 900}
    columns, _ = calendar(counts, date(2026, 11, 21), 3)
    assert columns == [(0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 2, 0, 0), (0, 0, 0, 1, 4, 0, None)]


def test_a_calendar_names_the_months_where_they_begin() -> None:
    assert [name for _, name in calendar({}, TODAY, 10)[1]] == ["Oct", "Nov"]


# Waveforms, and the line of time below them.

WINDOW = Span(1000, 3000)


def test_the_loudest_moment_of_each_column_is_drawn_relative_to_the_loudest_of_all() -> None:
    peaks = Peaks(1000, bytes(24) + b"\x40" + bytes(25) + b"\x80" * 25 + b"\x10" * 25)
    assert waveform(peaks, WINDOW, 4, 2) == ("  █ ", "█ █▂")


def test_what_is_not_known_yet_or_lies_behind_the_end_of_the_film_stays_free() -> None:
    assert waveform(Peaks(2000, b"\xff" * 25), WINDOW, 8, 1) == ("    ██  ",)
    assert waveform(Peaks(0, b"\xff" * 75), WINDOW, 4, 1) == ("█   ",)
    assert waveform(Peaks(), WINDOW, 3, 2) == ("   ", "   ")


def test_noise_alone_is_not_drawn_as_speech() -> None:
    assert waveform(Peaks(1000, b"\x03" * 100), WINDOW, 2, 1) == ("▁▁",)


def test_every_line_has_just_its_cells() -> None:
    spans = (Span(1500, 2500), Span(0, 9000), Span(2900, 1200), Span(2999, 3000))
    for width, span in product((1, 2, 7, 60, 300), spans):
        line = time_line(span, WINDOW, width, Neighbours(2, 2))
        lines = [*waveform(Peaks(900, b"\x55" * 200), WINDOW, width, 3), line]
        assert [len(line) for line in lines] == [width] * 4
        first, last = chosen_columns(span, WINDOW, width)
        assert 0 <= first <= last < width


def test_the_line_of_time_has_the_span_and_the_cues_beside_it() -> None:
    for span, neighbours, line in (
        (Span(1500, 2500), Neighbours(), "     ┗━━━━━━━━┛     "),
        (Span(1500, 2500), Neighbours(1300, 2800), "──┤  ┗━━━━━━━━┛   ├─"),
        (Span(1500, 2500), Neighbours(900, 3000), "     ┗━━━━━━━━┛     "),
        (Span(1500, 2500), Neighbours(2000, 2000), "────┤┗━━━━━━━━┛├────"),
        (Span(1500, 1550), Neighbours(1100, None), "┤    ┃              "),
        (Span(1000, 3000), Neighbours(1200, 2800), "┗━━━━━━━━━━━━━━━━━━┛"),
    ):
        assert time_line(span, WINDOW, 20, neighbours) == line
