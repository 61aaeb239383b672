"""Questions about unsaved changes and running work, before a screen, a profile or Lode is left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App

from tui.screens.section import SectionScreen, open_sections
from tui.screens.shell.library_updates import LibraryUpdates
from tui.screens.shell.navigation import Navigation

_GROUP = "leave"
"""Group of the workers that ask whether something may be left, the screens' own among them."""


class LeaveGuard:
    """Guard that asks before leaving, one question at a time: while one is open, another wish to leave is dropped.

    ``jobs_end_too``: those of a server go on when Lode is left, and are not asked about.
    """

    def __init__(self, app: App[Any], navigation: Navigation, updates: LibraryUpdates, *, jobs_end_too: bool) -> None:
        self._app = app
        self._jobs_end_too = jobs_end_too
        self._navigation = navigation
        self._updates = updates

    async def leave_for(self, go: Callable[[], Awaitable[object]]) -> None:
        """Go, at once where nothing can be lost, so that the next key already finds the new screen."""
        screen = self._app.screen
        if not isinstance(screen, SectionScreen) or not screen.has_unsaved_changes:
            await go()
            return

        async def ask() -> None:
            if await screen.may_leave():
                await go()

        self._ask(ask)

    def quit(self) -> None:
        """Quit; asks first where something is unsaved in any section, and where jobs still run."""
        self._ask(self._quit)

    def change_profile(self, go: Callable[[], Awaitable[None]]) -> None:
        """Go to another profile; asks first where anything in any section is unsaved or would break off."""

        async def change() -> None:
            section = self._app.current_mode
            if await self._may_leave_sections() and await self._may_break_off():
                await self._navigation.show(section)  # the questions may have led elsewhere
                await go()

        self._ask(change)

    def _ask(self, asking: Callable[[], Awaitable[None]]) -> None:
        if any(worker.group == _GROUP and not worker.is_finished for worker in self._app.workers):
            return  # its question is still to be answered
        self._app.run_worker(asking, group=_GROUP, exit_on_error=False)

    async def _quit(self) -> None:
        if await self._may_leave_sections() and await self._may_leave_jobs():
            self._app.exit()

    async def _may_leave_sections(self) -> bool:
        for screen in [screen for screen in open_sections(self._app) if screen.has_unsaved_changes]:
            await self._navigation.uncover(screen)
            if not await screen.may_leave():
                return False
        return True

    async def _may_break_off(self) -> bool:
        from tui.screens.dialogs.questions import Confirm

        work = tuple(filter(None, (screen.work_in_progress for screen in open_sections(self._app))))
        question = "Something is still at work here. Go to the other profile?"
        return not work or await self._app.push_screen_wait(Confirm(question, work, yes="Go", no="Stay"))

    async def _may_leave_jobs(self) -> bool:
        from tui.screens.dialogs.questions import Confirm

        running = await self._updates.jobs_at_work() if self._jobs_end_too else 0
        if not running:
            return True
        question = "A job is still at work. Quit?" if running == 1 else f"{running} jobs are still at work. Quit?"
        details = ("What is not done yet can be tried again from the Jobs list.",)
        return await self._app.push_screen_wait(Confirm(question, details, yes="Quit", no="Stay"))
