"""Temporary directories are there as long as their process, and nothing that is not marked as one is ever removed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tui.system.temporary import TemporaryDirectory, discard, sweep

HOLDING = """
import sys
from pathlib import Path
from tui.system.temporary import TemporaryDirectory
place = TemporaryDirectory(Path(sys.argv[1]))
(place.path / "half").write_bytes(b"half")
(place.path / "within").mkdir()
print(place.path, flush=True)
sys.stdin.read()
"""


def holder(place: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that has a temporary directory with something in it."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_what_is_in_a_temporary_directory_goes_with_it(tmp_path: Path) -> None:
    with TemporaryDirectory(tmp_path) as place:
        (place / "half").write_bytes(b"half")
        (place / "whole").write_bytes(b"whole")
        (place / "whole").replace(tmp_path / "kept")
        assert sweep(tmp_path) == 0
        assert (place / "half").exists(), "its process lives: it is this one"
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_what_a_killed_process_left_goes_with_the_next_directory_there_and_a_living_ones_stays(tmp_path: Path) -> None:
    killed, left = holder(tmp_path)
    living, used = holder(tmp_path)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    (left / "half").unlink()  # as if the removal had begun
    assert left.exists()
    with TemporaryDirectory(tmp_path):
        assert not left.exists()
        assert (used / "half").exists()
    living.communicate()


def test_what_is_spared_stays_until_it_is_not(tmp_path: Path) -> None:
    place = TemporaryDirectory(tmp_path)
    place.leave()
    assert sweep(tmp_path, spare=lambda directory: directory == place.path) == 0
    assert sweep(tmp_path) == 1
    assert not place.path.exists()


def test_a_kill_before_the_mark_was_made_or_within_a_removal_leaves_nothing_for_good(tmp_path: Path) -> None:
    for names in ((), (".lode",)):
        left = tmp_path / ".lode-tmp-abcdefghijkl"
        left.mkdir()
        for name in names:
            (left / name).touch()
        assert sweep(tmp_path) == 1
        assert list(tmp_path.iterdir()) == []
    discard(left)  # and once more does no harm


def test_nothing_without_the_mark_is_touched(tmp_path: Path) -> None:
    for name, within in {
        ".lode-tmp-abcdefghijkl": {"mine.txt": b"precious"},
        ".lode-tmp-bbbbbbbbbbbb": {".lode": b"another's", "mine.txt": b"precious"},
        ".lode-tmp-cccccccccccc": {".lode": b"", "mine.txt": b"precious"},
        ".lode-tmp-short": {},
        "lode-tmp-dddddddddddd": {},
    }.items():
        (tmp_path / name).mkdir()
        for file, content in within.items():
            (tmp_path / name / file).write_bytes(content)
    (tmp_path / ".lode-tmp-eeeeeeeeeeee").write_text("a file")
    elsewhere = tmp_path / "elsewhere"
    with TemporaryDirectory(tmp_path) as other:
        other.rename(elsewhere)
        (tmp_path / ".lode-tmp-ffffffffffff").symlink_to(elsewhere)
        before = sorted(tmp_path.rglob("*"))
        assert sweep(tmp_path) == 0
        assert sorted(tmp_path.rglob("*")) == before


def test_a_place_that_is_not_there_is_an_error_and_nothing_to_sweep(tmp_path: Path) -> None:
    assert sweep(tmp_path / "nowhere") == 0
    with pytest.raises(FileNotFoundError):
        TemporaryDirectory(tmp_path / "nowhere")


def test_directories_on_a_disk_without_locks_are_never_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr("tui.system.file_lock.fcntl.flock", no_locks)
    with TemporaryDirectory(tmp_path) as place:
        assert sweep(tmp_path) == 0
        assert place.exists()
    assert list(tmp_path.iterdir()) == []
