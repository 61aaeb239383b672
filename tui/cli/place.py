"""Where a command works: the home directory and the profile, and from them the settings and the service."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tui.errors import InvalidInput

if TYPE_CHECKING:
    from tui.config import Settings
    from tui.service.protocol import Service

T = TypeVar("T")


@dataclass(slots=True)
class Place:
    """What ``--home`` and ``--profile`` said, before or after the command; None is what the settings say."""

    home: Path | None = None
    profile: str | None = None

    def settings(self) -> Settings:
        """Raises ``InvalidInput`` for a bad settings file or profile name."""
        from dataclasses import replace

        from tui import config

        settings = config.load(self.home)
        if self.profile is None:
            return settings
        return replace(settings, profile=config.check_profile(self.profile))

    def run(self, work: Callable[[Service], Coroutine[Any, Any, T]]) -> T:
        """``work`` with the open service; the service is closed whatever happens. Ctrl+C cancels ``work`` first."""
        import asyncio

        from tui.service.local import LocalService

        settings = self.settings()

        async def worked() -> T:
            service = LocalService(settings)
            try:
                return await work(service)
            finally:
                await service.close()

        return asyncio.run(worked())

    def open_app(self) -> None:
        """Open the app on this terminal; raises ``InvalidInput`` when there is none, or none that can show it."""
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

        # What start-up makes is there to stay: looking through it for garbage again and again takes a sixth of the
        # time to the first frame. The app turns collecting on again once it has settled.
        gc.disable()
        from tui.app import LodeApp
        from tui.service.local import LocalService

        settings = self.settings()

        async def opened() -> int:
            app = LodeApp(LocalService(settings), settings)  # it closes the service
            await app.run_async(mouse=settings.mouse)
            return app.return_code or 0

        if code := asyncio.run(opened()):
            raise click.exceptions.Exit(code)
