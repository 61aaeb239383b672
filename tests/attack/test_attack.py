"""A share of ``make attack``: no reader is crashed, filled or kept, and none leaves anything."""

from __future__ import annotations

import pytest

from tests.attack.attack import attacked
from tests.attack.readers import MATERIAL, READERS, Reader
from tests.attack.shapes import ATTACKS, Shape

_SHARE = 6


def test_each_material_is_that_of_a_reader() -> None:
    assert len([reader for reader in READERS if reader.material]) >= len(MATERIAL)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("reader", "shape"),
    ATTACKS[::_SHARE],
    ids=[f"{reader.name}: {shape.name}" for reader, shape in ATTACKS[::_SHARE]],
)
def test_nothing_harms_a_reader(reader: Reader, shape: Shape) -> None:
    assert attacked(reader, shape, 1).faults == []
