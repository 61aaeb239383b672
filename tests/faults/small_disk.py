"""A disk of a few megabytes, and how much of it is free."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


class SmallDisk:
    """``path`` is where it is mounted."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filling = path / "filling"

    @property
    def free(self) -> int:
        found = os.statvfs(self.path)
        return found.f_bavail * found.f_frsize

    def fill(self, free: int) -> None:
        """Leave so many bytes free."""
        with self._filling.open("ab") as filling:
            filling.write(b"x" * (self.free - free))
        assert self.free == free

    def make_room(self) -> None:
        self._filling.unlink()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """Skips where this user, or this system, may mount none."""
    place = tmp_path / "disk"
    place.mkdir()
    try:
        mounting = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(place)], capture_output=True, text=True, check=False
        )
    except OSError as error:
        pytest.skip(f"no disk can be mounted here: {error}")
    if mounting.returncode:
        pytest.skip(f"no disk can be mounted here: {mounting.stderr.strip()}")
    try:
        yield SmallDisk(place)
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
