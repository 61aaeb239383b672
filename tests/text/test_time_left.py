"""How long work may take yet."""

from tui.text.time_left import TimeLeft


class Clock:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def told(*steps: tuple[float, float]) -> list[int | None]:
    """What is said at these times and parts of the work."""
    clock = Clock()
    left, said = TimeLeft(clock), []
    for seconds, progress in steps:
        clock.seconds = 1000 + seconds
        said.append(left.at(progress))
    return said


def test_work_goes_on_as_it_did_so_far() -> None:
    assert told((0, 0.0), (10, 0.25), (20, 0.5), (39, 0.99), (40, 1.0)) == [None, 30, 20, 5, 5]


def test_what_was_done_before_it_was_looked_at_does_not_count() -> None:
    assert told((0, 0.5), (10, 0.75)) == [None, 10]


def test_nothing_is_said_of_a_beginning_and_of_work_that_stands_still() -> None:
    assert told((0, 0.0), (2.9, 0.5)) == [None, None]
    assert told((0, 0.0), (60, 0.005)) == [None, None]


def test_work_that_begins_anew_is_looked_at_anew() -> None:
    assert told((0, 0.5), (10, 0.75), (11, 0.0), (21, 0.5)) == [None, 10, None, 10]


def test_what_takes_long_is_told_in_steps() -> None:
    assert told((0, 0.0), (10, 0.0101), (10, 0.01011)) == [None, 980, 980]
