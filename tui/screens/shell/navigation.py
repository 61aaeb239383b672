"""Navigation from section to section, into a transcript or a breakdown, and back again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.screen import Screen

from tui.screens.messages import OpenBreakdown, OpenClips, OpenNextWords, OpenTranscript
from tui.screens.section import SECTIONS, SectionScreen, screen_stack
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest


class Navigation:
    """Navigation of ``app``: a section is a mode, and what is opened over its own screen lies on that mode's stack.

    ``esc`` leads back along the trail of sections from which something was opened; choosing a section begins it anew,
    and with no trail to follow it leads to the section that was shown before. ``on_arrival`` is called in every new
    place, ``add_section`` makes a section known to the app.
    """

    def __init__(
        self,
        app: App[Any],
        service: Service,
        add_section: Callable[[str], None],
        *,
        on_arrival: Callable[[], None] = lambda: None,
    ) -> None:
        self._app = app
        self._add_section = add_section
        self._on_arrival = on_arrival
        self._service = service
        self._trail: list[str] = []
        self._before = ""
        self._looked_at: BreakdownRequest | None = None

    def use_service(self, service: Service) -> None:
        """Lead through another profile of the library from now on, with no way back into the one before."""
        self._service = service
        self._trail.clear()
        self._before = ""
        self._looked_at = None

    async def show(self, section: str) -> None:
        """Show a section as it was left; the one that is in sight already shows its own screen again."""
        self._trail.clear()
        if section == self._app.current_mode:
            self._unwind()
        await self._go(section)

    async def _go(self, section: str) -> None:
        if section != self._app.current_mode:
            self._before = self._app.current_mode
            with self._app.batch_update():  # nothing is drawn before the section is composed
                await self._app.switch_mode(section)
        if section == "template":
            self._show_sample()
        self._on_arrival()

    def _unwind(self) -> None:
        while len(self._app.screen_stack) > 1:
            self._app.screen.dismiss(None)

    async def uncover(self, screen: SectionScreen) -> None:
        """Show this screen of whatever section; what lies over it goes, with no answer."""
        await self._go(screen.SECTION)
        while self._app.screen is not screen:
            self._app.screen.dismiss(None)

    async def leave(self, screen: Screen[Any], *, haven: str) -> bool:
        """Leave a screen that is broken: for what it lies over, else for the section ``haven``; its own section is made
        anew when it is chosen again. False where there is nowhere to go.
        """
        section = next((name for name in SECTIONS if screen in screen_stack(self._app, name)), "")
        if not section:
            return True  # it has gone already
        if screen is not screen_stack(self._app, section)[0]:
            while section == self._app.current_mode and self._app.screen is not screen:
                self._app.screen.dismiss(None)
            screen.dismiss(None)
            return True
        if section == haven:
            return False
        self._trail.clear()
        await self._go(haven)
        self._before = ""
        await self._app.remove_mode(section)
        self._add_section(section)
        return True

    async def open_transcript(self, asked: OpenTranscript) -> None:
        from tui.screens.reader.reader import ReaderScreen

        self._trail.append(self._app.current_mode)
        await self._go("transcripts")
        self._unwind()
        screen = ReaderScreen(self._service, asked.transcript_id, asked.cue_index, asked.follow)
        await self._app.push_screen(screen)
        self._on_arrival()

    async def open_breakdown(self, asked: OpenBreakdown) -> None:
        from tui.screens.answer.breakdown import BreakdownScreen

        self._trail.append(self._app.current_mode)
        await self._go("breakdown")
        screen = self._app.screen_stack[0]
        if isinstance(screen, BreakdownScreen):
            screen.ask(asked.request, asked.draft, shown=asked.shown)

    async def open_dictionaries(self) -> None:
        from tui.screens.lists.dictionaries import DictionariesScreen

        if isinstance(self._app.screen, DictionariesScreen):
            return
        self._trail.append(self._app.current_mode)
        await self._go(DictionariesScreen.SECTION)
        self._unwind()
        await self._app.push_screen(DictionariesScreen(self._service))
        self._on_arrival()

    async def open_clips(self, asked: OpenClips) -> None:
        from tui.screens.lists.clips import ClipsScreen

        self._trail.append(self._app.current_mode)
        await self._go("clips")
        self._unwind()
        screen = self._app.screen_stack[0]
        if isinstance(screen, ClipsScreen):
            await screen.filter_by(asked.q)

    async def open_next_words(self, asked: OpenNextWords) -> None:
        from tui.screens.words.next_words import NextWordsScreen

        self._trail.append(self._app.current_mode)
        await self._go("words")
        self._unwind()
        await self._app.push_screen(NextWordsScreen(self._service, asked.transcript_id, asked.title))
        self._on_arrival()

    async def go_back(self) -> None:
        if len(self._app.screen_stack) > 1:
            self._app.pop_screen()
        elif not self._trail and self._before:
            await self._go(self._before)
        if self._trail:
            await self._go(self._trail.pop())

    def look_at(self, request: BreakdownRequest) -> None:
        """Remember a sentence for the template's preview; news of it may come after the section was left."""
        self._looked_at = request
        if self._app.current_mode == "template":
            self._show_sample()

    def _show_sample(self) -> None:
        from tui.screens.forms.template import TemplateScreen

        screen = self._app.screen_stack[0]
        if self._looked_at is not None and isinstance(screen, TemplateScreen):
            screen.use_sample(self._looked_at)
            self._looked_at = None  # until another sentence is looked at, the sample is the user's
