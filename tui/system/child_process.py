"""Child process: a program of somebody else's that is run once, with bounds on its time and on what it prints."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ended:
    """End of a program; of what it printed in excess only the beginning is here."""

    returncode: int
    out: bytes
    errors: bytes


async def run(
    command: str | Sequence[str], *, stdin: bytes = b"", seconds: float, most_bytes: int, most_file_bytes: int = 0
) -> Ended:
    """Run a program, or a line of shell; it and its children are killed when it is late, prints too much, or nobody
    waits any more.

    ``most_bytes`` is for standard output and for errors each, ``most_file_bytes`` for every file that it writes, where
    the system can be told (0: any size). Raises ``OSError`` where it cannot be started, ``TimeoutError``.
    """
    process = await asyncio.create_subprocess_exec(
        *(("/bin/sh", "-c", command) if isinstance(command, str) else command),
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    if most_file_bytes:
        _limit_files(process.pid, most_file_bytes)
    assert process.stdout is not None and process.stderr is not None

    def kill() -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)

    try:
        async with asyncio.timeout(seconds):
            out, errors, _ = await asyncio.gather(
                _read_capped(process.stdout, most_bytes, kill),
                _read_capped(process.stderr, most_bytes, kill),
                _written(process.stdin, stdin),
            )
            return Ended(await process.wait(), out, errors)
    finally:
        if process.returncode is None:
            kill()
            # Its pipes are read to their end: as long as something is left in them it never counts as ended.
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await process.communicate()


async def _read_capped(stream: asyncio.StreamReader, most: int, kill: Callable[[], None]) -> bytes:
    """Read what is printed; of more than ``most`` bytes has only the beginning, and who prints it is killed."""
    begun = bytearray()
    while piece := await stream.read(16 * 1024):
        if len(begun) > most:
            continue
        begun += piece
        if len(begun) > most:
            kill()
    return bytes(begun)


async def _written(stream: asyncio.StreamWriter | None, text: bytes) -> None:
    """Write its input; what a program does not read is its own affair."""
    if stream is None:
        return
    with suppress(BrokenPipeError, ConnectionResetError):
        stream.write(text)
        await stream.drain()
    stream.close()


def _limit_files(pid: int, most: int) -> None:
    """Limit the size of the files that a process writes, where the system can (Linux)."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))
