"""Context of a command: home directory, profile and server, and from them the settings and the service."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tui.cli.output import console
from tui.errors import InvalidInput
from tui.system.disk import look_at_disk

if TYPE_CHECKING:
    from tui.config import Settings
    from tui.playing.mpv import MpvSource
    from tui.remote.service import RemoteService
    from tui.service.protocol import Service

T = TypeVar("T")

HERE = "local"
"""The ``url`` that means this machine's own library, whatever the settings say."""


class Context:
    """Values of ``--home``, ``--profile`` and ``--url``, before or after the command; None is what the settings say."""

    def __init__(self, home: Path | None = None, profile: str | None = None, url: str | None = None) -> None:
        self.home = home
        self.profile = profile
        self.url = url

    def settings(self) -> Settings:
        """Raises ``InvalidInput`` for a bad settings file or profile name."""
        from dataclasses import replace

        from tui import config

        settings = look_at_disk(lambda: config.load(self.home))
        if self.profile is None:
            return settings
        return replace(settings, profile=config.check_profile(self.profile))

    def address(self, settings: Settings | None = None) -> str:
        """The server's address: ``--url``, else ``LODE_URL``, else the settings'; "" for this machine's own library."""
        url = self.url or os.environ.get("LODE_URL") or (settings.url if settings is not None else "")
        return "" if url == HERE else url

    def service(self, settings: Settings) -> Service:
        """The service, wherever the library is; nothing is opened or connected yet."""
        if url := self.address(settings):
            return self.remote(url, settings)
        from tui.service.local import LocalService

        return LocalService(settings)

    def remote(self, url: str, settings: Settings) -> RemoteService:
        """The library of a server. Raises ``InvalidInput`` for what is no address, and for a token that is none."""
        from tui.records.vocabulary import RunningAnki
        from tui.remote.service import RemoteService

        anki = RunningAnki(settings.anki_url, settings.anki_key_env)
        return RemoteService(url, settings.profile, token=self.token(settings, url), anki=anki)

    def token(self, settings: Settings, url: str) -> str:
        """Token for the server at ``url``: ``LODE_TOKEN``, else what the settings' file has; "" for none.

        That file is the token of the settings' server, where they name one, and no other server gets to see it.
        """
        from tui.cli.arguments import token_of
        from tui.remote.connection import parse_address

        if given := token_of(None, os.environ):
            return given
        is_another = settings.url and parse_address(settings.url).origin != parse_address(url).origin
        return "" if is_another else token_of(settings.token_file, {})

    def run(self, work: Callable[[Service], Coroutine[Any, Any, T]]) -> T:
        """``work`` with the open service; the service is closed whatever happens. Ctrl+C cancels ``work`` first."""
        from tui.system import event_loop

        settings = self.settings()

        async def worked() -> T:
            service = self.service(settings)
            try:
                outcome = await work(service)
                if service.location == HERE and service.trouble:
                    console.tell(f"warning: {service.trouble}")
                return outcome
            finally:
                await service.close()

        return event_loop.run(event_loop.interruptible(worked()))

    def finish(self, work: Callable[[Service], Coroutine[Any, Any, bool]]) -> None:
        """Run ``work`` and end the command with the exit code 1 where it says that something failed."""
        if not self.run(work):
            from click.exceptions import Exit

            raise Exit(1)

    def open_app(self, follows: tuple[str, MpvSource | None] | None = None) -> int:
        """Open the app on this terminal, at a transcript where one is given, and with an mpv to be followed there.

        Gives the exit code. Raises ``InvalidInput`` when there is no terminal, or none that can show it.
        """
        if sys.stdin is None or not sys.stdin.isatty() or not sys.stdout.isatty():
            raise InvalidInput(
                "the app needs a terminal to run in", hint="in pipes and scripts use the commands: lode --help"
            )
        if os.environ.get("TERM") == "dumb":
            raise InvalidInput(
                "the app needs a terminal that can move its cursor, and this one says that it cannot (TERM=dumb)",
                hint="set TERM to what it is, as in TERM=xterm-256color lode, or use the commands: lode --help",
            )
        import asyncio
        import gc

        # Start-up makes a hundred thousand objects that stay. By default the young ones are looked through for garbage
        # after every 700, and all of them now and then: a tenth of the time to the first frame, and later 25 ms in the
        # middle of a key.
        gc.disable()
        gc.set_threshold(10_000)
        from tui.app import LodeApp
        from tui.cli import signals
        from tui.system import event_loop

        settings = self.settings()

        running: list[tuple[LodeApp, asyncio.AbstractEventLoop]] = []

        async def opened() -> int:
            app = LodeApp(self.service(settings), settings, asks_first=True, follows=follows)  # it closes the service
            running.append((app, asyncio.get_running_loop()))
            gc.freeze()
            gc.enable()
            await app.run_async(mouse=settings.mouse)
            running.clear()
            return signals.exit_code(app.return_code or 0)

        def end(code: int) -> None:
            for app, loop in running:
                loop.call_soon_threadsafe(app.end, code)
            if not running:  # the terminal is as it was, and what was acknowledged is on the disk
                os._exit(code)

        def end_at_once(code: int) -> None:
            for app, _ in running:
                app.end_at_once(code)
            os._exit(code)

        # Before the loop begins: a signal that cancelled what starts in it could be lost there.
        with signals.hand_to(end, end_at_once):
            return event_loop.run(opened())
