"""Uses of Textual beyond its public interface, in one place; ``tests/test_compat.py`` guards each part.

Textual sends every strip of a widget that has changed; ``Painter`` sends the cells that differ, and no more at once
than the line takes. Five faults of Textual 8.2.8 are made good besides: its reader of standard input ends at the first
byte that is not UTF-8 (and at some escape sequences that are none), its reader of pastes takes escape sequences in them
for keys and waits for an end that never comes, its writer hangs once the terminal has gone, one exception of any
handler, Textual's own among them, ends the app, and a widget that goes while it comes is told of its mount, although it
got no children.
"""

import codecs
import inspect
import os
import re
import selectors
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from time import monotonic
from traceback import walk_tb
from typing import Any, TextIO, TypeVar

from rich.console import COLOR_SYSTEMS, RenderableType
from rich.segment import Segment
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual._context import active_message_pump
from textual._xterm_parser import XTermParser
from textual.app import App, ReturnType
from textual.driver import Driver
from textual.events import CursorPosition, InputEvent, Key, Mount, Paste, Resize
from textual.geometry import Offset, Size
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import WorkerFailed

from tui.screen_cells import ScreenCells

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
    painter: "Painter | None" = None
    """What sends the cells that change; None where Textual sends what it draws."""

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


# Painting.


MAX_UNSEEN = 8192
"""Bytes that may be on their way to the terminal: what is sent behind more of them is old before it is seen."""
_ASKED_AFTER = 2048
"""Bytes after which the terminal is asked to answer once it has seen them."""
_LONGEST_WAIT_SECONDS = 5.0
"""Seconds after which an answer is taken for lost: another program had the terminal, or it is another one by now."""
_LAST_ANSWER_SECONDS = 1.0
"""Seconds for which the end of the app waits for an answer."""
_WHERE = "\x1b[6n"
"""Question for the cursor's place (DSR), which every terminal answers when it has come to it, and Textual reads."""
_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"
"""Marks of what a terminal that knows them shows at once."""
_MARKED_FROM = 1024
"""Bytes from which on that is marked: what is shorter comes in one piece anyway."""


class Painter:
    """Sends what changes on the screen, and lets a slow line catch up before it sends more.

    A paint that comes while too much is on its way is left out; the whole screen is drawn once the terminal has
    answered, and sent as far as it has changed by then.
    """

    def __init__(self, app: FaultTolerantApp[Any]) -> None:
        self._app = app
        self._cells = ScreenCells(erases_in_colour=_erases_in_colour())
        self._cursor: Offset | None = None
        self._unseen = 0
        """Bytes sent behind what the terminal has answered to."""
        self._unasked = 0
        """Those of them that were sent behind the last question."""
        self._asked_at: float | None = None
        self._answers = False
        """Whether the terminal has answered the last question but this one; one that does not is not waited for."""
        self._has_left_out = False
        self.has_answered = Event()
        """Set by what reads the keyboard, before the app is told of it."""

    def forget(self) -> None:
        """Take nothing on the screen for known."""
        self._cells.forget()
        self._cursor = None

    @property
    def awaits_answer(self) -> bool:
        """Whether an answer will come to what reads the keyboard."""
        return self._answers and self._asked_at is not None

    def paint(self, update: LayoutUpdate | ChopsUpdate, size: Size) -> None:
        """Send what an update changes on a screen of this size, unless too much is on its way."""
        app = self._app
        if self.awaits_answer and self._unseen > MAX_UNSEEN and not self._is_lost():
            if not self._has_left_out:
                self._has_left_out = True
                app.set_timer(_LONGEST_WAIT_SECONDS, self._go_on)
            return
        cursor = size.clamp_offset(app.cursor_position)
        colours = COLOR_SYSTEMS[app.console.color_system or "truecolor"]
        changes = self._cells.draw(_pieces(update), size, colours)
        if not changes and cursor == self._cursor:
            return
        self._cursor = cursor
        text = f"{changes}\x1b[{cursor.y + 1};{cursor.x + 1}H"
        if app._sync_available and len(text) >= _MARKED_FROM:
            text = _BEGIN + text + _END
        self._send(text)

    def _send(self, text: str) -> None:
        count = len(text)
        self._unseen += count
        self._unasked += count
        if self._asked_at is None and self._unasked >= _ASKED_AFTER:
            text += _WHERE
            self.has_answered.clear()
            self._asked_at, self._unasked = monotonic(), 0
        driver = self._app._driver
        assert driver is not None
        driver.write(text)

    def _is_lost(self) -> bool:
        assert self._asked_at is not None
        if monotonic() - self._asked_at < _LONGEST_WAIT_SECONDS:
            return False
        self._answers, self._asked_at, self._unseen = False, None, 0
        return True

    def take_answer(self) -> bool:
        """Take note that the terminal has answered; gives whether something was left out meanwhile."""
        if self._asked_at is None:
            return False  # nobody asked: a key that looks like an answer
        self._answers, self._asked_at = True, None
        self._unseen = self._unasked
        return self._take_left_out()

    def _take_left_out(self) -> bool:
        has_left_out, self._has_left_out = self._has_left_out, False
        return has_left_out

    def _go_on(self) -> None:
        if self._take_left_out():
            self._app.screen.refresh()


