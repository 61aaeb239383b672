"""mpv that is followed: one of Lode's own with a private socket, or one that runs already, and the cue it has come to.

It is spoken to over its JSON IPC: a line of JSON for each command, answer and event.

The format is that of mpv's manual, section "JSON IPC" (https://mpv.io/manual/stable/#json-ipc).
"""

import asyncio
import json
import shutil
from bisect import bisect_right
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from tui import bounds
from tui.errors import MediaError
from tui.playing.players import GET_MPV, Film, choose_mpv_track, make_private_directory, write_seconds
from tui.system.child_process import Child
from tui.text.sanitize import last_line, one_line

_PIECE = 65_536
_MAX_LINE_LENGTH = bounds.MPV.entry_bytes
"""Bytes of a line at most: the longest that mpv sends is the path of a file. A longer one is skipped."""
MAX_SECONDS = 1e9
"""Seconds of a moment at most, some thirty years of film: what is further on is no time, and is shown as none."""
_MAX_REFUSAL = 80
"""Characters of mpv's own words on what it did not do."""
_CONNECT_SECONDS = _ANSWER_SECONDS = bounds.MPV.seconds
_OBSERVED = ("time-pos", "pause", "path")


@dataclass(frozen=True, slots=True)
class Playback:
    """State of an mpv: ``time_ms`` None while it plays nothing, ``path`` as it was named to it, "" for none."""

    time_ms: int | None = None
    is_paused: bool = False
    path: str = ""


