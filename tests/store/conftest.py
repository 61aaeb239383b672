"""A real store in a directory of the test's own, and a film to put into it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from tests.store.adding_files import add_file
from tui.records.files import ProfileFile
from tui.records.transcripts import Cue, Transcript
from tui.store import Store

PROFILE = "anna"


class AddFilm(Protocol):
    def __call__(
        self, *texts: str, name: str = ..., language: str | None = ..., profile: str = ..., job_id: str | None = ...
    ) -> tuple[ProfileFile, Transcript]: ...


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def store(directory: Path) -> Iterator[Store]:
    store = Store.open(directory)
    yield store
    store.close()


@pytest.fixture
def add_film(store: Store) -> AddFilm:
    """Imports a subtitle file with these lines, one second each."""

    def add(
        *texts: str,
        name: str = "Der letzte Zug.srt",
        language: str | None = "de",
        profile: str = PROFILE,
        job_id: str | None = None,
    ) -> tuple[ProfileFile, Transcript]:
        return add_file(
            store,
            name,
            [Cue(index, index * 1000, index * 1000 + 900, text) for index, text in enumerate(texts)],
            profile=profile,
            language=language,
            job_id=job_id,
        )

    return add


@pytest.fixture
def run_child() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run code in another process; its arguments are in ``sys.argv``."""

    def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False
        )

    return run


@pytest.fixture
def open_directory() -> Iterator[Path]:
    """A directory that another user can reach, which pytest's own are not."""
    with tempfile.TemporaryDirectory(prefix="lode-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


ORDINARY_USER = """
import os, sys, tempfile
from pathlib import Path
import tui.store, tui.store.write_ahead_log, tui.errors  # whoever it becomes may not be allowed to read them
from tui.records.clips import NewClip
with tempfile.TemporaryDirectory() as known:
    rehearsal = tui.store.Store.open(Path(known))
    rehearsal.clips.add("anna", NewClip("Der Zug kommt."))
    rehearsal.clips.page("anna", q="zug")
    rehearsal.close()
if os.getuid() == 0:
    os.setuid(65534)
"""
"""What a child begins with to be a user whom file permissions stop; root is stopped by none.

It uses a store of its own first: what is imported on first use, by Python's own modules too, may lie where the
ordinary user cannot read.
"""


def give_away(directory: Path) -> None:
    """Make all of it the ordinary user's."""
    if os.getuid() == 0:
        for path in (directory, *directory.rglob("*")):
            os.chown(path, 65534, 65534)
