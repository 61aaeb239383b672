"""The Textual app: its sections, themes and keys, and what it does when a screen asks for something."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import ClassVar, Literal

from textual import events, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.worker import Worker

from tui.config import Settings
from tui.controls import one_line
from tui.errors import LodeError
from tui.screens.library_news import ALL_KINDS, LibraryNews
from tui.screens.messages import GoBack, LibraryChanged, OpenBreakdown, OpenTranscript, SentenceLookedAt
from tui.screens.navigation import Navigation
from tui.screens.section import SectionScreen
from tui.screens.sections import section_screen
from tui.service.protocol import Service
from tui.widgets import themes
from tui.widgets.broken_worker import tell_of_broken_worker
from tui.widgets.cells import cut
from tui.widgets.top_line import SECTIONS, TopLine

_SETTLED_SECONDS = 0.2
"""Jobs of other processes are looked for only after the first list has been read."""
_STARTED_SECONDS = 2.0
"""When what start-up made is complete; see ``open_app`` of the command line."""


class LodeApp(App[None]):
    """Lode over one service, which it closes at its end. Nothing is read before the first frame is painted."""

    TITLE = "Lode"
    DEFAULT_MODE = "files"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            # Before what has the focus, as "/" is: else a "/" pressed right after it would overtake it.
            Binding(
                str(number), f"section('{name}')", name.capitalize(), show=False, priority=True, id=f"section.{name}"
            )
            for number, name in enumerate(SECTIONS, 1)
        ),
        Binding("u", "undo", "undo the last deletion", show=False, id="undo"),
        Binding("ctrl+p", "command_palette", "every command by name", show=False, id="palette"),
        Binding("question_mark,f1", "show_keys", "keys", tooltip="this list", id="keys"),
        Binding("q", "quit", "quit", show=False, id="quit"),
    ]

    def __init__(self, service: Service, settings: Settings) -> None:
        super().__init__()
        self.service = service
        self.settings = settings
        self._navigation = Navigation(self, service)
        self._news = LibraryNews(self, service.jobs)
        self._painted = False
        themes.begin_with(self, settings.theme)
        self.set_keymap(settings.keys)

    def get_default_screen(self) -> Screen[None]:
        return self._section_screen(self.DEFAULT_MODE)

    def _section_screen(self, name: str) -> SectionScreen:
        screen = section_screen(name, self.service)
        # Its style sheets are read when it is mounted; without this a new mode's screen has all of them read once more.
        screen._css_update_count = self._css_update_count
        screen.begin_with_size(self.size)
        return screen

    def delay_update(self, delay: float = 0.0) -> None:
        """Textual holds a new mode back for 50 ms lest it be seen half composed; ``Navigation`` waits instead."""

    def on_ready(self) -> None:
        self._painted = True
        for name in SECTIONS:
            self.add_mode(name, partial(self._section_screen, name))
        self._look_at(self.size)
        if self.settings.theme and self.theme != self.settings.theme:
            known = ", ".join(sorted(self.available_themes))
            self._say(f"there is no theme {self.settings.theme!r}; there are {known}", "warning")
        self.theme_changed_signal.subscribe(self, self._theme_chosen)
        self.set_timer(_SETTLED_SECONDS, self.watch_jobs)
        if not gc.isenabled():
            self.set_timer(_STARTED_SECONDS, self._collect_garbage_again)

    def _collect_garbage_again(self) -> None:
        gc.freeze()
        gc.enable()

    async def on_unmount(self) -> None:
        await self.service.close()

    def on_resize(self, event: events.Resize) -> None:
        if self._painted:
            self._look_at(event.size)

    def _look_at(self, size: Size) -> None:
        from tui.screens.too_small import TooSmall, is_too_small

        if is_too_small(size) and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())

    def _theme_chosen(self, _: object) -> None:
        self._say(f'to keep it, write theme = "{self.theme}" in {self.settings.config_path}')

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        tell_of_broken_worker(self, event)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: Literal["information", "warning", "error"] = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Of each line so much that the top line stays in sight: names and sentences may be of any length."""
        lines = message.splitlines()
        cells = (self.size.height - 6) * (min(60, self.size.width // 2) - 4) // max(1, len(lines))
        message = "\n".join(cut(line, max(40, cells)) for line in lines)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    def _say(self, message: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        self.notify(one_line(message), severity=severity, markup=False)

    # Going from section to section.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "section" and self.focused is not None and self.focused.check_consume_key("1", "1"):
            return False  # in a text field a digit is a digit
        return super().check_action(action, parameters)

    async def action_section(self, name: str) -> None:
        await self._when_it_may_be_left(partial(self._show, name))

    async def on_top_line_section_chosen(self, message: TopLine.SectionChosen) -> None:
        await self.action_section(message.section)

    async def action_do_in(self, section: str, action: str) -> None:
        """Go to a section and run one of its screen's actions."""

        async def go() -> None:
            await self._show(section)
            await self.run_action(action, self.screen)

        await self._when_it_may_be_left(go)

    async def _when_it_may_be_left(self, go: Callable[[], Awaitable[object]]) -> None:
        """Go, at once where nothing can be lost, so that the next key already finds the new screen."""
        screen = self.screen
        if isinstance(screen, SectionScreen) and screen.asks_before_leaving:

            async def ask() -> None:
                if await screen.may_leave():
                    await go()

            self.run_worker(ask(), group="leave", exclusive=True, exit_on_error=False)
        else:
            await go()

    async def _show(self, section: str) -> None:
        await self._navigation.show(section)
        self._news.tell_jobs()

    async def on_open_transcript(self, message: OpenTranscript) -> None:
        await self._navigation.open_transcript(message)
        self._news.tell_jobs()

    async def on_open_breakdown(self, message: OpenBreakdown) -> None:
        await self._navigation.open_breakdown(message)
        self._news.tell_jobs()

    async def on_go_back(self, _: GoBack) -> None:
        await self._navigation.go_back()

    def on_sentence_looked_at(self, message: SentenceLookedAt) -> None:
        self._navigation.look_at(message.request)

    def on_library_changed(self, message: LibraryChanged) -> None:
        self._news.tell(message.kinds)
        if "job" in message.kinds:
            self.watch_jobs()

    @work(exclusive=True, group="jobs", exit_on_error=False)
    async def watch_jobs(self) -> None:
        try:
            said, failed = await self._news.follow_jobs()
        except LodeError:
            return  # the list in sight says why the library cannot be read
        if said:
            self._say(said, "warning" if failed else "information")

    @work(exclusive=True, group="undo", exit_on_error=False)
    async def action_undo(self) -> None:
        try:
            restored = await self.service.undo()
        except LodeError as error:
            self._say(f"{error.message} {error.hint}", "error")
            return
        self._say("there is nothing to undo" if restored is None else f"back again: {restored.summary}")
        if restored is not None:
            self.post_message(LibraryChanged(*ALL_KINDS))

    def action_show_keys(self) -> None:
        from tui.screens.keys import KeysScreen, keys_of

        self.push_screen(KeysScreen(keys_of(self.screen)))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        from tui.screens.commands import commands

        return commands(self)

    async def action_quit(self) -> None:
        self.ask_and_quit()

    @work(exclusive=True, group="leave", exit_on_error=False)
    async def ask_and_quit(self) -> None:
        """Asks where jobs still run or something is unsaved."""
        from tui.screens.dialogs import Confirm

        screen = self.screen
        if isinstance(screen, SectionScreen) and not await screen.may_leave():
            return
        running = self._news.jobs_running
        question = "A job is still at work. Quit?" if running == 1 else f"{running} jobs are still at work. Quit?"
        details = ("What is not done yet can be tried again from the Jobs list.",)
        if not running or await self.push_screen_wait(Confirm(question, details, yes="Quit", no="Stay")):
            self.exit()
