"""The worker process from outside: frames over its pipes, and an end that nobody has to wait for.

Asyncio's own ``Process.wait`` returns only when every pipe has been read to its end, and its streams stop reading
while an answer is larger than they like: to kill such a process and wait for it is to wait for ever. So this speaks
the protocol beneath the streams, which never stops reading, and whoever waits for a frame is told when the process
is killed.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, cast

_HEADER = 4
_MAX_FRAME = 4 * 1024 * 1024
"""Bytes of an answer: the longest prompt, each character escaped, is a fifth of it."""
_LAG = 0.02
"""Seconds beyond the limit that an answer is given which may lie in the pipe already."""
_END_LIMIT = 2.0
"""Seconds that the system has to collect a dead process; one that only closed its pipes is killed after them."""
_PACKAGES = Path(__file__).resolve().parents[2]


class PromptProcess(asyncio.SubprocessProtocol):
    """One process, one exchange at a time. Once killed, or out of step, it is never used again."""

    def __init__(self) -> None:
        self._transport: asyncio.SubprocessTransport | None = None
        self._inbox = bytearray()
        self._frame: asyncio.Future[dict[str, Any]] | None = None
        self._usable = True
        self._ended = asyncio.Event()

    @property
    def is_usable(self) -> bool:
        return self._usable

    @property
    def pid(self) -> int:
        """0 before it has begun."""
        return self._transport.get_pid() if self._transport is not None else 0

    async def start(self, limit: float) -> None:
        """Returns when it is ready; raises ``EOFError``, ``OSError`` or ``TimeoutError`` (after ``limit`` seconds)."""
        try:
            # From the folder that holds this package, so that the working directory can't slip another one in.
            await asyncio.get_running_loop().subprocess_exec(
                lambda: self,
                sys.executable,
                *("-m", "tui.prompts.prompt_worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=_PACKAGES,
            )
        except BaseException:
            self._usable = False
            raise
        await self._received(limit)

    async def exchange(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        """The answer; raises ``EOFError`` when the process ends before it, ``TimeoutError`` after ``limit`` seconds."""
        if self._usable and self._transport is not None:
            body = json.dumps(request).encode("ascii")
            inlet = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
            inlet.write(len(body).to_bytes(_HEADER, "big") + body)
        return await self._received(limit)

    def kill(self) -> None:
        """End it at once, at any moment; what waits for it gets ``EOFError``."""
        self._lose()
        if self._transport is not None:
            self._transport.close()

    async def ended(self) -> None:
        """Wait until the system has collected a process that was lost or killed, but not for ever."""
        if self._transport is None:
            return
        try:
            async with asyncio.timeout(_END_LIMIT):
                await self._ended.wait()
        except TimeoutError:
            self.kill()

    async def _received(self, limit: float) -> dict[str, Any]:
        if not self._usable:
            raise EOFError("the process has ended")
        frame: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._frame = frame
        self._take()
        try:
            came, _ = await asyncio.wait((frame,), timeout=limit)
            if not came:
                # An event loop that was busy for so long has perhaps not looked into its pipes yet.
                came, _ = await asyncio.wait((frame,), timeout=_LAG)
            if not came:
                raise TimeoutError
            return frame.result()
        except (TimeoutError, asyncio.CancelledError):
            frame.cancel()
            self.kill()  # an answer that nobody takes would be taken for the next one's
            raise
        finally:
            self._frame = None

    def _take(self) -> None:
        """Hand a whole frame to who waits for it."""
        inbox = self._inbox
        if self._frame is None or self._frame.done() or len(inbox) < _HEADER:
            return
        end = _HEADER + int.from_bytes(inbox[:_HEADER], "big")
        if end > _MAX_FRAME:
            self.kill()
        elif len(inbox) >= end:
            body = bytes(inbox[_HEADER:end])
            del inbox[:end]
            try:
                self._frame.set_result(json.loads(body))
            except ValueError:
                self.kill()

    def _lose(self) -> None:
        self._usable = False
        if self._frame is not None and not self._frame.done():
            self._frame.set_exception(EOFError("the process has ended"))

    # What the event loop tells.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        if not self._usable:
            self._transport.close()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._inbox += data
        self._take()
        if len(self._inbox) > _MAX_FRAME:
            self.kill()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._lose()  # and no more: to kill what has just died by itself would take its status from the event loop

    def process_exited(self) -> None:
        self._ended.set()
        self.kill()
