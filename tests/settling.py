"""Apps under Textual's pilot, waited for until all that they began is done and shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from textual.app import App
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

import tui.screens

STYLES = Path(tui.screens.__file__).parent
"""Where the style sheets are, for tests of single widgets in an app of their own."""


@asynccontextmanager
async def running(app: App[None], size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """The app, all that it began by itself done."""
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        yield pilot


async def settled(pilot: Pilot[None]) -> None:
    """Until no worker is at work and all is shown; fails where one never ends, as before an unanswered question."""
    await pilot.pause()
    while workers := list(pilot.app.workers):
        for worker in workers:
            with suppress(WorkerCancelled):  # a newer one took its place
                await worker.wait()
        await pilot.pause()
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press the keys, and wait until all that they began is done."""
    await pilot.press(*keys)
    await settled(pilot)


def on_screen(app: App[None]) -> str:
    """Everything that is drawn."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)
