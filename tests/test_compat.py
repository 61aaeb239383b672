"""What ``tui.compat`` makes good of Textual, and whether Textual still is what it was written for.

A test whose name ends in "still" fails when Textual changes there: then see whether the part is needed any more.
"""

import asyncio
import codecs
import gc
import inspect
import io
import re
import tracemalloc
import weakref
from functools import lru_cache
from typing import Any

import pytest
import textual._styles_cache
import textual.screen
from textual import events
from textual._compositor import ChopsUpdate, Compositor
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.containers import Container, VerticalScroll
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread
from textual.drivers.linux_driver import LinuxDriver
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from tui.compat import app as compat
from tui.compat import keyboard
from tui.compat.compositor import RepaintingCompositor
from tui.compat.keyboard import KeyboardDecoder, KeyboardParser, KeysTogether, PasteTooLong
from tui.compat.painting import Painter, knows_painting


def test_every_byte_of_a_keyboard_becomes_text() -> None:
    for reads, text in (
        *(((b"abc",), "abc"), ((b"\xff",), "\ufffd"), ((b"a\xffb",), "a\ufffdb")),
        (("é".encode("latin-1"), b"a"), "\ufffda"),
        (("é".encode()[:1], "é".encode()[1:]), "é"),
        (("駅".encode()[:2], b"j"), "\ufffdj"),
        *((("👩‍🚀".encode(),), "👩‍🚀"), ((b"\xc3\xff\xfe\x80k",), "\ufffd\ufffd\ufffd\ufffdk")),
    ):
        assert "".join(map(KeyboardDecoder().decode, reads)) == text


def test_an_old_report_of_the_mouse_takes_no_key_with_it() -> None:
    for column in (33, 127, 128, 0xC3, 0xE9, 0xF0, 255):
        report = b"\x1b[M " + bytes([column, 0xA9])
        for split in range(3, len(report)):
            assert keys(report[:split], report[split:] + b"jk")[-2:] == ["j", "k"]
        assert keys(report + report + b"jk") == ["j", "k"]


def keys(*reads: bytes) -> list[str]:
    parser, decode = KeyboardParser(), KeyboardDecoder().decode
    read = [event for data in reads for event in parser.feed(decode(data))]
    return [event.key for event in read if isinstance(event, events.Key)]


def test_a_sequence_that_is_none_is_passed_over() -> None:
    for sequence in (b"\x1b[:Q", b"\x1b[;:F", b"\x1b[5785994R", b"\x1b[999999999999999999999u"):
        assert keys(sequence, b"", b"jk") == ["j", "k"]
        assert keys(b"h" + sequence + b"jk" + sequence + b"l") == ["h", "j", "k", "l"]
        assert keys(sequence[:2], sequence[2:] + b"jk") == ["j", "k"]
        assert keys(b"j" + sequence, b"k") == ["j", "k"]


# Pastes.


def pasted(parser: KeyboardParser, *reads: str) -> list[str]:
    """What is read: pastes as their texts behind a ">", keys as their names."""
    read = [event for text in reads for event in parser.feed(text)]
    return [
        f">{event.text}" if isinstance(event, events.Paste) else event.key
        for event in read
        if isinstance(event, (events.Paste, events.Key))
    ]


def test_what_stands_in_a_paste_is_text_and_no_key() -> None:
    for text in (
        *("Zug", "a\rb\nc\td", "\x1b[2J\x1b[31mred\x1b[0m", "\x1b", "\x1bdy"),
        *("\x1b\x1b[<0;1;1M", "\x1b[201", "\x1b[200~", "é👩‍🚀"),
    ):
        sent = f"j\x1b[200~{text}\x1b[201~k"
        for reads in ([sent], sent, *([sent[:split], sent[split:]] for split in range(1, len(sent)))):
            assert pasted(KeyboardParser(), *reads) == ["j", f">{text}", "k"]
    several = "\x1b[200~a\x1b[201~\x1b[200~\x1b[201~\x1b[200~b\x1b[201~k\x1b[201~l"
    assert pasted(KeyboardParser(), several) == [">a", ">b", "k", "l"]


