"""Imported bytes lie under their own hash."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tui.errors import NotFound, StoreError
from tui.store.blobs import BlobFolder


def test_bytes_are_kept_once_under_their_hash(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path / "blobs")
    sha256 = blobs.put(b"Der Zug")
    assert sha256 == hashlib.sha256(b"Der Zug").hexdigest()
    path = blobs.path(sha256)
    assert path == tmp_path / "blobs" / sha256[:2] / sha256[2:]
    first = path.stat().st_ino
    os.utime(path, (1, 1))
    assert blobs.put(b"Der Zug") == sha256
    assert path.stat().st_ino == first, "not written again"
    assert path.stat().st_mtime > 1, "but wanted again"
    assert blobs.path(sha256).read_bytes() == b"Der Zug"
    path.write_bytes(b"Der")
    blobs.put(b"Der Zug")
    assert path.read_bytes() == b"Der Zug", "what was cut short is written whole"
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_what_is_no_hash_is_no_path(tmp_path: Path) -> None:
    for name in ("../../etc/passwd", "", "A" * 64, "0" * 63):
        with pytest.raises(NotFound):
            BlobFolder(tmp_path).path(name)


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("a file in the way")
    with pytest.raises(StoreError, match="cannot be written") as caught:
        BlobFolder(tmp_path / "blobs").put(b"x")
    assert caught.value.hint
