"""A slow line before a program in a pseudo-terminal, as a train's network: so many bytes a second, and they come late.

What the line has no room for stays in the kernel's buffer of the terminal; once that is full, who writes has to wait.
"""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType

from tests.bench.terminal import SIZE, AnsweringProgram

_PIECE = 256
"""Bytes at most that the line takes at once."""
_CHUNK = 1 << 16
_LOOK_SECONDS = 0.2


class SlowLine:
    """Carries a program's output from ``far``, its terminal, to ``near``, where it is read, and back what is typed.

    Each way takes half of ``round_trip`` seconds, and the one to ``near`` carries ``bytes_per_second``.
    """

    def __init__(self, far: int, *, round_trip: float, bytes_per_second: float) -> None:
        self._far = far
        self._delay = round_trip / 2
        self._pace = bytes_per_second
        near, self._near = socket.socketpair()
        self.near = near.detach()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry)
        self._thread.start()

    def close(self) -> None:
        """Cut the line, and close the terminal; ``near`` is closed by whoever reads it."""
        self._over.set()
        self._thread.join()
        self._near.close()
        os.close(self._far)

    def _carry(self) -> None:
        output: deque[tuple[float, bytes]] = deque()
        typed: deque[tuple[float, bytes]] = deque()
        free_at = time.monotonic()
        sides = {self._far, self._near.fileno()}
        while not self._over.is_set() and (sides or output):
            now = time.monotonic()
            is_free = free_at <= now
            moments = [way[0][0] for way in (output, typed) if way] + ([] if is_free else [free_at])
            wait = max(0.0, min(moments) - now) if moments else _LOOK_SECONDS
            read = sides if is_free else sides - {self._far}
            for side in select.select(read, [], [], min(wait, _LOOK_SECONDS))[0]:
                data = _read(side, _PIECE if side == self._far else _CHUNK)
                now = time.monotonic()
                if not data:
                    sides.remove(side)
                elif side == self._far:
                    free_at = now + len(data) / self._pace
                    output.append((free_at + self._delay, data))
                else:
                    typed.append((now + self._delay, data))
            with suppress(OSError):  # nobody is there any more
                _pass_on(output, self._near.sendall)
                _pass_on(typed, lambda data: os.write(self._far, data))
        with suppress(OSError):
            self._near.shutdown(socket.SHUT_RDWR)


def _read(side: int, most: int) -> bytes:
    try:
        return os.read(side, most)
    except OSError:  # Linux says EIO when the program has ended
        return b""


def _pass_on(way: deque[tuple[float, bytes]], send: Callable[[bytes], object]) -> None:
    """Send what has been on its way for long enough."""
    while way and way[0][0] <= time.monotonic():
        send(way.popleft()[1])


class SlowProgram(AnsweringProgram):
    """A program behind a slow line, at whose near end is a terminal that answers."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environ: Mapping[str, str] | None = None,
        size: tuple[int, int] = SIZE,
        round_trip: float,
        bytes_per_second: float,
    ) -> None:
        super().__init__(command, environ=environ, size=size)
        self._line = SlowLine(self._fd, round_trip=round_trip, bytes_per_second=bytes_per_second)
        self._fd = self._line.near

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        self._line.close()
