"""Textual app: sections, themes, key bindings, and the handlers of the messages that screens send it."""

from __future__ import annotations

import os
import sys
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textual import events, on
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Size
from textual.screen import Screen
from textual.worker import Worker

from tui.compat.app import Fault, FaultTolerantApp, restore_terminal, spare_css_update
from tui.compat.keyboard import MAX_PASTE
from tui.errors import LodeError, in_one_line
from tui.screens import messages
from tui.screens.input_queue import QueuedInputApp
from tui.screens.last_filters import LastFilters
from tui.screens.looks import ListLook, ReadingLook
from tui.screens.section import SECTIONS, SectionScreen
from tui.screens.shell.chosen_look import LookName, keep_list, keep_look, read_lists, with_chosen_look
from tui.screens.shell.exceptions import Faults
from tui.screens.shell.inbox_switch import InboxSwitch
from tui.screens.shell.library_updates import LOOK_SECONDS, LibraryUpdates
from tui.screens.shell.navigation import LeaveGuard, Navigation
from tui.screens.shell.section_screens import SectionScreens
from tui.screens.shell.toasts import TOASTS_CSS, Toast, Toasts, shortened
from tui.system import crash_reports
from tui.text.display import number
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.notice import show_worker_error
from tui.widgets.chrome.targets import cursor_of
from tui.widgets.chrome.themes import NO_COLOUR_CSS, install_look

if TYPE_CHECKING:
    from tui.config import Settings
    from tui.playing.mpv import MpvSource
    from tui.service.protocol import Service
    from tui.widgets.chrome.top_line import TopLine

_ONE_CAUSE_SECONDS = 1.0
"""Seconds in which the same error is shown once: while the library does not answer, all that is read fails alike."""
_OF_SECTIONS = ("section", "profiles", "find_anything", "labels", "place", "bookmarks", "reviews")
"""Actions that lead from section to section."""
_BETWEEN = "between profiles"
"""Mode that is shown while those of the sections are made anew."""
_HUNG_UP = 129
"""Exit code after a hang-up: 128 + SIGHUP, which not every system has."""


