"""A real Anki collection, and reading it back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vocabulary.anki_collections import Collection


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    made = Collection(tmp_path / "collection.anki2")
    yield made
    made.col.close()