def test_a_paste_whose_end_is_missing_is_over_once_somebody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = KeyboardParser()
    assert pasted(parser, "\x1b[200~Der ", "Zug") == []
    assert not list(parser.tick())  # its end may well come
    monkeypatch.setattr(keyboard, "_PASTE_PAUSE_SECONDS", 0.0)
    assert [event.text for event in parser.tick() if isinstance(event, events.Paste)] == ["Der Zug"]
    assert not list(parser.tick())
    late = " ab, und alle winken ihm lange hinterher"
    assert pasted(parser, late, "k", "\x1b[201~") == [f">{late}", "k"]
    monkeypatch.undo()
    assert pasted(parser, "\x1b[200~a") == []
    monkeypatch.setattr(keyboard, "_PASTE_PAUSE_SECONDS", 0.0)
    assert pasted(parser, "\x1b[201~k") == [">a", "k"]  # it was only late


def test_the_end_of_a_paste_may_come_in_parts_with_a_pause_between(monkeypatch: pytest.MonkeyPatch) -> None:
    end = "\x1b[201~"
    for split in range(1, len(end)):
        parser = KeyboardParser()
        assert pasted(parser, f"\x1b[200~a{end[:split]}") == []
        with monkeypatch.context() as paused:
            paused.setattr(keyboard, "_PASTE_PAUSE_SECONDS", 0.0)
            assert [event.text for event in parser.tick() if isinstance(event, events.Paste)] == ["a"]
            assert pasted(parser, f"{end[split:]}k\x1b[200~b{end}") == ["k", ">b"]


