"""A real store in a directory of the test's own, and a film to put into it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from tests.store.adding_files import add_file
from tui.records.files import ProfileFile
from tui.records.library import Restored, UndoStep
from tui.records.transcripts import Cue, Transcript
from tui.store import Store

PROFILE = "anna"
Child = Callable[..., subprocess.CompletedProcess[str]]
AddFilm = Callable[..., tuple[ProfileFile, Transcript]]


def run_sql(library: Store | Path, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[Any]:
    """Have another program run a statement on a library, or on the one of a directory, and give its rows."""
    path = library.path if isinstance(library, Store) else library / "lode.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(sql, values).fetchall()


def undo(store: Store, profile: str = PROFILE) -> Restored:
    restored = store.trash.undo(profile)
    assert restored is not None
    return restored


def redo(store: Store, profile: str = PROFILE) -> UndoStep:
    step = store.trash.redo(profile)
    assert step is not None
    return step


def remove_discarded(store: Store) -> int:
    """Remove all that nobody can bring back any more; gives in how many batches."""
    return sum(1 for _ in iter(store.expiry.remove_discarded, False))


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables but the trash and the bookkeeping, and what is found in the search tables."""
    left_out = ("sqlite_", "_sqlite", "trash", "totals", "openings")
    names = [name for (name,) in run_sql(store, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    own = [each for each in names if not each.startswith(left_out) and "_words" not in each and "_trigrams" not in each]
    queries = {name: f"SELECT * FROM {name} ORDER BY 1, 2" for name in own}
    queries["totals"] = "SELECT profile, kind, n FROM totals ORDER BY 1, 2"
    queries["found"] = "SELECT rowid FROM cues_words WHERE cues_words MATCH 'zug'"
    with closing(sqlite3.connect(store.path)) as connection:
        return {name: connection.execute(query).fetchall() for name, query in queries.items()}


def check_search_tables(store: Store) -> None:
    with closing(sqlite3.connect(store.path)) as connection:
        for table in ("clips_words", "clips_trigrams", "cues_words", "cues_trigrams"):
            connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture(scope="session")
def new_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with nothing in it, which is copied in a quarter of the time in which one is made."""
    directory = tmp_path_factory.mktemp("library")
    Store.open(directory).close()
    return directory


@pytest.fixture
def store(directory: Path, new_library: Path) -> Iterator[Store]:
    shutil.copytree(new_library, directory)
    with closing(Store.open(directory)) as store:
        yield store


@pytest.fixture
def add_film(store: Store) -> AddFilm:
    """Imports a subtitle file with these lines, one second each."""

    def add(*texts: str, name: str = "Der letzte Zug.srt", **changes: Any) -> tuple[ProfileFile, Transcript]:
        cues = [Cue(index, index * 1000, index * 1000 + 900, text) for index, text in enumerate(texts)]
        return add_file(store, name, cues, **changes)

    return add


@pytest.fixture
def run_child() -> Child:
    """Run code in another process; its arguments are in ``sys.argv``."""

    def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False
        )

    return run


@contextmanager
def running(code: str, *arguments: object) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run code in another process until the block ends, or its input does; gives what it printed before "ready"."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            printed = map(str.strip, process.stdout)
            yield process, list(takewhile(lambda line: line != "ready", printed))
        finally:
            process.kill()
