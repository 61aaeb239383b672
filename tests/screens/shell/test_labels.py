"""Labels: short ones first, none of which is the beginning of another; what lies below them shows through."""

import pytest

from tests.screens.driving import lines, opened, press_until, until, until_shown
from tui.screens.shell.labels import Labels, make_labels
from tui.service.local import LocalService


@pytest.mark.parametrize("count", [0, 1, 26, 27, 51, 52, 100, 300, 676])
def test_no_label_begins_as_another_goes_on_and_there_are_enough(count: int) -> None:
    labels = make_labels(count)
    assert len(set(labels)) == len(labels) == count
    assert [len(label) for label in labels] == sorted(len(label) for label in labels)
    assert not any(one != other and other.startswith(one) for one in labels for other in labels)
    if count <= 26:
        assert all(len(label) == 1 for label in labels)


def test_as_many_as_can_be_labelled_are() -> None:
    assert len(make_labels(5_000)) == 676


async def test_news_is_shown_once_by_the_screen_below_the_labels(service: LocalService) -> None:
    async with opened(service, files=["zug"]) as pilot:
        pilot.app.notify("something is news")
        await until_shown(pilot, "something is news")
        await press_until(pilot, "f", at=Labels)
        await until(pilot, lambda: pilot.app.screen.query("Toast"))  # which it has as every screen
        assert sum("something is news" in line for line in lines(pilot)) == 1
