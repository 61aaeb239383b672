"""dictd's two files in a ZIP file, as they are sent to a server."""

from __future__ import annotations

import os
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.dictionaries.making import dictd, rows_of
from tui import bounds
from tui.dictionaries.dictd import find_pair, is_pair, zip_pair
from tui.dictionaries.formats import open_dictionary
from tui.errors import ImportRefused


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory for temporary files, in which nothing is left."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def packed(tmp_path: Path, **words: str) -> Path:
    index = dictd(tmp_path, {word: f"{word} <v>\n{text}\n" for word, text in words.items()})
    target = tmp_path / "freedict-deu-eng.zip"
    zip_pair((index, index.with_name("freedict-deu-eng.dict.dz")), target)
    return target


def test_it_is_read_as_the_two_files_are_and_nothing_of_it_stays(tmp_path: Path, temporary: Path) -> None:
    path = packed(tmp_path, fahren="to drive", Zug="train")
    archive = path.read_bytes()
    assert packed(tmp_path, fahren="to drive", Zug="train").read_bytes() == archive, "the same each time"
    expected = rows_of(tmp_path / "freedict-deu-eng.index")
    assert rows_of(path) == expected
    with open_dictionary(path, "sent.zip") as dictionary:
        assert (dictionary.info.format, dictionary.info.source_language) == ("dictd", "de")
    assert list(temporary.iterdir()) == []


def test_files_that_are_named_by_no_text_are_packed_all_the_same(tmp_path: Path) -> None:
    index = dictd(tmp_path, {"fahren": "fahren <v>\nto drive\n"}, name=os.fsdecode(b"de-\xff"))
    zip_pair(find_pair(index) or (), tmp_path / "sent.zip")
    assert rows_of(tmp_path / "sent.zip") == rows_of(index)


def test_a_pair_is_told_by_its_names() -> None:
    assert is_pair(("a.index", "a.dict.dz")) and is_pair(("a.dict", "a.INDEX"))
    for names in (
        *(("a.index", "b.dict.dz"), ("a.index",), ("a.index", "a.dict.dz", "README"), (".index", ".dict"), ()),
        *(("d/a.index", "d/a.dict.dz"), ("..\\a.index", "..\\a.dict.dz")),
    ):
        assert not is_pair(names), names


def test_what_unpacks_to_many_times_its_size_is_refused(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "ZIPPED_DICTD", replace(bounds.ZIPPED_DICTD, free_bytes=1000))
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.index", "a\tA\tB\n")
        archive.writestr("a.dict", b"x" * 1_000_000)
    with pytest.raises(ImportRefused, match="many times its size"):
        rows_of(path)
    assert list(temporary.iterdir()) == []


def test_one_that_is_damaged_is_refused(tmp_path: Path, temporary: Path) -> None:
    path = packed(tmp_path, **{f"word{number}": "text" for number in range(50)})
    whole = path.read_bytes()
    for at in (60, 200):
        path.write_bytes(whole[:at] + b"\xff" * 40 + whole[at + 40 :])
        with pytest.raises(ImportRefused):
            rows_of(path)
        assert list(temporary.iterdir()) == []
