"""A library is read where SQLite has no room for its index of the log, and says that nothing can be saved there."""

from __future__ import annotations

import resource
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from tests.faults.small_disk import SmallDisk, small_disk
from tests.store.conftest import PROFILE, Child, run_sql, running
from tests.store.many_clips import add_many
from tui.errors import StoreError
from tui.records.clips import NewClip
from tui.store import Store
from tui.store.database import Connections

pytestmark = pytest.mark.exhaustive

__all__ = ["small_disk"]

COUNT = "SELECT count(*) FROM clips"

ADDING = """
import sys
from pathlib import Path
from tui.records.clips import NewClip
from tui.store import Store
store = Store.open(Path(sys.argv[1]))
for number in range(30):
    store.clips.add("anna", NewClip(f"im Log {number}", explanation="y" * 2000))
print("ready", flush=True)
sys.stdin.read()
"""


def filled(directory: Path) -> None:
    with closing(Store.open(directory)) as store:
        add_many(store, PROFILE, (NewClip(f"Satz {number}") for number in range(50)))


def left_by_a_kill(directory: Path, *, with_index: bool) -> None:
    with running(ADDING, directory):
        pass
    assert (directory / "lode.db-wal").stat().st_size > 0
    if not with_index:
        (directory / "lode.db-shm").unlink()


@contextmanager
def no_room_for_an_index() -> Iterator[None]:
    """The injected form of a full disk: no file can grow beyond a kilobyte."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    compiles, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # half a compiled module would be kept
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = compiles


@pytest.mark.parametrize(
    ("state", "free"),
    [
        *(("closed", 0), ("closed", 16384), ("killed", 0), ("killed", 8192), ("killed without its index", 0)),
        *(("killed without its index", 4096), ("in use", 0), ("in use", 8192)),
    ],
)
def test_a_full_disk_is_read_and_later_written(small_disk: SmallDisk, tmp_path: Path, state: str, free: int) -> None:
    directory = small_disk.path / "library"
    filled(directory)
    using = ExitStack()
    if state == "in use":
        using.enter_context(running(ADDING, directory))
    elif state != "closed":
        left_by_a_kill(directory, with_index=state == "killed")
    in_log = 0 if state == "closed" else 30
    small_disk.fill(free)

    store = Store.open(directory)
    assert store.clips.page(PROFILE).total == 50 + in_log
    assert store.clips.page(PROFILE, q="log").total == in_log
    assert store.trouble == "the disk is full: nothing can be saved"
    with pytest.raises(StoreError, match="the disk is full") as caught:
        store.clips.add(PROFILE, NewClip("x" * 50_000))
    assert "make room" in caught.value.hint
    store.backup(tmp_path / "copy.db")
    assert len(list(store.clips.each(PROFILE))) == 50 + in_log

    small_disk.make_room()
    assert store.clips.page(PROFILE).total == 50 + in_log
    assert store.trouble == ""
    store.clips.add(PROFILE, NewClip("geht wieder"))
    assert store.clips.page(PROFILE).total == 51 + in_log
    store.close()
    using.close()
    (tmp_path / "copy.db").rename(tmp_path / "lode.db")
    for place in (directory, tmp_path):
        assert run_sql(place, "PRAGMA integrity_check") == [("ok",)]


def test_without_room_for_the_index_all_is_read_and_later_written(directory: Path) -> None:
    filled(directory)
    left_by_a_kill(directory, with_index=False)
    with no_room_for_an_index():
        store = Store.open(directory)
        assert store.clips.page(PROFILE).total == 80
        assert "nothing can be saved" in store.trouble
        with pytest.raises(StoreError, match="full"):
            store.clips.add(PROFILE, NewClip("x"))
        assert store.clips.page(PROFILE).total == 80
    store.clips.add(PROFILE, NewClip("x"))
    assert (store.clips.page(PROFILE).total, store.trouble) == (81, "")
    store.close()


def test_what_another_program_writes_meanwhile_is_seen(directory: Path, run_child: Child) -> None:
    filled(directory)
    left_by_a_kill(directory, with_index=False)
    with no_room_for_an_index():
        connections = Connections(directory / "lode.db", "read")
        assert connections.value(COUNT) == 80
    done = run_child(  # it has no such limit, and nothing of ours holds it up
        "import sys; from pathlib import Path; from tui.store import Store; from tui.records.clips import NewClip\n"
        "store = Store.open(Path(sys.argv[1]), busy_seconds=0.05); store.clips.add('anna', NewClip('neu'))\n"
        "store.close()",
        directory,
    )
    assert done.returncode == 0, done.stderr
    assert connections.value(COUNT) == 81
    connections.close()


def test_what_is_read_while_another_program_writes_is_refused(directory: Path) -> None:
    filled(directory)
    with no_room_for_an_index():
        connections = Connections(directory / "lode.db", "read")
        connections.value("SELECT 1")
    with pytest.raises(StoreError, match="another program changed") as caught, connections.read() as connection:
        connection.value(COUNT)
        with closing(Store.open(directory)) as changed:
            changed.clips.add(PROFILE, NewClip("neu"))
    assert caught.value.hint == "try again"
    assert connections.value(COUNT) == 51
    connections.close()


def test_a_library_that_another_program_has_for_itself_is_not_read_past_it(directory: Path) -> None:
    filled(directory)
    left_by_a_kill(directory, with_index=False)
    with closing(sqlite3.connect(directory / "lode.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("SELECT 1 FROM sqlite_master").fetchone()
        with no_room_for_an_index(), pytest.raises(StoreError):
            Store.open(directory, busy_seconds=0.05)
