"""A share of ``make attack``: no reader is crashed, filled or kept, and none leaves anything."""

from __future__ import annotations

import pytest

from tests.attack.attack import attacked, ordered
from tests.attack.readers import MATERIAL, READERS, Reader
from tests.attack.shapes import ATTACKS, Shape, is_any

_SEED = 1
_SHARE = {
    (reader.way if shape.needs is is_any else reader.name, shape.name): (reader, shape)
    for reader, shape in ordered(_SEED)[: len(READERS)]
}
"""One attack of each reader; files of no format at all are read by all readers of a way alike."""


def test_each_reader_has_files_of_its_own_and_all_of_them_are_read() -> None:
    assert [reader.name for reader in READERS if not reader.material and reader.way != "archive"] == []
    assert [name for name, each in MATERIAL.items() if each not in [reader.material for reader in READERS]] == []


def test_each_reader_is_attacked_before_one_is_once_more() -> None:
    order = ordered(_SEED)
    assert len({reader.name for reader, _ in order[: len(READERS)]}) == len(READERS)
    assert len(order) == len(ATTACKS)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("reader", "shape"), _SHARE.values(), ids=[f"{way}: {shape}" for way, shape in _SHARE])
def test_nothing_harms_a_reader(reader: Reader, shape: Shape) -> None:
    assert attacked(reader, shape, _SEED, (1.0, 3.0)).faults == []
