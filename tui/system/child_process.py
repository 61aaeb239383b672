"""Programs of somebody else's: run once, with bounds on time and on what they print, or running on beside Lode.

Each has a session of its own: it has no terminal to write to or to read keys from, Ctrl+C is for Lode alone, and it is
killed with all that it started.
"""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

_PIECE = 16 * 1024
_TAIL_BYTES = 4096
"""Bytes of what a child last wrote that are kept."""
_END_SECONDS = 1.0
"""Time for the pipes of a program that has ended: something that it started may hold them for ever."""


@dataclass(frozen=True, slots=True)
class Ended:
    """End of a program; of what it printed in excess only the beginning is here."""

    returncode: int
    out: bytes
    errors: bytes


async def run(
    command: str | Sequence[str],
    *,
    stdin: bytes = b"",
    seconds: float,
    most_bytes: int,
    most_file_bytes: int = 0,
    directory: str | None = None,
) -> Ended:
    """Run a program, or a line of shell; it and its children are killed when it is late, prints too much, or nobody
    waits any more.

    ``most_bytes`` is for standard output and for errors each, ``most_file_bytes`` for every file that it writes, where
    the system can be told (0: any size). It runs in the ``directory``, or in ours.
    Raises ``OSError`` where it cannot be started, ``TimeoutError``.
    """
    process = await asyncio.create_subprocess_exec(
        *(("/bin/sh", "-c", command) if isinstance(command, str) else command),
        stdin=PIPE if stdin else DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        cwd=directory,
        start_new_session=True,
    )
    if most_file_bytes:
        _limit_files(process.pid, most_file_bytes)
    assert process.stdout is not None and process.stderr is not None
    try:
        async with asyncio.timeout(seconds):
            out, errors, _ = await asyncio.gather(
                _read_capped(process.stdout, most_bytes, lambda: _kill(process)),
                _read_capped(process.stderr, most_bytes, lambda: _kill(process)),
                _feed(process.stdin, stdin),
            )
            return Ended(await process.wait(), out, errors)
    finally:
        if process.returncode is None:
            _kill(process)
            # Its pipes are read to their end: as long as something is left in them it never counts as ended.
            with suppress(TimeoutError):
                async with asyncio.timeout(_END_SECONDS):
                    await process.communicate()


class Child:
    """A program that runs on; ``end`` must be called, whatever happens."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.tail = b""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, *command: str) -> Child:
        """Start a program; raises ``OSError``."""
        return cls(
            await asyncio.create_subprocess_exec(
                *command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, start_new_session=True
            )
        )

    async def _read(self) -> None:
        """Read what it writes, so that it never waits for a reader, and keep the end of that in ``tail``."""
        assert self._process.stdout is not None
        while piece := await self._process.stdout.read(_PIECE):
            self.tail = (self.tail + piece)[-_TAIL_BYTES:]

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    async def wait(self) -> int:
        """Wait for its end; gives its exit status, that of a signal negative."""
        status = await self._process.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                await asyncio.shield(self._reading)
        return status

    async def end(self) -> None:
        """Kill it with all that it started, at once, unless it has ended."""
        if not self.has_ended:
            _kill(self._process)
            await self.wait()
        self._reading.cancel()


def _kill(process: Process) -> None:
    """Kill a program with all that it started."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


async def _read_capped(stream: asyncio.StreamReader, most: int, kill: Callable[[], None]) -> bytes:
    """Read what is printed; of more than ``most`` bytes only the beginning is kept, and who prints it is killed."""
    begun = bytearray()
    while piece := await stream.read(_PIECE):
        if len(begun) > most:
            continue
        begun += piece
        if len(begun) > most:
            kill()
    return bytes(begun)


async def _feed(stream: asyncio.StreamWriter | None, text: bytes) -> None:
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
