"""A file that is exported is whole or not there, and its folder of media comes packed, and out of the ZIP again."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tui.errors import InvalidInput
from tui.exporting.target_file import TargetFile, find_media_folder, pack, unpack


def left(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


async def pieces(*texts: bytes, error: Exception | None = None) -> AsyncIterator[bytes]:
    for text in texts:
        yield text
    if error is not None:
        raise error


async def test_a_file_is_whole_and_what_was_there_stays_until_then(tmp_path: Path) -> None:
    path, link = tmp_path / "a.srt", tmp_path / "link.srt"
    with TargetFile(path, overwrite=False) as file:
        assert await file.write_all(pieces(b"one ", b"two")) == 7
    assert (path.read_bytes(), left(tmp_path)) == (b"one two", ["a.srt"])
    with pytest.raises(InvalidInput, match="exists already") as caught:
        TargetFile(path, overwrite=False)
    assert caught.value.code == "target_exists"
    with pytest.raises(ValueError, match="broken"), TargetFile(path, overwrite=True) as file:
        await file.write_all(pieces(b"new", error=ValueError("broken")))
    assert (path.read_bytes(), left(tmp_path)) == (b"one two", ["a.srt"])
    link.symlink_to("a.srt")
    with TargetFile(link, overwrite=True) as file:
        file.write(b"new")
        file.keep()
    assert (link.is_symlink(), path.read_bytes()) == (True, b"new"), "a link is written through"


def test_a_place_where_no_file_can_be_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    before = left(tmp_path)
    for name, why in (
        ("", "is a directory"),
        ("none/a.srt", "there is no directory"),
        ("file/a.srt", "is no place for a file|is not a directory"),
        ("x" * 300, "is no place for a file|cannot be written"),
        ("nul\0", "is no place for a file"),
        ("loop", "is no place for a file"),
        ("pipe", "is not a file"),
    ):
        with pytest.raises(InvalidInput, match=why), TargetFile(tmp_path / name, overwrite=False):
            pass
        assert left(tmp_path) == before


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no room left"), TargetFile(tmp_path / "a.srt", overwrite=False) as file:
        file.file.close()
        file.file = open("/dev/full", "wb")  # noqa: SIM115 - TargetFile closes it
        file.write(b"x")
        file.keep()
    assert left(tmp_path) == []


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


def test_nothing_but_sounds_and_pictures_comes_into_the_folder(tmp_path: Path) -> None:
    packed = tmp_path / "hostile.zip"
    for name in ("x/..", "x/", "../run.sh", "x/.bashrc", "x/a\x1b[31m.mp3", "x/bomb.mp3"):
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, bytes(1_000_000), zipfile.ZIP_DEFLATED if "bomb" in name else zipfile.ZIP_STORED)
        with pytest.raises(zipfile.BadZipFile):
            unpack(packed, io.BytesIO(), tmp_path / "words.media")
        assert left(tmp_path) == ["hostile.zip"]
