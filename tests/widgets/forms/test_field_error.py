"""The error below a field hangs from its corner and takes the room it may have."""

from __future__ import annotations

from textual.app import App, ComposeResult

from tui.widgets.forms.text_fields import FieldError

LONG = "line 3, column 33: no value “contxt”; there are sentence, focus, context"


class ErrorApp(App[None]):
    CSS = "#fixed { height: 2; }"

    def compose(self) -> ComposeResult:
        yield FieldError(id="free")
        yield FieldError(id="fixed")


def lines(app: ErrorApp, id: str) -> list[str]:
    region = app.query_one(f"#{id}").region
    strips = app.screen._compositor.render_strips()[region.y : region.bottom]
    return [strip.text.rstrip() for strip in strips]


async def test_an_error_takes_the_lines_it_needs_and_none_when_there_is_none() -> None:
    app = ErrorApp()
    async with app.run_test(size=(40, 12)) as pilot:
        assert lines(app, "free") == []
        app.query_one("#free", FieldError).say(LONG)
        await pilot.pause()
        assert lines(app, "free") == [
            " ╰ line 3, column 33: no value",
            "   “contxt”; there are sentence, focus,",
            "   context",
        ]
        app.query_one("#free", FieldError).say("")
        await pilot.pause()
        assert lines(app, "free") == []


async def test_an_error_with_a_place_of_its_own_stays_in_it() -> None:
    app = ErrorApp()
    async with app.run_test(size=(40, 12)) as pilot:
        assert lines(app, "fixed") == ["", ""]
        app.query_one("#fixed", FieldError).say(LONG)
        await pilot.pause()
        assert lines(app, "fixed") == [" ╰ line 3, column 33: no value", "   “contxt”; there are sentence, focus…"]
        app.query_one("#fixed", FieldError).say("[b]short\x1b[31m\n文字")
        await pilot.pause()
        assert lines(app, "fixed")[0].startswith(" ╰ [b]short") and "\x1b" not in lines(app, "fixed")[0]
