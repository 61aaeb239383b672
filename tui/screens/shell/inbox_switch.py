"""Switch of the inbox: ``lode inbox`` for the profile that is worked in, as a process that ends with the app."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from textual.app import App

from tui import bounds
from tui.config import home_arguments
from tui.errors import LodeError, in_one_line
from tui.screens.section import open_sections

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from tui.config import Settings
    from tui.service.protocol import Service

_ADDRESS = re.compile(r"^Lode .* at (http://\S+:(\d+))$")
"""First line of one that listens."""
_END_SECONDS = 2.0
"""Time for one to answer what it was asked, and to close the library; what it has answered is on the disk."""
_MAX_LINE = bounds.INBOX_SAYS.entry_bytes


class InboxSwitch:
    """Switch of the app's own inbox, which is off at first."""

    def __init__(self, app: App[Any], settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._sign = ""
        """What the top lines say of it."""

    def show(self) -> None:
        """Show in every top line whether it listens."""
        for screen in open_sections(self._app):
            screen.show_inbox(self._sign)

    async def toggle(self, service: Service) -> None:
        """Start it for the profile of this service, or end it."""
        if service.location != "local":
            error = LodeError("the inbox runs where the library is", hint="lode serve --inbox there")
            self._app.notify(in_one_line(error), severity="error", markup=False)
            return
        async with self._one_at_a_time:
            if self._process is None:
                await self._start(service.profile)
            else:
                await self._end()
                self._app.notify("the inbox takes no more cards", markup=False)

    async def use_service(self, service: Service) -> None:
        """Take the cards for the profile of this service from now on, where it listens."""
        async with self._one_at_a_time:
            if self._process is not None:
                await self._end()
                await self._start(service.profile)

    async def end(self) -> None:
        """End it, where it was started."""
        async with self._one_at_a_time:
            await self._end()

    async def _start(self, profile: str) -> None:
        # "-P": this directory may have a "tui" of its own. Its session is for Ctrl+C, which is for the app alone.
        command = [sys.executable, "-P", "-m", "tui", *home_arguments(self._settings), "--url", "local"]
        command += ["--profile", profile, "inbox", "--with-input"]
        pipe, none = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        try:
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=none, stderr=pipe, start_new_session=True, limit=_MAX_LINE
            )
        except OSError as error:
            self._refuse(LodeError(f"the inbox could not be started: {error.strerror or error}"))
            return
        self._say_sign("inbox …")
        self._reading = asyncio.create_task(self._read(self._process, profile), name="inbox")

    async def _end(self) -> None:
        """End it with its input, by force where it takes too long."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        self._say_sign("")

    async def _read(self, process: Process, profile: str) -> None:
        """Read what it says, to its end, and tell where it listens, or why it does not."""
        assert process.stderr is not None
        cause, hint = "", ""
        async for line in _lines_of(process.stderr):
            if found := _ADDRESS.match(line):
                self._say_sign(f"inbox :{found[2]}")
                said = f"cards come into the profile {profile} at {found[1]} · lode help inbox says what to write where"
                self._app.notify(said, markup=False)
            elif line.startswith("error: "):
                cause, hint = line.removeprefix("error: "), ""
            elif cause and line.startswith("hint: "):
                hint = line.removeprefix("hint: ")
            elif line.startswith("warning: "):
                self._app.notify(f"inbox: {line.removeprefix('warning: ')}", severity="warning", markup=False)
        status = await process.wait()
        if process is self._process:
            self._process = None
            self._say_sign("")
            self._refuse(LodeError(cause or f"the inbox has ended ({status})", hint=hint or "lode inbox says why"))

    def _say_sign(self, sign: str) -> None:
        self._sign = sign
        self.show()

    def _refuse(self, error: LodeError) -> None:
        self._app.notify(in_one_line(error), severity="error", markup=False)


async def _lines_of(stream: asyncio.StreamReader) -> AsyncIterator[str]:
    """Iterate over the lines of a stream as they come, but for those that are longer than any of ours."""
    while True:
        try:
            line = await stream.readline()
        except ValueError:
            continue
        if not line:
            return
        yield line.decode("utf-8", "replace").rstrip()
