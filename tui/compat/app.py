"""App that outlives exceptions, over a terminal that may send anything and may go; and small uses of Textual.

Five faults of Textual 8.2.8 are made good: its writer hangs once the terminal has gone, one exception of any handler,
Textual's own among them, ends the app, a widget that goes while it comes is told of its mount, although it got no
children, of two sizes that come at once it may take the older one for the last, and what was drawn by a widget that has
gone may be left standing (see ``compositor``).
"""

import os
import selectors
import signal
import sys
from abc import abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any, TextIO, TypeVar

import textual.screen
from rich.console import RenderableType
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual._context import active_message_pump
from textual.app import App, ReturnType
from textual.driver import Driver
from textual.events import CursorPosition, Mount, Resize
from textual.geometry import Size
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen, ScreenResultType
from textual.widget import AwaitMount, Widget
from textual.worker import WorkerFailed

from tui.compat.compositor import RepaintingCompositor
from tui.compat.keyboard import KeyboardDecoder, KeyboardParser
from tui.compat.painting import Painter, knows_painting
from tui.compat.styles_cache import remember_colors_only

ScreenT = TypeVar("ScreenT", bound=Screen[Any])


# Exceptions.


@dataclass(frozen=True, slots=True)
class Fault:
    """An exception that nobody foresaw, and where it came from.

    ``screen`` is the one that was at work; ``is_building`` says that it was just being made, ``is_drawing`` that it
    could not be laid out or drawn.
    """

    error: Exception
    where: str
    screen: Screen[Any] | None
    is_building: bool = False
    is_drawing: bool = False


class FaultTolerantApp(App[ReturnType]):
    """An app that an exception of a handler, a timer or a drawing does not end: ``take_fault`` is told of it instead.

    Until ``goes_on`` is set, while there is no screen to go on with, it ends the app with exit code 1.
    """

    goes_on = False
    shows_cursor = False
    """Whether the terminal shows its own cursor, which Textual hides."""
    painter: Painter | None = None
    """Sender of the cells that change; None where Textual sends what it draws."""

    @abstractmethod
    def take_fault(self, fault: Fault) -> None:
        """Tell of a fault that the app outlives."""

    @abstractmethod
    def last_words(self, error: Exception) -> str:
        """Word the message that is left on the terminal when ``error`` ends the app."""

    @abstractmethod
    def terminal_gone(self) -> None:
        """End: nobody can see or type anything any more. May be called more than once."""

    def get_driver_class(self) -> type[Driver]:
        chosen = super().get_driver_class()
        return TerminalDriver if sys.platform != "win32" and chosen is LinuxDriver else chosen

    def forget_screen(self) -> None:
        """Take nothing that stands on the terminal's screen for known: what is drawn next is sent whole."""
        if self.painter is not None:
            self.painter.forget()

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        """Screens that show through the one on top: none where that hides them.

        Textual counts the next one in any case: it takes itself for current, and has all drawn anew when it changes.
        """
        return super()._background_screens if self.screen.styles.background.a < 1 else []

    def on_resize(self, _: Resize) -> None:
        self.forget_screen()  # terminals move or clear what stands there

    def on_cursor_position(self, _: CursorPosition) -> None:
        if self.painter is not None and self.painter.take_answer():
            self.screen.refresh()

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if self.painter is None or not isinstance(renderable, (LayoutUpdate, ChopsUpdate)):
            super()._display(screen, renderable)
            return
        if self._running and not self._closed and not self._batch_count:
            try:
                self.painter.paint(renderable, screen.outer_size)
            except Exception as error:  # noqa: BLE001 - rather many bytes than none
                self.painter = None
                self._handle_exception(error)
                super()._display(screen, screen._compositor.render_full_update())
        self.post_display_hook()

    def _handle_exception(self, error: Exception) -> None:
        self._take(error, active_message_pump.get(self), None)

    def _take(self, error: Exception, pump: MessagePump, message: Message | None) -> None:
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            error = error.error
        if self.goes_on:
            self.take_fault(_fault(self, error, pump, message))
        else:
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End with a line or two; Textual would print a traceback with everything that its variables hold."""
        from rich.text import Text

        error = sys.exception() or self._exception
        self.panic(Text(self.last_words(error) if isinstance(error, Exception) else ""))


def _fault(app: App[Any], error: Exception, pump: MessagePump, message: Message | None) -> Fault:
    where = type(pump).__name__ + (f" on {type(message).__name__}" if message is not None else "")
    screen = None
    with suppress(Exception):  # a widget that has been removed has none, an app that ends neither
        screen = app.screen
        if isinstance(pump, Widget):
            screen = pump.screen
    is_drawing = any(
        frame.f_globals.get("__name__") == "textual._compositor" for frame, _ in walk_tb(error.__traceback__)
    )
    return Fault(error, where, screen, screen is not None and not screen.is_mounted, is_drawing)


_dispatch_message = MessagePump._dispatch_message


async def _dispatch_and_go_on(self: MessagePump, message: Message) -> None:
    """Handle a message as Textual does, but go on after an exception, which would end the widget and the app."""
    try:
        await _dispatch_message(self, message)
    except Exception as error:
        if not isinstance(self.app, FaultTolerantApp) or not self.app.goes_on:
            raise
        if self.is_attached or not isinstance(message, Mount):  # all go when the app ends: then it can't find its parts
            self.app._take(error, self, message)


MessagePump._dispatch_message = _dispatch_and_go_on  # type: ignore[method-assign]  # replaced on purpose
textual.screen.Compositor = RepaintingCompositor  # type: ignore[attr-defined]  # as above
remember_colors_only()


# The terminal.


if sys.platform != "win32":
    from textual.drivers.linux_driver import LinuxDriver

    class TerminalDriver(LinuxDriver):
        """Reads every byte a terminal may send, and notices when there is no terminal any more."""

        def __init__(self, app: App[Any], **options: Any) -> None:
            super().__init__(app, **options)
            self._file: Any = _LastingFile(self._file, self._tell_gone)
            if isinstance(app, FaultTolerantApp) and knows_painting():
                app.painter = Painter(app)

        def start_application_mode(self) -> None:
            super().start_application_mode()  # type: ignore[no-untyped-call]  # as Textual has it
            signal.signal(signal.SIGWINCH, self._size_changed)
            if isinstance(self._app, FaultTolerantApp):
                self._app.forget_screen()
                if self._app.shows_cursor:
                    self.write("\x1b[?25h")

        def _size_changed(self, *_: object) -> None:
            """Have the size asked for by the loop: one signal's handler may run within another's, and be the older."""
            if not self._in_band_window_resize:
                self._loop.call_soon_threadsafe(self._tell_size)

        def _tell_size(self) -> None:
            size = Size(*self._get_terminal_size())
            self._app.post_message(Resize(size, size))

        def process_message(self, message: Message) -> None:
            if isinstance(message, CursorPosition) and self._painter is not None:
                self._painter.has_answered.set()
            super().process_message(message)

        def disable_input(self) -> None:
            """Read no more keys; an answer that is on its way would be typed into what reads the terminal next."""
            if self._painter is not None:
                self._painter.wait_for_answer()
            super().disable_input()

        @property
        def _painter(self) -> Painter | None:
            return self._app.painter if isinstance(self._app, FaultTolerantApp) else None

        def _tell_gone(self) -> None:
            if isinstance(self._app, FaultTolerantApp):
                with suppress(RuntimeError):  # the loop has ended
                    self._loop.call_soon_threadsafe(self._app.terminal_gone)

        def run_input_thread(self) -> None:
            """Read the keyboard until ``exit_event`` is set."""
            decode = KeyboardDecoder().decode
            parser = KeyboardParser(self._debug)
            with selectors.SelectSelector() as selector:
                selector.register(self.fileno, selectors.EVENT_READ)
                while not self.exit_event.is_set():
                    if selector.select(0.1):
                        try:
                            data = os.read(self.fileno, 4096)
                        except BlockingIOError:
                            continue  # another program on this terminal was quicker
                        except OSError:
                            data = b""
                        if not data:
                            self._tell_gone()
                            return
                        for event in parser.feed(decode(data)):
                            self.process_message(event)
                    for event in parser.tick():
                        self.process_message(event)


_ALL_MODES_OFF = "".join(
    f"\x1b[{mode}"
    for mode in ("?2004l", "?7h", "?2048l", "?1000l", "?1003l", "?1015l", "?1006l", "<u", "?1049l", "?25h", "?1004l")
)
"""Escape sequences that ``LinuxDriver.stop_application_mode`` writes."""


def restore_terminal(app: App[Any]) -> None:
    """Leave the terminal as it was, from a signal's handler: waits for no thread and no slow line."""
    driver: Any = app._driver
    if sys.platform == "win32" or not isinstance(driver, LinuxDriver) or driver.attrs_before is None:
        return
    import termios

    with suppress(OSError, termios.error):
        termios.tcsetattr(driver.fileno, termios.TCSANOW, driver.attrs_before)
        assert driver._file is not None
        out = driver._file.fileno()
        os.set_blocking(out, False)
        try:
            os.write(out, _ALL_MODES_OFF.encode())
        finally:
            os.set_blocking(out, True)


