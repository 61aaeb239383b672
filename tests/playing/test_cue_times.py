"""Which cue is spoken at a moment."""

from __future__ import annotations

import pytest

from tui.playing.mpv import CueTimes


@pytest.mark.parametrize(
    ("time_ms", "cue"), [(0, None), (900, None), (1_000, 0), (2_900, 0), (3_000, 2), (3_500, 2), (5_000, 3), (10**9, 3)]
)
def test_the_last_that_began_is_spoken_also_between_two(time_ms: int, cue: int | None) -> None:
    assert CueTimes([(3, 5_000), (0, 1_000), (1, 3_000), (2, 3_000)]).at(time_ms) == cue


def test_a_player_that_stops_a_frame_before_a_cue_is_at_it() -> None:
    assert CueTimes([(0, 0), (1, 5_000)]).at(4_960) == 1


def test_without_times_there_is_nothing() -> None:
    assert not CueTimes([])
    assert CueTimes([]).at(0) is None