def _erases_in_colour() -> bool:
    """Whether the terminal's description says so (bce)."""
    try:
        import curses

        curses.setupterm(fd=sys.__stderr__.fileno() if sys.__stderr__ is not None else -1)
        return bool(curses.tigetflag("bce") > 0)
    except (ImportError, OSError, ValueError, curses.error):
        return False


def _pieces(update: LayoutUpdate | ChopsUpdate) -> Iterator[tuple[int, int, Iterable[Segment]]]:
    """What an update draws: rows, columns, and what stands from there on."""
    if isinstance(update, LayoutUpdate):
        for y, strips in enumerate(update.strips, update.region.y):
            x = update.region.x
            for strip in strips:
                yield y, x, strip
                x += strip.cell_length
        return
    for y, left, right in update.spans:
        for end, (x, part) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if part is not None and x < right and end > left:
                yield y, x, part


def knows_painting() -> bool:
    """Whether Textual paints as ``Painter`` was written for; else the app has none."""
    return all(
        tuple(inspect.signature(function).parameters) == names
        for function, names in (
            (App._display, ("self", "screen", "renderable")),
            (LayoutUpdate, ("strips", "region")),
            (ChopsUpdate, ("chops", "spans", "chop_ends")),
        )
    )


# The terminal.


_OLD_MOUSE = re.compile(rb"\x1b\[M.{3}", re.DOTALL)
"""Report of the mouse in its oldest form: the three bytes at its end are numbers and no text."""
_OLD_MOUSE_BEGUN = re.compile(rb"\x1b\[M.{0,2}\Z", re.DOTALL)


class KeyboardDecoder(codecs.BufferedIncrementalDecoder):
    """Text of what a terminal sends, whatever it sends: a byte that is not UTF-8 becomes U+FFFD."""

    def _buffer_decode(self, data: bytes, errors: str, final: bool) -> tuple[str, int]:  # type: ignore[override]  # as codecs has it
        begun = None if final else _OLD_MOUSE_BEGUN.search(data)
        whole = data[: begun.start()] if begun else data
        valid = _OLD_MOUSE.sub(lambda report: report[0].decode("latin-1").encode(), whole)
        text, done = codecs.utf_8_decode(valid, "replace", final)
        return text, len(whole) - (len(valid) - done)


_ESCAPES = re.compile("(?=\x1b)")
_LONGEST_SEQUENCE = 40
"""Letters; Textual takes no more than 32 for a sequence."""


MAX_PASTE = 10_000_000
"""Characters of a paste; of a longer one nothing is taken."""
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_PASTE_PAUSE_SECONDS = 3.0
"""Seconds after which the end of a paste may be missing: what came of it is given."""
_TYPED = 32
"""Characters at most that come together where somebody types, after that pause; more are the rest of the paste."""


class PasteTooLong(Message):
    """Sent in place of a paste of more than ``MAX_PASTE`` characters."""


class KeysTogether(InputEvent):
    """Sent in place of many keys that came at once: a paste into a terminal that does not mark pastes as such."""

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__()
        self.keys = keys