def test_a_paste_that_is_too_long_is_told_and_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyboard, "MAX_PASTE", 500_000)
    parser = KeyboardParser()
    list(parser.feed("\x1b[200~"))
    tracemalloc.start()
    for _ in range(100):
        assert not list(parser.feed("Zug " * 25_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000
    assert [type(event) for event in parser.feed("\x1b[201~")] == [PasteTooLong]
    assert pasted(parser, "\x1b[200~a\x1b[201~k") == [">a", "k"]


def test_many_keys_that_come_together_stay_together_in_their_order() -> None:
    text = "Der Zug fährt ab.\r" * 20
    read = list(KeyboardParser().feed(text))
    assert len(read) < 50
    keys = [key for each in read for key in (each.keys if isinstance(each, KeysTogether) else (each,))]
    assert "".join(key.character or "" for key in keys if isinstance(key, events.Key)) == text


# Canaries.


def test_textual_reads_the_keyboard_strictly_and_ends_by_it_still() -> None:
    source = inspect.getsource(LinuxDriver.run_input_thread)
    assert 'getincrementaldecoder("utf-8")().decode' in source
    assert "self._app.panic" in inspect.getsource(LinuxDriver._run_input_thread)
    assert "self._run_input_thread" in inspect.getsource(LinuxDriver.start_application_mode)
    with pytest.raises(ValueError):
        list(XTermParser().feed("\x1b[:Q"))


def test_textuals_writer_ends_with_the_first_write_that_fails_still() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

    writer = WriterThread(Gone())
    writer._queue.put("a frame")
    with pytest.raises(OSError, match="Input/output"):
        writer.run()


def test_the_terminal_is_restored_as_textual_does_it_still() -> None:
    written: list[str] = []

    class Driver:
        _mouse = _in_band_window_resize = True
        attrs_before = None
        write = staticmethod(written.append)
        flush = disable_input = staticmethod(lambda: None)
        _disable_bracketed_paste = LinuxDriver._disable_bracketed_paste
        _enable_line_wrap = LinuxDriver._enable_line_wrap
        _disable_in_band_window_resize = LinuxDriver._disable_in_band_window_resize

    driver: Any = Driver()
    LinuxDriver.stop_application_mode(driver)
    LinuxDriver._disable_mouse_support(driver)  # of disable_input
    assert sorted(written) == sorted(f"\x1b{part}" for part in compat._ALL_MODES_OFF.split("\x1b")[1:])


def test_textual_leaves_a_widget_after_one_exception_still() -> None:
    loop = inspect.getsource(MessagePump._process_messages_loop)
    assert "await self._dispatch_message(message)" in loop
    assert "self.app._handle_exception(error)\n                break" in loop
    assert inspect.iscoroutinefunction(compat._dispatch_message)
    assert list(inspect.signature(compat._dispatch_message).parameters) == ["self", "message"]
    assert list(inspect.signature(App._handle_exception).parameters) == ["self", "error"]
    assert list(inspect.signature(App._fatal_error).parameters) == ["self"]


def test_private_parts_that_are_used_are_there_still() -> None:
    parts: list[tuple[type, str]] = [
        *((Driver, "self._app = app"), (Driver, "self._debug = debug"), (Driver, "self._loop = ")),
        *((LinuxDriver, "self._file = "), (App, "self._driver = "), (App, "self._exception = error")),
        *((App, "self._keymap = "), (Widget, "def _scroll_update(self, virtual_size: Size)")),
        (Widget, "if self.app._exit:\n            return AwaitMount(self, [])"),
        *((MessagePump, "active_message_pump.set(self)"), (Screen, "from textual._compositor import")),
        *((Screen, "async def _compose(self) -> None:"), (Screen, "self._update_timer.resume()")),
        (Timer, "await self._active.wait()\n        start = _time.get_time()"),
        (codecs.BufferedIncrementalDecoder, "self._buffer_decode(data, self.errors, final)"),
    ]
    for owner, code in parts:
        assert code in inspect.getsource(inspect.getmodule(owner) or owner)


async def test_the_small_parts_of_textual_are_there_still() -> None:
    app = App[None]()
    async with app.run_test():
        assert isinstance(app.screen._css_update_count, int)
        assert isinstance(app._css_update_count, int)
        app.set_keymap({"some.id": "f5"})
        assert compat.chosen_keys(app, "some.id") == "f5"
        compat.refresh_colour_filter(app)


async def test_textual_draws_what_it_does_not_show_still(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Screen[Any]] = []
    draw = Compositor.render_update

    def render_update(self: Compositor, *args: Any, **options: Any) -> Any:
        drawn.append(app.screen)
        return draw(self, *args, **options)

    monkeypatch.setattr(Compositor, "render_update", render_update)
    app = App[None]()
    async with app.run_test() as pilot:
        for screen in (Screen[None](), compat.SparingScreen[None]()):
            await app.push_screen(screen)
            await pilot.pause()
            drawn.clear()
            with app.batch_update():
                await screen.mount(Static("nothing to be seen"))
                screen._refresh_layout()
                await pilot.pause()
                was_drawn = screen in drawn
            await pilot.pause()
            assert was_drawn is not isinstance(screen, compat.SparingScreen)
            assert drawn[-1] is screen


async def test_a_screen_is_mounted_before_it_is_shown() -> None:
    class Ahead(Screen[None]):
        def compose(self) -> ComposeResult:
            yield Static("composed before")

    app = App[None]()
    async with app.run_test() as pilot:
        screen = Ahead()
        await compat.mount_ahead(app, screen)
        assert screen.is_mounted
        (label,) = screen.query(Static)
        app.add_mode("ahead", lambda: screen)
        await app.switch_mode("ahead")
        await pilot.pause()
        assert app.screen is screen
        assert label.region.size


class Tolerant(compat.FaultTolerantApp[None]):
    def take_fault(self, fault: compat.Fault) -> None: ...

    def last_words(self, error: Exception) -> str:
        return ""

    def terminal_gone(self) -> None: ...


def test_textuals_driver_is_replaced_where_it_would_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Tolerant().driver_class is compat.TerminalDriver
    monkeypatch.setattr("textual.constants.DRIVER", "textual.drivers.headless_driver:HeadlessDriver")
    assert Tolerant().driver_class is not compat.TerminalDriver


async def test_of_two_sizes_that_come_at_once_the_last_one_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second signal comes while the size is read for the first one."""
    app, posted, size = Tolerant(), list[events.Resize](), (80, 24)
    monkeypatch.setattr("signal.signal", lambda number, handler: None)
    monkeypatch.setattr(app, "post_message", posted.append)
    driver: Any = compat.TerminalDriver(app)

    def read_size() -> tuple[int, int]:
        nonlocal size
        read = size
        if size == (80, 24):
            size = (50, 10)
            driver._size_changed()
        return read

    monkeypatch.setattr(driver, "_get_terminal_size", read_size)
    driver._size_changed()
    for _ in range(3):
        await asyncio.sleep(0)
    assert [event.size for event in posted] == [(80, 24), (50, 10)]


def test_textual_reads_the_size_in_the_handler_of_the_signal_still() -> None:
    code = inspect.getsource(LinuxDriver.start_application_mode)
    assert "signal.signal(signal.SIGWINCH, on_terminal_resize)" in code
    assert "                send_size_event()\n" in code and "terminal_size = self._get_terminal_size()" in code


# Screens over each other.


class _Opaque(Screen[None]):
    CSS = "_Opaque { background: black; }"


class _ShowsThrough(Screen[None]):
    CSS = "_ShowsThrough { background: black 60%; }"


@pytest.mark.parametrize("kind", [App, Tolerant])
async def test_a_screen_below_an_opaque_one_is_not_in_sight_although_textual_takes_it_for_current_still(
    kind: type[App[None]],
) -> None:
    app = kind()
    async with app.run_test() as pilot:
        below = app.screen
        for screen, is_current in ((_ShowsThrough(), True), (_Opaque(), kind is App)):
            await app.push_screen(screen)
            await pilot.pause()
            assert below.is_current is is_current
            await app.pop_screen()
        assert below.is_current


# Painting.


class _Covered(App[None]):
    CSS = """
    Screen { layers: below above; }
    #text { layer: below; height: 1fr; }
    #above { layer: above; dock: bottom; height: 2; visibility: hidden; }
    #over { visibility: visible; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[Any] = []
        """Spans that were painted, each a row and two columns, or a whole layout."""

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="text"):
            yield Static("\n".join(map(str, range(100))))
        with Container(id="above"):
            yield Static("over it", id="over")

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        if renderable is not None:
            self.painted += renderable.spans if isinstance(renderable, ChopsUpdate) else [renderable]
        super()._display(screen, renderable)


@pytest.mark.parametrize("kind", [Compositor, RepaintingCompositor])
async def test_what_stood_below_a_widget_that_goes_is_painted_although_textual_forgets_it_still(
    kind: type[Compositor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(textual.screen, "Compositor", kind)
    app = _Covered()
    async with app.run_test(size=(20, 10)) as pilot:
        await pilot.pause()
        app.screen._refresh_layout()
        app.query_one("#text").scroll_to(y=5, animate=False)
        app.screen._refresh_layout(scroll=True)
        app.painted.clear()
        await app.query_one("#over").remove()
        assert app.screen._compositor.full_map  # as where a widget out of sight is asked for
        app.screen._refresh_layout()
        assert app.painted == ([(8, 0, 20)] if kind is RepaintingCompositor else [])


_COLORS = StylesCache.__dict__["get_inner_outer"]
"""As Lode has it remembered."""


async def _show_and_remove(app: App[None], pilot: Pilot[None]) -> weakref.ref[StylesCache]:
    line = Static("a line")
    await app.mount(line)
    await pilot.pause()
    await line.remove()
    return weakref.ref(line._styles_cache)


@pytest.mark.parametrize("is_ours", [False, True])
async def test_the_lines_of_a_widget_that_went_are_forgotten_although_textual_keeps_them_still(
    is_ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_ours:
        monkeypatch.setattr(StylesCache, "get_inner_outer", lru_cache(1024)(_COLORS.__func__.__wrapped__))
    app = App[None]()
    async with app.run_test() as pilot:
        gone, *_ = [await _show_and_remove(app, pilot) for _ in range(9)]  # the last few are part of what is laid out
        gc.collect()
        assert (gone() is None) is is_ours


def test_textual_still_remembers_colors_by_who_asks() -> None:
    source = inspect.getsource(textual._styles_cache)
    assert re.search(r"    @lru_cache\(1024\)\n    def get_inner_outer\(\n?\s*cls,", source)


def test_textual_still_paints_by_updates_of_strips() -> None:
    assert knows_painting()


def test_a_key_that_looks_like_the_answer_of_a_terminal_is_none() -> None:
    assert not Painter(App()).take_answer()
