"""Waveform of block characters, and the line of time below it."""

from __future__ import annotations

import pytest

from tui.records.media import Span
from tui.widgets.plots import Neighbours, Peaks, chosen_columns, time_line, waveform

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


@pytest.mark.parametrize("width", [1, 2, 7, 60, 300])
@pytest.mark.parametrize("span", [Span(1500, 2500), Span(0, 9000), Span(2900, 1200), Span(2999, 3000)])
def test_every_line_has_just_its_cells(width: int, span: Span) -> None:
    lines = [*waveform(Peaks(900, b"\x55" * 200), WINDOW, width, 3), time_line(span, WINDOW, width, Neighbours(2, 2))]
    assert [len(line) for line in lines] == [width] * 4
    first, last = chosen_columns(span, WINDOW, width)
    assert 0 <= first <= last < width


@pytest.mark.parametrize(
    ("span", "neighbours", "line"),
    [
        (Span(1500, 2500), Neighbours(), "     ┗━━━━━━━━┛     "),
        (Span(1500, 2500), Neighbours(1300, 2800), "──┤  ┗━━━━━━━━┛   ├─"),
        (Span(1500, 2500), Neighbours(900, 3000), "     ┗━━━━━━━━┛     "),
        (Span(1500, 2500), Neighbours(2000, 2000), "────┤┗━━━━━━━━┛├────"),
        (Span(1500, 1550), Neighbours(1100, None), "┤    ┃              "),
        (Span(1000, 3000), Neighbours(1200, 2800), "┗━━━━━━━━━━━━━━━━━━┛"),
    ],
)
def test_the_line_of_time_has_the_span_and_the_cues_beside_it(span: Span, neighbours: Neighbours, line: str) -> None:
    assert time_line(span, WINDOW, 20, neighbours) == line
