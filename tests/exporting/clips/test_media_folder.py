"""The folder of sounds and pictures, packed with its file, and out of the ZIP file again."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tui.exporting.target_file import find_media_folder, pack, unpack


def test_what_was_packed_comes_back_under_other_names(tmp_path: Path) -> None:
    file = tmp_path / "deck.csv"
    file.write_bytes(b"words")
    find_media_folder(file).mkdir()
    (find_media_folder(file) / "lode-1.mp3").write_bytes(b"sound")
    packed = tmp_path / "deck.zip"
    pack(file, packed)
    there = io.BytesIO()
    unpack(packed, there, tmp_path / "words.media")
    assert there.getvalue() == b"words"
    assert [(each.name, each.read_bytes()) for each in (tmp_path / "words.media").iterdir()] == [
        ("lode-1.mp3", b"sound")
    ]


@pytest.mark.parametrize("name", ["x/..", "x/", "../run.sh", "x/.bashrc", "x/a\x1b[31m.mp3", "x/bomb.mp3"])
def test_nothing_but_sounds_and_pictures_comes_into_the_folder(tmp_path: Path, name: str) -> None:
    packed = tmp_path / "hostile.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, bytes(1_000_000), zipfile.ZIP_DEFLATED if "bomb" in name else zipfile.ZIP_STORED)
    with pytest.raises(zipfile.BadZipFile):
        unpack(packed, io.BytesIO(), tmp_path / "words.media")
    assert [each.name for each in tmp_path.iterdir()] == ["hostile.zip"]
