"""What another process changes: the lists show it by themselves, and nothing is sent while nothing changes."""

import os
import pty
import select
import struct
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import pytest

from tests.dictionaries.making import INDEX, term_row, yomitan
from tests.screens.driving import add_files, keep_clips, opened, press_until, table, until_rows, until_shown
from tests.server.serving import serving
from tests.server_process import LODE
from tests.waiting import HANGS
from tui.config import Settings
from tui.records.jobs import Job
from tui.records.words import WordMark
from tui.remote.service import RemoteService
from tui.screens.shell.library_updates import JobWatch
from tui.service.local import LocalService

QUIET_SECONDS = 3.0
"""Seconds without a byte that are asked for: three looks for changes."""


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[LocalService]:
    """The same library, opened once more, as another process does it."""
    service = LocalService(settings)
    yield service
    await service.close()


async def test_what_others_change_comes_by_itself(service: LocalService, other: LocalService, tmp_path: Path) -> None:
    await add_files(other, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("space")
        await add_files(other, "faro.srt")
        await until_rows(pilot, 2)
        (marked,) = table(pilot).marked
        assert table(pilot).cursor_row == 1
        assert table(pilot).marked_or_current == (marked,)
        await press_until(pilot, "2", rows=2)
        await add_files(other, "metro.srt")
        await until_rows(pilot, 3)
        await press_until(pilot, "6", rows=3)
        await other.files.delete(marked)
        await until_rows(pilot, 2)
        await press_until(pilot, "1", rows=2)
        await press_until(pilot, "3", rows=0)
        await keep_clips(other, {"Zug": "Der Zug hält."})
        await until_rows(pilot, 1)
        await press_until(pilot, "7", shown="Zug")
        await other.known_words.mark([WordMark("de", "Hund", state="learning")])
        await until_shown(pilot, "Hund")
        await pilot.app.run_action("open_dictionaries")
        await until_shown(pilot, "No dictionaries yet")
        file = yomitan(tmp_path / "jitendex.zip", [term_row("Zug", "train")], index={**INDEX, "title": "Jitendex"})
        jobs = await other.dictionaries.add([file])
        async for _ in other.jobs.follow([job.id for job in jobs]):
            pass
        await until_shown(pilot, "Jitendex")


@pytest.mark.exhaustive
async def test_a_server_tells_what_others_changed(settings: Settings) -> None:
    async with serving(settings) as server:
        other = RemoteService(server.url, "anna")
        async with opened(RemoteService(server.url, "anna"), section="3", rows=0) as pilot:
            await keep_clips(other, {"Zug": "Der Zug hält."})
            await until_rows(pilot, 1)
        await other.close()


@contextmanager
def in_terminal(home: Path) -> Iterator[int]:
    """The app in a terminal of its own; gives the end from which what it sends is read."""
    child, end = pty.fork()
    if child == 0:
        os.execve(LODE, [LODE], {**os.environ, "LODE_HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"})
    ioctl(end, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    try:
        yield end
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(end)


def read_until_quiet(end: int, seconds: float, *, shows: bytes = b"") -> bytes:
    """What is sent, with ``shows`` in it, until nothing is for so long."""
    sent, deadline = b"", time.monotonic() + HANGS
    while time.monotonic() < deadline:
        ready, _, _ = select.select([end], [], [], seconds)
        if ready:
            sent += os.read(end, 65536)
        elif shows in sent:
            return sent
    raise AssertionError(f"never quiet: {sent[-500:]!r}")


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
async def test_an_idle_list_sends_nothing_until_another_process_adds(settings: Settings, other: LocalService) -> None:
    await add_files(other, "zug.srt")
    with in_terminal(settings.home) as end:
        read_until_quiet(end, QUIET_SECONDS, shows=b"zug.srt")
        await add_files(other, "faro.srt")
        sent = b""
        while b"faro.srt" not in sent:
            assert select.select([end], [], [], HANGS)[0], sent
            sent += os.read(end, 65536)
        read_until_quiet(end, QUIET_SECONDS)


# What is said of jobs, however fast they are over.


async def refused(service: LocalService, path: Path) -> tuple[Job, ...]:
    """The job, as it was queued, of an import that is over by now."""
    path.write_bytes(b"")
    jobs = await service.files.add([path])
    async for _ in service.jobs.follow([job.id for job in jobs]):
        pass
    return tuple(jobs)


async def test_an_import_that_is_over_before_anyone_looks_is_told_once(service: LocalService, tmp_path: Path) -> None:
    queued = await refused(service, tmp_path / "empty.srt")
    watch = JobWatch(service)
    async for _ in watch.follow():
        pass
    assert watch.summary() == {}, "it was not expected"
    for said in ({"refused": 1}, {}):
        watch.add_queued(queued)
        async for _ in watch.follow():
            pass
        assert watch.summary() == said


async def test_files_that_are_read_anew_and_those_that_were_there(service: LocalService, tmp_path: Path) -> None:
    path = tmp_path / "film.srt"
    path.write_bytes("1\n00:00:01,000 --> 00:00:02,000\nSchöne Grüße.\n".encode("cp1252"))
    watch = JobWatch(service)
    for encoding, language, said in (
        ("cp1252", None, "imported"),
        ("cp1252", None, "already here"),
        ("cp1252", "de", "read anew"),
    ):
        watch.add_queued(await service.files.add([path], encoding=encoding, language=language))
        async for _ in watch.follow():
            pass
        assert watch.summary() == {said: 1}
