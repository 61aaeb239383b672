"""Python code in a process of its own, watched for the memory that it takes."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MAX_MB = 250
"""Most megabytes that reading anything from outside may take, Python itself included."""
_KILLED_MB = 1_000


@dataclass(frozen=True, slots=True)
class Watched:
    """What became of a process; ``seconds_to_end`` runs from the signal that it was sent, 0.0 without one."""

    code: int
    out: str
    megabytes: float
    seconds: float
    seconds_to_end: float = 0.0


def watch(
    code: str,
    *args: str | Path,
    seconds: float = 60.0,
    interrupt_after: float | None = None,
    environ: Mapping[str, str] | None = None,
) -> Watched:
    """Run the code with these arguments. It is killed when it takes a gigabyte, and after ``seconds``.

    ``interrupt_after`` so many seconds it is sent what Ctrl+C sends.
    """
    begun = time.monotonic()
    command = [sys.executable, "-c", code, *map(str, args)]
    written = tempfile.TemporaryFile()  # noqa: SIM115 - closed below; a pipe would hold up whoever writes much
    running = subprocess.Popen(command, env=environ, stdin=subprocess.DEVNULL, stdout=written, stderr=subprocess.STDOUT)
    megabytes = 0.0
    interrupted: float | None = None
    while running.poll() is None:
        megabytes = peak_megabytes(running.pid) or megabytes
        passed = time.monotonic() - begun
        if megabytes > _KILLED_MB or passed > seconds:
            running.kill()
        elif interrupt_after is not None and interrupted is None and passed > interrupt_after:
            running.send_signal(signal.SIGINT)
            interrupted = time.monotonic()
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.01)
    ended = time.monotonic()
    with written:
        written.seek(0)
        out = written.read().decode("utf-8", "replace")
    return Watched(running.returncode, out, megabytes, ended - begun, ended - interrupted if interrupted else 0.0)


def peak_megabytes(process: int) -> float:
    """The most memory that it has had so far; 0 where that cannot be read. What ``wait4`` gives counts its parent's."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0
