"""Servers as processes of their own: ``lode serve`` with the memory that it takes, and the models that it asks."""

from __future__ import annotations

import subprocess
import sys
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
def model_server(program: str) -> Iterator[str]:
    """The address of a model server that is one of the ``programs``; it says it first."""
    command = [sys.executable, "-m", f"tests.bench.programs.{program}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


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