class KeyboardParser:
    """Parser of keys and mouse reports, Textual's, taken anew where a sequence is more than it can read; and of pastes.

    A paste is all up to its end, whatever escape sequences stand in it. One whose end is missing is over once somebody
    types after a pause.
    """

    def __init__(self, debug: bool = False) -> None:
        self._debug = debug
        self._parser = XTermParser(debug)
        self._before = ""
        """The last characters that were read: what begins or ends a paste may begin in them."""
        self._paste: list[str] | None = None
        """Parts of a paste that have come and were not given yet; None while there is no paste."""
        self._paste_length = 0
        self._pasted_at = 0.0

    def feed(self, text: str) -> Iterable[Message]:
        """Parse text into keys, mouse reports and pastes."""
        while text:
            if self._has_paused and len(text) <= _TYPED and _PASTE_ENDS not in self._before + text:
                yield from self._take_paste()
                self._paste, self._before = None, ""
            mark = _PASTE_BEGINS if self._paste is None else _PASTE_ENDS
            read, is_marked, rest = (self._before + text).partition(mark)
            new = (read + is_marked)[len(self._before) :]
            self._before = "" if is_marked else read[1 - len(mark) :]
            text = rest
            if self._paste is None:
                yield from self._feed_keys(new)
                if is_marked:  # Textual's parser has seen where it begins, and must not wait for its end
                    yield from (each for each in self._feed_keys(_PASTE_ENDS) if not isinstance(each, Paste))
                    self._paste, self._paste_length, self._pasted_at = [], 0, monotonic()
                continue
            self._pasted_at = monotonic()
            self._paste_length += len(new) - len(is_marked)
            if self._paste_length <= MAX_PASTE:
                self._paste.append(new)
            else:
                self._paste.clear()
            if is_marked:
                yield from self._take_paste()
                self._paste = None

    @property
    def _has_paused(self) -> bool:
        return self._paste is not None and monotonic() - self._pasted_at >= _PASTE_PAUSE_SECONDS

    def _take_paste(self) -> Iterable[Message]:
        text = "".join(self._paste or ())
        ending = next((n for n in range(len(_PASTE_ENDS), 0, -1) if text.endswith(_PASTE_ENDS[:n])), 0)
        begun = _PASTE_ENDS[:ending]  # the rest of it may come after a pause
        if self._paste_length > MAX_PASTE:
            yield PasteTooLong()
        elif text := text.removesuffix(begun).replace("\x00", ""):
            yield Paste(text)
        self._paste, self._paste_length = [begun], len(begun)

    def _feed_keys(self, text: str) -> Iterable[Message]:
        """Parse keys and mouse reports letter by letter, lest what follows a broken sequence be lost."""
        for part in _ESCAPES.split(text):
            for letter in part[:_LONGEST_SEQUENCE]:
                yield from self._all(self._parser.feed(letter))
            if rest := part[_LONGEST_SEQUENCE:]:  # to Textual's parser, no text is the end of all
                parsed = list(self._all(self._parser.feed(rest)))
                keys = [each for each in parsed if isinstance(each, Key)]
                yield from (KeysTogether(keys),) if len(keys) == len(parsed) else parsed

    def tick(self) -> Iterable[Message]:
        """Give what need not wait for more text: an ``esc`` that begins no sequence, a paste whose end is missing."""
        if self._paste is not None:
            return self._take_paste() if self._has_paused else ()
        return self._all(self._parser.tick())

    def _all(self, parsed: Iterable[Message]) -> Iterable[Message]:
        try:
            yield from parsed
        except Exception:  # noqa: BLE001 - int() and chr() of whatever stands in the sequence
            self._parser = XTermParser(self._debug)


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
            if isinstance(self._app, FaultTolerantApp):
                self._app.forget_screen()
                if self._app.shows_cursor:
                    self.write("\x1b[?25h")

        def process_message(self, message: Message) -> None:
            if isinstance(message, CursorPosition) and (painter := self._painter):
                painter.has_answered.set()
            super().process_message(message)

        def disable_input(self) -> None:
            """Read no more keys; an answer that is on its way would be typed into what reads the terminal next."""
            if (painter := self._painter) and painter.awaits_answer:
                painter.has_answered.wait(_LAST_ANSWER_SECONDS)
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
