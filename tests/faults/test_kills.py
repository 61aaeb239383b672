"""Processes that are killed at any moment leave nothing that the next start or export there does not sweep."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest

from tests.server_process import LODE, ServerProcess
from tests.store.many_clips import add_many
from tui.records.clips import NewClip
from tui.store import Store

pytestmark = pytest.mark.exhaustive

SRT = "\n".join(f"{n}\n00:00:{n % 60:02},000 --> 00:00:{n % 60:02},900\nZug {n} fährt ab.\n" for n in range(1, 1000))
WORKING = """
import asyncio, sys
from pathlib import Path
from tui.config import Settings
from tui.service.local import LocalService
home, out, number = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

async def work():
    service = LocalService(Settings(home=home, config_path=home / "config.toml"))
    await service.clips.page()
    print("ready", flush=True)
    while True:
        global number
        number += 1
        story = out / "story.srt"
        story.write_text(story.read_text("utf-8") + "\\n\\n", "utf-8")
        await service.files.add([story])
        await service.backup(out / f"{sys.argv[3]}-{number}.db")
        await service.deck.export(out / "deck.apkg")

asyncio.run(work())
"""


class Place:
    """A library with enough in it for a copy to take a while, a directory for exports, one for temporary files."""

    def __init__(self, base: Path) -> None:
        self.home, self.out, self.tmp = base / "library", base / "out", base / "tmp"
        for directory in (self.out, self.tmp):
            directory.mkdir()
        store = Store.open(self.home)
        add_many(store, "default", (NewClip(f"Zug {n}", explanation="x" * 900) for n in range(3_000)))
        store.close()
        (self.out / "story.srt").write_text(SRT, "utf-8")
        self.environ = {"LODE_HOME": str(self.home), "TMPDIR": str(self.tmp)}

    def lode(self, *args: str) -> None:
        command = [LODE, *args]
        done = subprocess.run(command, env={**os.environ, **self.environ}, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr

    def left(self) -> list[str]:
        """What nobody asked for: hidden files, files on their way in, bytes that no file is recorded for."""
        # Python itself tries a directory with a file of these four bytes before it takes it for temporary files.
        found = [path for path in self.tmp.iterdir() if not (path.is_file() and path.read_bytes() in (b"", b"blat"))]
        found += [*self.home.glob("uploads/*"), *self.home.glob("run/*.lock")]
        found += [path for place in (self.home, self.out) for path in place.rglob(".*")]
        with closing(sqlite3.connect(self.home / "lode.db")) as connection:
            wanted = {row[0] for row in connection.execute("SELECT sha256 FROM files")}
        found += [path for path in self.home.glob("blobs/??/*") if path.parent.name + path.name not in wanted]
        return sorted(str(path.relative_to(self.home.parent)) for path in found)

    def assert_whole(self) -> None:
        for path in (self.home / "lode.db", *self.out.glob("*.db")):
            with closing(sqlite3.connect(path)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",), path


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    yield Place(tmp_path)


def test_imports_backups_and_decks_that_are_killed_leave_nothing_after_the_next(place: Place) -> None:
    dice = random.Random(60)
    for number in range(6):
        command = [sys.executable, "-c", WORKING, str(place.home), str(place.out), str(number)]
        process = subprocess.Popen(command, env={**os.environ, **place.environ}, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        killing = threading.Timer(dice.uniform(0, 0.5), process.send_signal, (signal.SIGKILL,))
        killing.start()
        process.communicate()
        for path in place.out.glob("*.db"):
            path.unlink()
    place.lode("export", str(place.out / "deck.apkg"))
    assert place.left() == []
    place.assert_whole()


async def test_a_server_that_is_killed_amid_requests_leaves_nothing_after_the_next_start(place: Place) -> None:
    dice = random.Random(7)

    async def ask(url: str) -> None:
        async def sent() -> AsyncIterator[bytes]:
            for _ in range(50):
                yield SRT.encode()
                await asyncio.sleep(0.01)  # so that the kill finds it half sent

        async with httpx.AsyncClient(base_url=url, timeout=30) as client:
            with suppress(httpx.HTTPError):
                await asyncio.gather(
                    client.get("/backup"),
                    client.get("/profiles/deck_export"),
                    client.post("/profiles/files?name=a.srt", content=sent()),
                )

    for _ in range(3):
        with ServerProcess(place.home, environ=place.environ) as server:
            asking = asyncio.create_task(ask(server.url))
            await asyncio.sleep(dice.uniform(0, 0.6))  # any moment is right
            server.kill()
            await asking
    place.lode("jobs", "list")
    assert place.left() == []
    place.assert_whole()


MIGRATING = """
import sys
from pathlib import Path
from tui.store import Store
from tui.store.schema import migrations
def m900_slow(db):
    print("copied", flush=True)
    sys.stdin.read()
migrations.MIGRATIONS = (*migrations.MIGRATIONS, m900_slow)
print("ready", flush=True)
Store.open(Path(sys.argv[1]))
"""


def test_a_migration_that_is_killed_again_and_again_leaves_one_copy_and_pushes_out_no_older_one(place: Place) -> None:
    older = [place.home / f"lode.db.before-m00{number}_x-20200101T000000000000Z" for number in (1, 2)]
    for path in older:
        path.write_bytes(b"older")
    dice = random.Random(30)
    for number in range(6):  # the last one of those that get as far as the migration: they have swept
        process = subprocess.Popen(
            [sys.executable, "-c", MIGRATING, str(place.home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        if number % 2:
            process.stdout.readline()  # the copy is whole, and the migration under way
        else:
            threading.Timer(dice.uniform(0, 0.1), process.send_signal, (signal.SIGKILL,)).start()
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
    place.lode("jobs", "list")
    assert place.left() == []
    assert all(path.exists() for path in older)
    assert len(list(place.home.glob("lode.db.before-*"))) == 3
