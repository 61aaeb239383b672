"""What another process changes: the lists show it by themselves, and nothing is sent while nothing changes."""

from __future__ import annotations

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
from tests.screens.driving import add_files, keep_clips, lines, opened, shows, table, until_rows, until_shown
from tests.server_process import LODE, ServerProcess
from tests.waiting import HANGS
from tui.config import Settings
from tui.records.words import WordMark
from tui.remote.service import RemoteService
from tui.service.local import LocalService

QUIET_SECONDS = 3.0
"""Seconds without a byte that are asked for: three looks for changes."""


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[LocalService]:
    """The same library, opened once more, as another process does it."""
    service = LocalService(settings)
    yield service
    await service.close()


async def test_files_transcripts_and_jobs_of_another_process_come_by_themselves(
    service: LocalService, other: LocalService
) -> None:
    await add_files(other, "zug.srt")
    async with opened(service, rows=1) as pilot:
        await pilot.press("space")
        await add_files(other, "faro.srt")
        await until_rows(pilot, 2)
        (marked,) = table(pilot).marked
        assert table(pilot).cursor_row == 1
        assert table(pilot).marked_or_current == (marked,)
        await pilot.press("2")
        await until_rows(pilot, 2)
        await add_files(other, "metro.srt")
        await until_rows(pilot, 3)
        await pilot.press("6")
        await until_rows(pilot, 3)
        await other.files.delete(marked)
        await until_rows(pilot, 2)
        await pilot.press("1")
        await until_rows(pilot, 2)


async def test_clips_and_words_of_another_process_come_by_themselves(
    service: LocalService, other: LocalService
) -> None:
    async with opened(service, section="3", rows=0) as pilot:
        await keep_clips(other, {"Zug": "Der Zug hält."})
        await until_rows(pilot, 1)
        assert shows(pilot, "Der Zug hält.")
        await pilot.press("7")
        await until_shown(pilot, "Zug")
        await other.known_words.mark([WordMark("de", "Hund", state="learning")])
        await until_shown(pilot, "Hund")


async def test_dictionaries_of_another_process_come_by_themselves(
    service: LocalService, other: LocalService, tmp_path: Path
) -> None:
    async with opened(service) as pilot:
        await pilot.app.run_action("open_dictionaries")
        await until_shown(pilot, "No dictionaries yet")
        file = yomitan(tmp_path / "jitendex.zip", [term_row("Zug", "train")], index={**INDEX, "title": "Jitendex"})
        jobs = await other.dictionaries.add([file])
        async for _ in other.jobs.follow([job.id for job in jobs]):
            pass
        await until_shown(pilot, "Jitendex")


@pytest.mark.exhaustive
async def test_a_server_tells_what_others_changed(home: Path) -> None:
    with ServerProcess(home) as server:
        other = RemoteService(server.url, "anna")
        async with opened(RemoteService(server.url, "anna"), section="3", rows=0) as pilot:
            await keep_clips(other, {"Zug": "Der Zug hält."})
            await until_rows(pilot, 1)
            assert "Der Zug hält." in "\n".join(lines(pilot))
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
async def test_an_idle_list_sends_nothing_and_what_another_process_adds_comes_by_itself(
    settings: Settings, other: LocalService
) -> None:
    await add_files(other, "zug.srt")
    with in_terminal(settings.home) as end:
        read_until_quiet(end, QUIET_SECONDS, shows=b"zug.srt")
        await add_files(other, "faro.srt")
        sent = b""
        while b"faro.srt" not in sent:
            assert select.select([end], [], [], HANGS)[0], sent
            sent += os.read(end, 65536)
        read_until_quiet(end, QUIET_SECONDS)
