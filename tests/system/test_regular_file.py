"""Only regular files of a bounded size are read, and none is waited for."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import pytest

from tui import config
from tui.errors import ImportRefused, InvalidInput
from tui.importing.archive import MemberReader
from tui.service.jobs import file_import
from tui.system import regular_file


def test_a_file_is_read_whole_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 300_000)
    assert regular_file.read(path, 300_000) == path.read_bytes()
    with pytest.raises(OSError, match=r"it has more than 299\.999 kB") as refused:
        regular_file.read(path, 299_999)
    assert refused.value.errno == errno.EFBIG
    path.write_bytes(b"")
    assert regular_file.read(path, 0) == b""


def test_what_has_no_size_is_bounded_by_what_comes() -> None:
    path = Path("/proc/self/status")
    if not path.exists():
        pytest.skip("there is no /proc here")
    assert path.stat().st_size == 0
    assert regular_file.read(path, 100_000).startswith(b"Name:")
    with pytest.raises(OSError, match=r"more than 0\.01 kB"):
        regular_file.read(path, 10)


def test_what_is_no_file_is_named_and_not_waited_for(tmp_path: Path) -> None:
    pipe, door = tmp_path / "pipe", tmp_path / "door"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(door))
        for path, said in (
            (pipe, "it is a pipe, not a file"),
            (Path("/dev/zero"), "it is a device, not a file"),
            (tmp_path, "Is a directory"),
            (door, "it is a socket, not a file"),
            (tmp_path / "nowhere", "No such file"),
        ):
            with pytest.raises(OSError, match=said):
                regular_file.read(path, 1000)


def test_a_pipe_in_the_place_of_settings_or_of_a_file_to_import_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    os.mkfifo(path)
    with pytest.raises(ImportRefused, match="it is a pipe, not a file"):
        file_import._bytes(path, MemberReader())
    for make, said in (
        (lambda: None, r"config\.toml: it is a pipe, not a file"),
        (lambda: path.symlink_to("/dev/zero"), "it is a device, not a file"),
        (lambda: path.write_text("#" * 1_000_001), "it has more than 1 MB"),
    ):
        make()
        with pytest.raises(InvalidInput, match=said):
            config.load(tmp_path)
        path.unlink()