class MpvConnection:
    """Connection to an mpv; ``playback`` is what it said last. ``close`` must be called; mpv goes on then."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.playback = Playback()
        self._reader = reader
        self._writer = writer
        self._answers: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._last_id = 0
        self._changed = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, socket: Path) -> Self:
        """Connect to the mpv that listens at a Unix socket, and observe it.

        Raises ``MediaError``: ``no_mpv`` where none listens there, ``mpv_silent`` where what listens is no mpv,
        ``no_sockets`` where the system has none.
        """
        if not hasattr(asyncio, "open_unix_connection"):
            raise MediaError("mpv cannot be followed here: Lode speaks to it over a Unix socket", code="no_sockets")
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):  # one that accepts nobody lets wait for ever
                reader, writer = await asyncio.open_unix_connection(socket)
        except (OSError, ValueError) as error:
            raise MediaError(
                f"no mpv listens at {one_line(str(socket))}",
                hint=f"start it with: mpv --input-ipc-server={one_line(str(socket))} FILM",
                code="no_mpv",
            ) from error
        connection = cls(reader, writer)
        try:
            for number, name in enumerate(_OBSERVED, 1):
                await connection.command("observe_property", number, name)
        except BaseException:
            await connection.close()
            raise
        return connection

    @property
    def has_ended(self) -> bool:
        """Whether mpv has closed the connection."""
        return self._reading.done()

    async def states(self) -> AsyncGenerator[Playback, None]:
        """Yield the state whenever it has changed, of many changes the last, until mpv ends or is gone."""
        while not self.has_ended:
            await self._changed.wait()
            self._changed.clear()
            yield self.playback

    async def is_paused(self) -> bool:
        """Ask whether it is paused after all that it was told; ``playback`` may be behind. Raises as ``command``."""
        return await self.command("get_property", "pause") is True

    async def set_pause(self, is_paused: bool) -> None:
        """Pause, or play on; raises as ``command``."""
        await self.command("set_property", "pause", is_paused)

    async def toggle_pause(self) -> None:
        """Pause where it plays, play on where it is paused; raises as ``command``."""
        await self.command("cycle", "pause")

    async def seek(self, time_ms: int) -> None:
        """Go to a moment; raises as ``command``."""
        await self.command("seek", max(0, time_ms) / 1000, "absolute+exact")

    async def command(self, *words: object) -> object:
        """Send a command of mpv's, in the order of the calls, and give what it answers.

        Raises ``MediaError``: ``mpv_gone`` where it has ended, ``mpv_silent`` where it does not answer as mpv does,
        ``mpv_refused`` where it does not do that.
        """
        self._last_id += 1
        number, answer = self._last_id, asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        try:
            if self.has_ended:
                raise gone()
            self._writer.write(json.dumps({"command": words, "request_id": number}).encode() + b"\n")
            async with asyncio.timeout(_ANSWER_SECONDS):
                await self._writer.drain()
                said = await answer
        except TimeoutError as error:
            raise MediaError(
                "mpv does not answer", hint="is it another program that listens there?", code="mpv_silent"
            ) from error
        except OSError as error:
            raise gone() from error
        finally:
            del self._answers[number]
        if (told := said.get("error")) != "success":
            reason = one_line(told[:1000])[:_MAX_REFUSAL] if isinstance(told, str) else "it does not say why"
            raise MediaError(f"mpv did not do that: {reason}", code="mpv_refused")
        return said.get("data")

    async def close(self) -> None:
        """Close the connection; done already, nothing happens."""
        self._reading.cancel()
        self._writer.close()
        with suppress(OSError, asyncio.CancelledError):
            await self._reading

    async def _read(self) -> None:
        rest, is_too_long = bytearray(), False
        try:
            while piece := await self._reader.read(_PIECE):
                *ends, begun = piece.split(b"\n")
                for end in ends:
                    if not is_too_long:
                        self._take(bytes(rest + end))
                    rest, is_too_long = bytearray(), False
                rest += begun  # a line may come byte by byte
                if len(rest) > _MAX_LINE_LENGTH:
                    rest, is_too_long = bytearray(), True
        except OSError:
            pass  # it is gone, as after its end
        finally:
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(gone())
            self._changed.set()

    def _take(self, line: bytes) -> None:
        """Take a line for an answer or an event; what is neither is left alone, as a later mpv may say more."""
        try:
            said = json.loads(line.decode("utf-8", "replace"))  # names of files are in any encoding
        except (ValueError, RecursionError):
            return
        if not isinstance(said, dict):
            return
        if said.get("event") == "property-change":
            self._observe(said.get("name"), said.get("data"))
        elif "error" in said and type(number := said.get("request_id")) is int:  # True would be the first one
            answer = self._answers.get(number)
            if answer is not None and not answer.done():
                answer.set_result(said)

    def _observe(self, name: object, value: object) -> None:
        before = self.playback
        match name:
            case "time-pos":
                self.playback = replace(before, time_ms=_milliseconds(value))
            case "pause":
                self.playback = replace(before, is_paused=value is True)
            case "path":
                self.playback = replace(before, path=value if isinstance(value, str) else "")
        if self.playback != before:
            self._changed.set()


def gone() -> MediaError:
    """Make the error of an mpv that has ended."""
    return MediaError("mpv has ended", code="mpv_gone")


def check_mpv() -> None:
    """Raise ``MediaError`` (``no_player``) on a machine without mpv."""
    if shutil.which("mpv") is None:
        raise MediaError("mpv was not found here", hint=GET_MPV, code="no_player")


def _milliseconds(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    # Compared before anything is reckoned with it: an int of 400 digits fits no float, and NaN is less than nothing.
    return max(0, round(value * 1000)) if -MAX_SECONDS <= value <= MAX_SECONDS else None


_MAX_DIRECTORY_LENGTH = 100 - len("/mpv")
"""Bytes of the path of a socket's directory: of all of the socket's the kernel takes 104 to 108."""
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
    async with make_private_directory(_MAX_DIRECTORY_LENGTH) as place:  # who reaches mpv can have it run anything
        socket = place / "mpv"
        begin = [f"--start={write_seconds(start_ms)}", "--no-resume-playback"] if start_ms else []
        options = ["--msg-level=all=error", f"--input-ipc-server={socket}", *choose_mpv_track(film), *begin]
        try:
            child = await Child.start("mpv", "--idle=no", *options, "--", str(film.path.absolute()))
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
                await connection.command("quit")
            await child.wait()
    await connection.close()


_EARLY_MS = 80
"""Milliseconds by which a cue is shown early: two frames, since a player that goes to a moment stops a frame before."""


class CueTimes:
    """Beginnings of cues, each (index, milliseconds), in any order."""

    def __init__(self, cues: Iterable[tuple[int, int]]) -> None:
        in_order = sorted((start, index) for index, start in cues)
        self._starts = [start for start, _ in in_order]
        self._indexes = [index for _, index in in_order]

    def __bool__(self) -> bool:
        return bool(self._starts)

    def at(self, time_ms: int) -> int | None:
        """Index of the cue that began last, None before the first."""
        place = bisect_right(self._starts, time_ms + _EARLY_MS)
        return self._indexes[place - 1] if place else None
