"""Child processes: programs that run beside Lode, quiet, in no terminal, and end with all that they started."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from contextlib import suppress

from tui.text.sanitize import one_line

_PIECE = 4096
_TAIL_BYTES = 4096
"""Bytes of what it last wrote that are kept."""
_MOST_CHARACTERS = 200


class Child:
    """A running program; ``end`` must be called, whatever happens."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._tail = b""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, *command: str) -> Child:
        """Start a program; raises ``OSError``."""
        # A session of its own: it has no terminal to write to or to read keys from, and Ctrl+C is for Lode alone.
        return cls(
            await asyncio.create_subprocess_exec(
                *command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, start_new_session=os.name == "posix"
            )
        )

    async def _read(self) -> None:
        """Read what it writes, so that it never waits for a reader."""
        assert self._process.stdout is not None
        while piece := await self._process.stdout.read(_PIECE):
            self._tail = (self._tail + piece)[-_TAIL_BYTES:]

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    @property
    def last_line(self) -> str:
        """The last line that it wrote, made safe and short; "" where it wrote none."""
        lines = (one_line(line) for line in reversed(self._tail.decode("utf-8", "replace").splitlines()))
        return next(filter(None, lines), "")[:_MOST_CHARACTERS]

    async def ended(self) -> int:
        """Wait for its end; gives its exit status, that of a signal negative."""
        status = await self._process.wait()
        with suppress(TimeoutError):  # something that it started may hold the pipe for ever
            async with asyncio.timeout(1):
                await asyncio.shield(self._reading)
        return status

    async def end(self) -> None:
        """Kill it with all that it started, at once, unless it has ended."""
        if not self.has_ended:
            with suppress(OSError):
                if os.name == "posix":
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
            await self.ended()
        self._reading.cancel()
