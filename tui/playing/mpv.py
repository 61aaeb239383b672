"""Connection to an mpv over its JSON IPC: a line of JSON for each command, answer and event.

The format is that of mpv's manual, section "JSON IPC" (https://mpv.io/manual/stable/#json-ipc).
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tui import bounds
from tui.errors import MediaError
from tui.playing.players import GET_MPV
from tui.text.sanitize import one_line

_PIECE = 65_536
_MAX_LINE = bounds.MPV.entry_bytes
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
    async def open(cls, socket: Path) -> MpvConnection:
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

    async def quit(self) -> None:
        """End mpv; raises as ``command``."""
        await self.command("quit")

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
                if len(rest) > _MAX_LINE:
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
