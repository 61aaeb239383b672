"""Brings what changes in the library to the sections that show it, at a calm pace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from typing import Any

from textual.app import App

from tui.screens.job_watch import JobWatch
from tui.screens.section import SectionScreen
from tui.service.protocol import Jobs
from tui.widgets.top_line import SECTIONS

ALL_KINDS = frozenset({"file", "transcript", "clip", "job", "template", "answer"})
_PACE_SECONDS = 0.2
"""What jobs change is shown at most this often, however many files are imported."""


class LibraryNews:
    """Knows the section screens of ``app`` that have been opened, and the jobs that are at work."""

    def __init__(self, app: App[Any], jobs: Jobs) -> None:
        self._app = app
        self._watch = JobWatch(jobs)
        self._waiting: set[str] = set()
        self._progress: tuple[float, ...] = ()
        self.jobs_running = 0

    def _sections(self) -> Iterator[SectionScreen]:
        for name in SECTIONS:
            try:
                stack = self._app.get_screen_stack(name)
            except KeyError:
                continue  # not opened yet
            yield from (screen for screen in stack if isinstance(screen, SectionScreen))

    def tell(self, kinds: frozenset[str]) -> None:
        """Records of these kinds changed."""
        for screen in self._sections():
            screen.library_changed(kinds)

    def tell_jobs(self) -> None:
        """Show in every top line how many jobs there are."""
        for screen in self._sections():
            screen.show_jobs(self.jobs_running, self._progress)

    async def follow_jobs(self) -> tuple[str, bool]:
        """Show what the jobs do until all are over; then how the imports went, and whether one failed."""
        async with aclosing(self._watch.follow()) as news:
            async for progress in news:
                self.jobs_running, self._progress = progress.count, progress.parts
                self.tell_jobs()
                if progress.changed is not None:
                    self._tell_soon("job", *(("file", "transcript") if progress.changed.is_over else ()))
        said, failed = self._watch.summary()
        # one may have ended between a list's reading and the look that this watch begins with
        self._tell_soon("job", *(("file", "transcript") if said else ()))
        return said, failed

    def _tell_soon(self, *kinds: str) -> None:
        if not self._waiting:
            self._app.set_timer(_PACE_SECONDS, self._tell_waiting)
        self._waiting.update(kinds)

    def _tell_waiting(self) -> None:
        kinds = frozenset(self._waiting)
        self._waiting.clear()
        self.tell(kinds)