class _LastingFile:
    """The terminal to write to; once it has gone, what is written is dropped: Textual's writer would stop and block."""

    def __init__(self, file: TextIO, gone: Callable[[], None]) -> None:
        self._file = file
        self._gone = gone

    def write(self, text: str) -> None:
        self._try(lambda: self._file.write(text))

    def flush(self) -> None:
        self._try(self._file.flush)

    def fileno(self) -> int:
        return self._file.fileno()

    def _try(self, write: Callable[[], object]) -> None:
        try:
            write()
        except BlockingIOError:
            os.set_blocking(self._file.fileno(), True)  # another program on this terminal left it so
        except (OSError, ValueError):
            self._gone()


# Small uses.


def spare_css_update(app: App[Any], screen: ScreenT) -> ScreenT:
    """A new screen reads its style sheets when it is mounted; without this a new mode's has all of them read again."""
    screen._css_update_count = app._css_update_count
    return screen


def mount_ahead(app: App[Any], screen: Screen[Any]) -> AwaitMount:
    """Mount a screen that is shown later, or never; a mode whose function gives it then shows it as it is."""
    return AwaitMount(screen, app._register(app, screen))


class SparingScreen(Screen[ScreenResultType]):
    """Screen that spares work and waits: a new one is shown at once, and not drawn during a ``batch_update``.

    Textual begins to wait for the next frame when there is something to show, and draws what it does not show.
    """

    async def _compose(self) -> None:
        self._update_timer.resume()
        await super()._compose()

    def _compositor_refresh(self) -> None:
        if not self.app._batch_count:
            super()._compositor_refresh()


def set_virtual_size(widget: Widget, size: Size) -> None:
    """Set the size of what a widget scrolls, as ``virtual_size`` does besides laying out the whole screen."""
    widget.set_reactive(Widget.virtual_size, size)
    widget._scroll_update(size)


def refresh_colour_filter(app: App[Any]) -> None:
    """Refresh the colour filter, as setting ``App.theme`` does besides reading all style sheets."""
    app._refresh_truecolor_filter(app.ansi_theme)


def chosen_keys(app: App[Any], binding_id: str) -> str:
    """The keys of the settings for a binding, apart by commas; "" where it has its own."""
    return app._keymap.get(binding_id, "")
