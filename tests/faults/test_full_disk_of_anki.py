"""Words out of Anki's files where the disk of the library fills: the reason is the disk, and the next attempt reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.small_disk import SmallDisk, small_disk
from tests.vocabulary.anki_collections import Collection
from tui.errors import ImportRefused
from tui.records.vocabulary import VocabularyChoice
from tui.vocabulary.formats import open_vocabulary

pytestmark = pytest.mark.exhaustive
__all__ = ["small_disk"]

PAGE = 4096


def words_in(path: Path, place: Path) -> set[str]:
    with open_vocabulary(path, place) as file:
        return {word.text for word in file.words(VocabularyChoice(), lambda share: None)}


@pytest.mark.parametrize("kind", ["anki21b", "anki21", "an open collection"])
def test_a_file_of_ankis_is_not_called_damaged_where_there_is_no_room_for_its_copy(
    tmp_path: Path, small_disk: SmallDisk, kind: str
) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    for number in range(2000):
        collection.known(f"Wort{number}")
    path = collection.path
    if kind == "an open collection":
        assert collection.path.with_name("collection.anki2-wal").stat().st_size
    else:
        path = collection.package(tmp_path / "deck.apkg", legacy=kind == "anki21")
    wanted, refusals = {f"Wort{number}" for number in range(2000)}, 0
    for free in range(0, 1800, 28):
        small_disk.fill(free * PAGE)
        try:
            assert words_in(path, small_disk.path) == wanted
        except ImportRefused as refused:
            assert (refused.code, "the disk is full" in refused.message) == ("disk_full", True), (free, refused.message)
            refusals += 1
        assert sorted(each.name for each in small_disk.path.iterdir()) == ["filling"], free
        small_disk.make_room()
        if free % 280 == 0:
            assert words_in(path, small_disk.path) == wanted
    assert 2 < refusals < 64
