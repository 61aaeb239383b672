"""mpv to be followed: one of Lode's own with a private socket, or one that runs already."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tui.errors import MediaError
from tui.playing.mpv import MpvConnection, check_mpv
from tui.playing.players import Film, mpv_track, private_directory, seconds
from tui.system.child_process import Child
from tui.text.sanitize import last_line, one_line

_MAX_SOCKET = 100
"""Bytes of a socket's path: the kernel takes 104 to 108."""
_START_SECONDS = 30.0
_LOOK_SECONDS = 0.05
_QUIT_SECONDS = 2.0
_FAILED = frozenset({1, 2, 3})
"""Exit statuses of mpv that say so, by its manual: not started, nothing played, some not played."""


@dataclass(frozen=True, slots=True)
class MpvSource:
    """Source of what is followed: the mpv at ``socket``, or where that is None one that is started with ``film``."""

    film: Path | None = None
    socket: Path | None = None


@asynccontextmanager
async def join_mpv(socket: Path) -> AsyncIterator[MpvConnection]:
    """Connect to an mpv that runs already, which goes on afterwards; raises as ``MpvConnection.open``."""
    connection = await MpvConnection.open(socket)
    try:
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def start_mpv(film: Film, *, start_ms: int = 0) -> AsyncIterator[MpvConnection]:
    """Start an mpv with a film, which ends with the block.

    Raises ``MediaError``, also after the block where mpv ended since it could not play the film: ``no_player`` where
    there is no mpv, ``player_failed`` where it does not start or cannot play that.
    """
    check_mpv()
    async with private_directory(_MAX_SOCKET - len("/mpv")) as place:  # who reaches mpv can have it run anything
        socket = place / "mpv"
        begin = [f"--start={seconds(start_ms)}", "--no-resume-playback"] if start_ms else []
        options = ["--msg-level=all=error", f"--input-ipc-server={socket}", "--idle=no", *mpv_track(film), *begin]
        try:
            child = await Child.start("mpv", *options, "--", str(film.path.absolute()))
        except (OSError, ValueError) as error:
            raise MediaError(f"mpv could not be started: {error}", code="player_failed") from error
        try:
            connection = await _connected(socket, child, film.path)
            try:
                yield connection
                if connection.has_ended:
                    await _ended_well(child, film.path)
            finally:
                await _quit(connection, child)
        finally:
            await child.end()


async def _connected(socket: Path, child: Child, film: Path) -> MpvConnection:
    """Connect to an mpv that is starting, as soon as it listens."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_START_SECONDS):
            while not child.has_ended:
                if socket.exists():
                    with suppress(MediaError):
                        return await MpvConnection.open(socket)
                await asyncio.sleep(_LOOK_SECONDS)
    if child.has_ended:
        await _ended_well(child, film)
        raise MediaError("mpv ended as soon as it was started", code="player_failed")
    raise MediaError("mpv was started and cannot be reached", code="player_failed")


async def _ended_well(child: Child, film: Path) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_QUIT_SECONDS):
            if await child.wait() in _FAILED:
                told = last_line(child.tail)
                raise MediaError(
                    f"mpv could not play {one_line(film.name)}" + (f": {told}" if told else ""), code="player_failed"
                )


async def _quit(connection: MpvConnection, child: Child) -> None:
    """Let mpv end as it does by itself, which remembers the place where people want that; then it is ended anyway."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_QUIT_SECONDS):
            with suppress(MediaError):  # it may end before it answers
                await connection.quit()
            await child.wait()
    await connection.close()
