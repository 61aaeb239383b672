"""Nothing that was acknowledged is lost, and nothing is half there: killed processes, full disks, many threads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE, Child, run_sql
from tui.errors import StoreError
from tui.records.clips import NewClip
from tui.store import Store
from tui.store.database import Connections

ADDING = """
import sys
from pathlib import Path
from tui.records.clips import NewClip
from tui.store import Store
store = Store.open(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    print(store.clips.add("anna", NewClip(f"Satz {number} vom Zug 東京タワー")).id, flush=True)
"""


def test_every_clip_that_was_acknowledged_survives_kill_9(directory: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ADDING, str(directory)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    printed = [process.stdout.readline().strip() for _ in range(20)]
    process.send_signal(signal.SIGKILL)
    printed += process.communicate()[0].split()
    with closing(Store.open(directory)) as store:
        ids = [clip.id for clip in store.clips.each(PROFILE)]
        assert ids[: len(printed)] == printed
        assert len(ids) <= len(printed) + 1, "at most the one whose acknowledgement was cut off"
        assert store.clips.page(PROFILE, q="zug").total == store.clips.page(PROFILE, q="京タワ").total == len(ids)
    assert run_sql(directory, "PRAGMA integrity_check") == [("ok",)]


FULL_DISK = """
import resource, sys
from pathlib import Path
from tui.errors import StoreError
from tui.records.clips import NewClip
from tui.records.files import NewFile
from tui.records.transcripts import Cue, NewTranscript
from tui.store import Store
from tui.store.tables.files import count_words
import tui.language.words
store = Store.open(Path(sys.argv[1]))
kept = store.clips.add("anna", NewClip("bleibt"))
size = max(path.stat().st_size for path in Path(sys.argv[1]).glob("lode.db*"))
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, size + 20_000))
for work in (
    lambda: store.files.add("anna", NewFile("a.srt", "subtitle", "srt", "de", 1, "0" * 64, None),
        count_words([NewTranscript("a", "de", [Cue(n, n, n, f"Zeile {n} " * 9) for n in range(1500)])]), None),
    lambda: store.blobs.put(b"x" * (size + 30_000)),
):
    try:
        work()
    except StoreError as error:
        print(error.message, "|", error.hint)
print(store.files.page("anna").total, store.transcripts.page("anna").total, store.clips.page("anna").items == (kept,))
"""


def test_a_disk_that_is_full_keeps_nothing_by_halves(directory: Path, run_child: Child) -> None:
    done = run_child(FULL_DISK, directory)
    assert done.returncode == 0, done.stderr
    database, blob, state = done.stdout.splitlines()
    assert "full" in database and "check the disk" in database
    assert "make room" in blob
    assert state == "0 0 True"
    assert not [path for path in (directory / "blobs").rglob("*") if path.is_file()]
    with closing(Store.open(directory)) as store:
        store.clips.add(PROFILE, NewClip("geht wieder"))
        assert store.clips.page(PROFILE).total == 2


def test_many_threads_write_and_read_at_once(store: Store) -> None:
    def work(name: str) -> None:
        for number in range(10):
            clip = store.clips.add(PROFILE, NewClip(f"{name} {number}"))
            assert store.clips.page(PROFILE, q=f"{name} {number}").total >= 1
            store.clips.edit(PROFILE, clip.id, NewClip(f"{name} {number} x"))

    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(work, "abcdef")) == [None] * 6
    assert store.clips.page(PROFILE, q="x").total == 60


def test_connections_of_threads_that_ended_are_let_go(store: Store) -> None:
    for _ in range(20):
        thread = threading.Thread(target=store.clips.page, args=(PROFILE,))
        thread.start()
        thread.join()
    folder = Path("/proc/self/fd")
    if not folder.exists():
        pytest.skip("open files cannot be counted here")
    targets = [os.readlink(link) for link in folder.iterdir() if link.is_symlink()]
    assert sum(target.endswith("lode.db") and str(store.path.parent) in target for target in targets) <= 3


def test_closing_waits_for_the_call_that_another_thread_is_in(tmp_path: Path) -> None:
    path = tmp_path / "lode.db"
    connections = Connections(path, "write")
    with connections.write() as connection:
        connection.execute("CREATE TABLE t (x)")
    inside, go_on = threading.Event(), threading.Event()

    def write() -> None:
        with connections.write() as connection:
            inside.set()
            go_on.wait()
            connection.execute("INSERT INTO t VALUES (1)")

    writer, closer = threading.Thread(target=write), threading.Thread(target=connections.close)
    writer.start()
    inside.wait()
    closer.start()
    with pytest.raises(StoreError, match="closed"):
        while True:  # until the closing has begun
            with connections.read():
                pass
    closer.join(0.2)
    assert closer.is_alive(), "it waits as long as the other thread takes"
    go_on.set()
    writer.join()
    closer.join()
    assert run_sql(tmp_path, "SELECT x FROM t") == [(1,)]
