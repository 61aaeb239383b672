"""The retiming that one or two cues give of which somebody heard when they are said."""

import pytest

from tui.errors import InvalidInput
from tui.records.retiming import FRAME_RATE_FACTORS, LEAST_DRIFT_MS, Retiming
from tui.retiming.by_hand import retime_from

HOUR = 3_600_000


def test_one_cue_gives_an_offset() -> None:
    assert retime_from([(10_000, 12_350)]) == Retiming(1.0, 2350)


def test_two_cues_near_each_other_give_the_offset_between_theirs() -> None:
    assert retime_from([(10_000, 12_000), (10_000 + LEAST_DRIFT_MS - 1, 12_400 + LEAST_DRIFT_MS - 1)]) == Retiming(
        1, 2200
    )


@pytest.mark.parametrize("factor", [1.0, *FRAME_RATE_FACTORS.values()])
@pytest.mark.parametrize("late", [0, 250, -250])
def test_two_cues_an_hour_apart_give_a_usual_factor(factor: float, late: int) -> None:
    points = [(60_000, round(60_000 * factor) + 5000), (60_000 + HOUR, round((60_000 + HOUR) * factor) + 5000 + late)]
    for given in (points, points[::-1]):
        found = retime_from(given)
        assert found.factor == factor
        assert abs(found.offset_ms - 5000) <= abs(late)


def test_a_drift_that_is_none_of_the_usual_ones_is_taken_as_it_is() -> None:
    found = retime_from([(0, 1000), (HOUR, round(HOUR * 1.02) + 1000)])
    assert (round(found.factor, 6), found.offset_ms) == (1.02, 1000)


@pytest.mark.parametrize("moment", [HOUR // 2, 2 * HOUR, 0])
def test_what_would_stretch_the_text_or_turn_it_round_is_refused(moment: int) -> None:
    with pytest.raises(InvalidInput) as refused:
        retime_from([(0, 1000), (HOUR, moment)])
    assert refused.value.code == "wrong_points"


@pytest.mark.parametrize("count", [0, 3])
def test_one_cue_or_two_are_needed(count: int) -> None:
    with pytest.raises(InvalidInput) as refused:
        retime_from([(0, 1)] * count)
    assert refused.value.code == "no_points"