class LodeApp(QueuedInputApp[None], FaultTolerantApp[None]):
    """App over one service, which it closes at its end. Nothing is read before the first frame is painted.

    ``service`` is that of the profile that is worked in, at first the one handed in.
    """

    TITLE = "Lode"
    DEFAULT_MODE = "files"
    CSS = TOASTS_CSS + NO_COLOUR_CSS
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            # Before what has the focus, as "/" is: else a "/" pressed right after it would overtake it.
            Binding(
                f"{place}", f"section('{name}')", name.capitalize(), show=False, priority=True, id=f"section.{name}"
            )
            for place, name in enumerate(SECTIONS, 1)
        ),
        Binding("u", "undo", "undo the last step: a deletion, a clip …", show=False, id="undo"),
        Binding("U", "choose_undo", "what undo can take back", show=False, id="undo.list"),
        Binding("ctrl+r", "redo", "redo what was undone last", show=False, id="redo"),
        Binding(
            "less_than_sign,ctrl+o", "place(-1)", "back to the place one came from", show=False, id="reader.place_back"
        ),
        Binding("greater_than_sign", "place(1)", "forward again", show=False, id="reader.place_forward"),
        Binding("apostrophe", "bookmarks", "bookmarks", show=False, id="bookmarks"),
        Binding("B", "reviews", "the review of what waits", show=False, id="reviews"),
        Binding("ctrl+p,colon", "command_palette", "every command by name", show=False, id="palette"),
        Binding("ctrl+f", "find_anything", "find anything", show=False, priority=True, id="find.anything"),
        Binding("f", "labels", "letters on all that can be reached: type one to go there", show=False, id="labels"),
        Binding("ctrl+l", "redraw", "draw the screen anew, the line in the middle", show=False, id="redraw"),
        Binding("at", "profiles", "profiles", show=False, tooltip="go to another profile, or make one", id="profiles"),
        Binding("question_mark,f1", "show_keys", "keys", tooltip="this list", id="keys"),
        Binding("q", "quit", "quit", show=False, id="quit"),
        Binding("ctrl+q", "quit", "quit", show=False, priority=True),  # in a field and over a question too
        Binding("ctrl+c", "say_how_to_quit", show=False, system=True),
        Binding("ctrl+z", "suspend_process", show=False, system=True),
    ]

    def __init__(
        self,
        service: Service,
        settings: Settings,
        *,
        asks_first: bool = False,
        follows: tuple[str, MpvSource | None] | None = None,
    ) -> None:
        super().__init__()
        self._follows = follows
        """The transcript to begin at, and the mpv to be followed there, if any."""
        self._asks_first = asks_first
        """Whether the first start of a new library begins with the question for the languages."""
        self.service = service
        self._services = {service.profile: service}
        """Services of the profiles that were shown, by name; closing the first closes all."""
        self.settings = settings
        self._updates = LibraryUpdates(self, service, self._services)
        self.section_screens = SectionScreens(self, lambda: self.service)
        self._inbox = InboxSwitch(self, settings)
        self._navigation = Navigation(self, service, self.section_screens.add, on_arrival=self._show_signs)
        self._leave_guard = LeaveGuard(self, self._navigation, self._updates, jobs_end_too=service.location == "local")
        self._faults = Faults(self, settings.home, self._leave_broken)
        self._toasts = Toasts(self._show_toast, self.clear_notifications, self.call_later)
        self._has_listed = False
        self._last_error = "", 0.0  # the last error, and when that was
        look = with_chosen_look(settings)
        install_look(self, look.theme, look.word_tints)
        self.reading_look = ReadingLook(look.text_width, look.line_spacing)
        self.last_filters = LastFilters(settings.home)
        self.list_looks = {name: ListLook.read(kept) for name, kept in read_lists(settings).items()}
        self.shows_cursor = settings.cursor
        self.set_keymap(settings.keys)

    def get_default_screen(self) -> Screen[None]:
        return self.section_screens.make(self.DEFAULT_MODE)

    @property
    def cursor_position(self) -> Offset:
        """Where the terminal's cursor stands, which braille displays follow: asked for with each painting."""
        return cursor_of(self.focused)

    @cursor_position.setter
    def cursor_position(self, _: Offset) -> None:
        """Take no notice: Textual's fields say it before they are laid out, and where another screen lies over them."""

    def delay_update(self, delay: float = 0.0) -> None:
        """Do nothing: Textual would hold a new mode back for 50 ms; ``Navigation`` waits until it is composed."""

    def on_ready(self) -> None:
        self.goes_on = True
        for name in SECTIONS:
            self.section_screens.add(name)
        self._check_size(self.size)
        if self.settings.keys or self.settings.theme:
            from tui.screens.shell.keymap import notify_problems

            self.run_worker(notify_problems(self, self.settings), exit_on_error=False)
        self.theme_changed_signal.subscribe(self, lambda _: self._keep_look("theme", self.theme))
        # Another program had the terminal, and Textual itself draws only what has changed.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))

    def on_record_table_loaded(self) -> None:
        if not self._has_listed:
            self._has_listed = True
            self.call_after_refresh(self._prepare_visits)

    def _prepare_visits(self) -> None:
        """Do what can wait until the first list has been painted."""
        self.run_worker(self.section_screens.build_ahead(), exit_on_error=False)
        self._updates.watch_jobs()
        self.set_interval(LOOK_SECONDS, self._updates.look)
        if self._asks_first:
            from tui.screens.profile_settings import ask_at_first_start

            self.run_worker(ask_at_first_start(self, self.service), group="languages", exit_on_error=False)
        if self._follows is not None:
            transcript_id, mpv = self._follows
            self.post_message(messages.OpenTranscript(transcript_id, follow=mpv))

    async def on_unmount(self) -> None:
        await self._inbox.end()
        await next(iter(self._services.values())).close()

    def on_resize(self, event: events.Resize) -> None:
        if self.goes_on:
            self._check_size(event.size)

    def _check_size(self, size: Size) -> None:
        from tui.screens.shell.minimum_size import cover_if_too_small

        cover_if_too_small(self, size)

    def _keep_look(self, name: LookName, chosen: str | int) -> None:
        try:
            keep_look(self.settings, name, chosen)
        except OSError as error:
            self._notify_line(f"{chosen} is not kept: {error.strerror or error} ({self.settings.home})")

    # Faults and ends.

    def take_fault(self, fault: Fault) -> None:
        self.input_queue.give_up()
        self._faults.handle(fault)

    def last_words(self, error: Exception) -> str:
        path = crash_reports.write(self.settings.home, error)
        hint = f"\nhint: please report it; {path} says where it was" if path else ""
        return f"error: unexpected {type(error).__name__}{hint}"

    async def _leave_broken(self, screen: Screen[Any]) -> None:
        if not await self._navigation.leave(screen, haven=self.DEFAULT_MODE):
            self.exit(return_code=1, message="error: Lode broke\nhint: lode doctor says where the report is")

    def on_paste_too_long(self) -> None:
        self.notify(
            f"nothing was pasted: a paste has at most {number(MAX_PASTE)} characters; save it as a file and add that",
            severity="warning",
        )

    def terminal_gone(self) -> None:
        self.end(_HUNG_UP)

    def end(self, return_code: int) -> None:
        """End as ``ctrl+q`` does, asking nothing: for a signal, or when nobody is there any more."""
        self.exit(return_code=return_code)

    def end_at_once(self, return_code: int) -> None:
        """End without closing anything but the terminal: what was acknowledged is on the disk."""
        restore_terminal(self)
        os._exit(return_code)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        show_worker_error(self, event)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: Literal["information", "warning", "error"] = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        if severity == "error" and self.service.trouble:
            before, self._last_error = self._last_error, ("".join(filter(str.isalnum, message)), monotonic())
            if before[0] == self._last_error[0] and self._last_error[1] - before[1] < _ONE_CAUSE_SECONDS:
                return  # told by everything that it keeps from being read
        self._toasts.add(message, title=title, severity=severity, timeout=timeout)

    def _show_toast(self, toast: Toast, seconds: float) -> None:
        text = shortened(toast.message, self.size)
        super().notify(text, title=toast.title, severity=toast.severity, timeout=seconds, markup=False)

    def on_news(self, news: messages.News) -> None:
        self._toasts.add_news(news)

    def _notify_line(self, message: str) -> None:
        self.notify(one_line(message), markup=False)

    # Going from section to section.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in _OF_SECTIONS and self.screen.is_modal:
            return False  # what lies over a section is answered or closed first
        if action == "redo" and self.focused is not None and self.focused.check_consume_key("u", "u"):
            return False  # nor can anything be undone where u is a letter
        if action == "section" and self.focused is not None and self.focused.check_consume_key("1", "1"):
            return False  # in a text field a digit is a digit
        return super().check_action(action, parameters)

    async def action_section(self, name: str) -> None:
        await self._leave_guard.leave_for(partial(self._navigation.show, name))

    def _show_signs(self) -> None:
        self._updates.show_jobs()
        self._inbox.show()

    async def on_top_line_section_chosen(self, message: TopLine.SectionChosen) -> None:
        await self.action_section(message.section)

    # Going from profile to profile.

    async def on_top_line_profile_clicked(self) -> None:
        await self.action_profiles()

    async def action_profiles(self) -> None:
        from tui.screens.dialogs.profiles import ProfileChoice

        await self.push_screen(ProfileChoice(self.service, self._services), self._profile_chosen)

    def _profile_chosen(self, profile: str | None) -> None:
        if profile is not None and profile != self.service.profile:
            self._leave_guard.change_profile(partial(self._show_profile, profile))

    async def _show_profile(self, profile: str) -> None:
        """Show another profile in every section; work that the screens of the one before had begun ends with them."""
        if profile not in self._services:
            self._services[profile] = self.service.of(profile)
        self.service = self._services[profile]
        self._navigation.use_service(self.service)
        here = self.current_mode
        with self.batch_update():  # nothing is drawn before the section is composed
            self.add_mode(_BETWEEN, lambda: spare_css_update(self, Screen()))  # the mode one is in can't be removed
            await self.switch_mode(_BETWEEN)
            for name in SECTIONS:
                await self.remove_mode(name)
                self.section_screens.add(name)
            await self.switch_mode(here)
            await self.remove_mode(_BETWEEN)
        self._updates.use_service(self.service)
        self.run_worker(self._inbox.use_service(self.service), group="inbox", exit_on_error=False)
        keep = f'to begin with it, write profile = "{profile}" in {self.settings.config_path}'
        self._notify_line(f"profile {profile}" + ("" if profile == self.settings.profile else f" · {keep}"))

    async def action_do_in(self, section: str, action: str) -> None:
        """Go to a section and run one of its screen's actions."""

        async def go() -> None:
            await self._navigation.show(section)
            await self.run_action(action, self.screen)

        await self._leave_guard.leave_for(go)

    @on(messages.Open)
    async def _open(self, asked: messages.Open) -> None:
        await self._leave_guard.leave_for(partial(self._navigation.open, asked))

    def action_views(self) -> None:
        from tui.screens.dialogs.views import choose_view

        self.run_worker(choose_view(self, self.service), group="views", exclusive=True, exit_on_error=False)

    def on_reading_look_chosen(self, message: messages.ReadingLookChosen) -> None:
        before, self.reading_look = self.reading_look, message.look
        if message.look.text_width != before.text_width:
            self._keep_look("text_width", message.look.text_width)
        if message.look.line_spacing != before.line_spacing:
            self._keep_look("line_spacing", message.look.line_spacing)

    def on_list_look_chosen(self, message: messages.ListLookChosen) -> None:
        self.list_looks[message.name] = message.look
        try:
            keep_list(self.settings, message.name, message.look.as_json())
        except OSError as error:
            self._notify_line(f"the look of the list is not kept: {error.strerror or error} ({self.settings.home})")

    async def on_go_back(self, _: messages.GoBack) -> None:
        await self._navigation.go_back()

    def on_sentence_looked_at(self, message: messages.SentenceLookedAt) -> None:
        self._navigation.look_at(message.request)

    def on_library_changed(self, message: messages.LibraryChanged) -> None:
        self._updates.changed(message.kinds, message.jobs)

    def action_find_anything(self) -> None:
        from tui.screens.dialogs.find_anything import FindAnything, Found, open_found

        def chosen(found: Found | None) -> None:
            if found is not None:
                open_found(self, self.service, found)

        self.push_screen(FindAnything(self.service), chosen)

    def action_languages(self) -> None:
        from tui.screens.profile_settings import edit_languages

        self.run_worker(edit_languages(self, self.service), group="languages", exclusive=True, exit_on_error=False)

    def action_cards(self) -> None:
        from tui.screens.profile_settings import edit_cards

        self.run_worker(edit_cards(self, self.service), group="cards", exclusive=True, exit_on_error=False)

    async def action_place(self, step: int) -> None:
        """Go back to the place one came from, or forward again."""
        await self._leave_guard.leave_for(partial(self._navigation.travel, step))

    async def action_bookmarks(self) -> None:
        await self._leave_guard.leave_for(self._navigation.open_bookmarks)

    async def action_reviews(self) -> None:
        await self._leave_guard.leave_for(self._navigation.open_reviews)

    async def action_open_dictionaries(self) -> None:
        await self._leave_guard.leave_for(self._navigation.open_dictionaries)

    def action_inbox(self) -> None:
        self.run_worker(self._inbox.toggle(self.service), group="inbox", exit_on_error=False)

    def action_undo(self) -> None:
        self.run_worker(self._updates.undo(), group="undo", exclusive=True, exit_on_error=False)

    def action_choose_undo(self) -> None:
        self.run_worker(self._updates.choose_undo(), group="undo", exclusive=True, exit_on_error=False)

    def action_redo(self) -> None:
        self.run_worker(self._updates.redo(), group="undo", exclusive=True, exit_on_error=False)

    def action_show_keys(self) -> None:
        from tui.screens.dialogs.key_help import KeysScreen, keys_of

        self.push_screen(KeysScreen(keys_of(self.screen)))

    def action_command_palette(self) -> None:
        from tui.guides.commands import guide_commands
        from tui.screens.shell.palettes import show_commands

        show_commands(self, self.service, guide_commands(self, self.settings.keys, "Guide: "))

    def action_guides(self) -> None:
        from tui.guides.commands import guide_commands
        from tui.screens.shell.palettes import choose_command

        choose_command(self, "Guides", guide_commands(self, self.settings.keys))

    def action_labels(self) -> None:
        """Lay letters over all that can be reached on the screen; typing some goes there."""
        from tui.screens.shell.labels import Labels
        from tui.widgets.chrome.targets import Target, targets_of

        def go(target: Target | None) -> None:
            if target is not None:
                target.go()

        if targets := targets_of(self.screen):
            self.push_screen(Labels(targets), go)

    def action_redraw(self) -> None:
        """Draw all anew, whatever another program left on the terminal, with the line under the eye in the middle."""
        if isinstance(self.screen, SectionScreen):
            self.screen.show_place()
        self.forget_screen()
        self.refresh(layout=True)

    def action_edit_outside(self) -> None:
        """Open the text of the field that has the focus, or the screen's main one, in an editor."""
        from tui.screens.shell.external_editor import edit_in_editor, is_text_field

        field = self.focused if is_text_field(self.focused) else None
        if field is None and isinstance(self.screen, SectionScreen):
            field = self.screen.main_text()
        if field is None:
            return
        try:
            edit_in_editor(self, field)
        except LodeError as error:
            self._notify_line(in_one_line(error))

    def action_change_theme(self) -> None:
        from tui.screens.shell.palettes import show_themes

        show_themes(self)

    def action_change_word_tints(self) -> None:
        from tui.screens.shell.palettes import show_word_tints

        show_word_tints(self, partial(self._keep_look, "word_tints"))

    async def action_quit(self) -> None:
        self._leave_guard.quit()

    def action_suspend_process(self) -> None:
        """Suspend, as other programs of the terminal do, where a shell can bring Lode back with ``fg``.

        Leading its session, as behind ``ssh host lode``, it would be stopped for good.
        """
        if sys.platform != "win32" and os.getsid(0) == os.getpgrp():
            self._notify_line("no shell is there that could bring Lode back")
        else:
            super().action_suspend_process()

    def action_say_how_to_quit(self) -> None:
        """Name the key that quits, on ctrl+c: many press it by habit, so it must not lose anything, nor do nothing."""
        self._notify_line(f"{shown_key(self.screen, 'quit')} quits")
