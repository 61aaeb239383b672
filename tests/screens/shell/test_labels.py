"""Labels: short ones first, none of which is the beginning of another."""

import pytest

from tui.screens.shell.labels import make_labels


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
