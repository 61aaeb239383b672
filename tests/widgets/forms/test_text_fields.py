"""Text fields: what they take of a paste and of keys, and what they say where that is not all."""

from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tests.hostile import FORBIDDEN
from tests.settling import STYLES
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.forms.text_fields import MAX_LINE, FieldError, LineField

LINE = "Der Zug fährt ab. "


class FieldsApp(App[None]):
    NOTIFICATION_TIMEOUT = 600  # what was told is looked at later, however slow the machine is

    def __init__(self, loaded: str = "") -> None:
        super().__init__()
        self._loaded = loaded

    def compose(self) -> ComposeResult:
        yield LineField(self._loaded, limit=100, id="line")
        yield TextField(self._loaded, limit=10_000, id="text")


async def paste(pilot: Pilot[None], id: str, text: str) -> LineField | TextField:
    field = pilot.app.query_one(f"#{id}")
    assert isinstance(field, (LineField, TextField))
    field.focus()
    await pilot.pause()
    pilot.app.post_message(events.Paste(text))
    await pilot.pause()
    return field


def text_of(field: LineField | TextField) -> str:
    return field.value if isinstance(field, LineField) else field.text


def told(pilot: Pilot[None]) -> list[str]:
    return [each.message.replace("\u00a0", " ") for each in pilot.app._notifications]


async def test_a_line_takes_the_beginning_of_a_paste_and_says_so() -> None:
    given = (LINE * 60_000)[:1_000_000]
    async with FieldsApp().run_test() as pilot:
        line = await paste(pilot, "line", given)
        assert text_of(line) == given[:100]
        assert told(pilot) == ["pasted 100 of 1 000 000 characters: the field takes no more than 100"]
        await pilot.press("x", "y", "z")
        assert text_of(line) == given[:100]
        assert len(told(pilot)) == 1  # it is known by now
        await pilot.press("backspace", "x", "y")
        assert text_of(line) == given[:99] + "x"
        assert told(pilot)[1:] == ["the field takes no more than 100 characters"]
        assert isinstance(line, LineField)
        line.select_all()
        await paste(pilot, "line", "y" * 100)
        assert text_of(line) == "y" * 100, "what is selected makes room"
        assert len(told(pilot)) == 2


async def test_lines_become_one_and_controls_fall_out() -> None:
    async with FieldsApp().run_test() as pilot:
        for given, kept in (
            ("Der Zug\nfährt ab\r\n", "Der Zug fährt ab"),
            *(("\n", ""), ("a\tb", "a b"), ("ab  c", "ab  c"), ("昨日\nは", "昨日は")),
            *(("\x1b[2Ja\x07\x00b\x9b31mc", "abc"), ("\u202eab\u2066c", "abc"), ("a\ud800b", "a\ufffdb")),
        ):
            pilot.app.query_one("#line", LineField).value = ""
            pilot.app.query_one("#text", TextField).load_text("")
            assert text_of(await paste(pilot, "line", given)) == kept
            area = text_of(await paste(pilot, "text", given))
            assert not set(area) & set(FORBIDDEN + "\r\ud800\u202e")
            assert not told(pilot)


async def test_a_text_takes_so_many_characters_and_so_many_in_a_line() -> None:
    lines = "Der Zug fährt ab.\n" * 4_000
    async with FieldsApp().run_test() as pilot:
        area = await paste(pilot, "text", lines)
        assert text_of(area) == lines[:10_000]
        assert told(pilot) == ["pasted 10 000 of 72 000 characters: the field takes no more than 10 000"]
    async with FieldsApp().run_test() as pilot:
        area = await paste(pilot, "text", "kurz\n" + "lang" * 2_000 + "\nkurz")
        assert text_of(area) == "kurz\n" + "lang" * (MAX_LINE // 4)
        assert told(pilot) == ["pasted 4 005 of 8 010 characters: a line takes no more than 4 000"]
        await pilot.press("x", "enter", "x")
        assert text_of(area).endswith("lang\nx")
        await pilot.press("up", "end", "left", "left")
        area = await paste(pilot, "text", "a\n" + "b" * 5_000)  # what is behind comes onto its last line
        assert max(map(len, text_of(area).split("\n"))) <= MAX_LINE


async def test_what_was_loaded_stands_however_long_and_can_be_shortened() -> None:
    loaded = LINE.strip() * 600
    async with FieldsApp(loaded).run_test() as pilot:
        for id in ("line", "text"):
            field = await paste(pilot, id, "x")
            assert text_of(field) == loaded
            if isinstance(field, LineField):
                field.cursor_position = len(loaded)
            else:
                field.move_cursor(field.document.end)
            await pilot.press("backspace")
            assert text_of(field) == loaded[:-1]
            if isinstance(field, LineField):
                field.value = loaded
            else:
                field.load_text(loaded)
            assert text_of(field) == loaded
        assert len(told(pilot)) == 2


# The error below a field hangs from its corner.


LONG = "line 3, column 33: no value “contxt”; there are sentence, focus, context"


class ErrorApp(App[None]):
    CSS_PATH = STYLES / "forms/template.tcss"
    CSS = "#fixed { height: 2; }"

    def compose(self) -> ComposeResult:
        yield FieldError(id="free")
        yield FieldError(id="fixed")


def lines(app: ErrorApp, id: str) -> list[str]:
    region = app.query_one(f"#{id}").region
    strips = app.screen._compositor.render_strips()[region.y : region.bottom]
    return [strip.text.rstrip() for strip in strips]


async def test_an_error_takes_the_lines_it_needs_or_stays_in_a_place_of_its_own() -> None:
    app = ErrorApp()
    async with app.run_test(size=(40, 12)) as pilot:
        for said, free, fixed in (
            ("", [], ["", ""]),
            (
                LONG,
                [" ╰ line 3, column 33: no value", "   “contxt”; there are sentence, focus,", "   context"],
                [" ╰ line 3, column 33: no value", "   “contxt”; there are sentence, focus…"],
            ),
            ("", [], ["", ""]),
            ("[b]short\x1b[31m\n文字", [" ╰ [b]short文字"], [" ╰ [b]short文字", ""]),
        ):
            for field in app.query(FieldError):
                field.say(said)
            await pilot.pause()
            assert (lines(app, "free"), lines(app, "fixed")) == (free, fixed)
