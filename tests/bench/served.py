"""``lode serve`` as a process that is measured: its address, and the memory that it takes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.server_process import ServerProcess


@contextmanager
def served(home: str | Path) -> Iterator[tuple[int, str]]:
    """Its process, and its address."""
    with ServerProcess(Path(home)) as server:
        yield server.process.pid, server.url
        server.stop()


@contextmanager
def peak_memory(server: int) -> Iterator[list[int]]:
    """The most bytes in memory so far, of the server with all that it started."""
    peak = [0]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            peak[0] = max(peak[0], sum(map(resident, (server, *_children(server)))))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


def resident(process: int) -> int:
    """Bytes that a process has in memory, 0 where it is gone; what it shares with others counts for each."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    return 0


def _children(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found
