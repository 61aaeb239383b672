"""The line below: which keys it names, in which order, in every width."""

from pathlib import Path
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

import tui
from tests.settling import running
from tui.widgets.chrome import themes
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.chrome.scroll_panel import ScrollPanel


class Nearer(Input):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "go", "go [b]on[/b]")]


class Above(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "filter", key_display="/"),
        Binding("f9", "hidden", "hidden", show=False),
    ]


class Below(Above):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f2,f3", "save", "save"), Binding("f4", "off", "off")]
    saved = 0

    def compose(self) -> ComposeResult:
        yield Nearer()
        yield KeyLine()

    def action_save(self) -> None:
        self.saved += 1

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "off"


class Shell(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1", "show_keys", "keys")]

    def get_default_screen(self) -> Screen[None]:
        return Below()


async def drawn(width: int) -> str:
    async with Shell().run_test(size=(width, 5)) as pilot:
        await pilot.pause()
        return pilot.app.screen.query_one(KeyLine).render_line(0).text.rstrip()


async def test_the_focused_things_keys_come_first_then_what_is_special_to_the_screen_and_help_last() -> None:
    assert await drawn(80) == " ⏎ go [b]on[/b]   f2 save   / filter   f1 keys"
    assert await drawn(40) == " ⏎ go [b]on[/b]   f2 save   f1 keys"
    assert await drawn(12) == " f1 keys"


async def test_a_click_presses_the_key() -> None:
    async with Shell().run_test(size=(80, 5)) as pilot:
        await pilot.pause()
        await pilot.click(KeyLine, offset=(19, 0))
        await pilot.pause()
        assert isinstance(pilot.app.screen, Below)
        assert pilot.app.screen.saved == 1


# Scroll panel: the moving keys of lists and texts, in dialogs.


class PanelApp(App[None]):
    def compose(self) -> ComposeResult:
        with ScrollPanel():
            yield Static("\n".join(f"line {number}" for number in range(100)))

    @property
    def top(self) -> int:
        return self.query_one(ScrollPanel).scroll_offset.y


async def test_keys_go_by_lines_and_pages_and_to_both_ends() -> None:
    app = PanelApp()
    async with running(app, (40, 11)) as pilot:
        tops = []
        for key in ("j", "down", "k", "space", "pagedown", "ctrl+u", "G", "g"):
            await pilot.press(key)
            tops.append(app.top)
        assert tops == [1, 2, 1, 11, 21, 11, 89, 0]


# The two greys are the same wherever something is drawn.


class Greys(App[None]):
    CSS = "#css { color: $text-muted; }"

    def __init__(self, theme: str) -> None:
        super().__init__()
        for each in (themes.DARK, themes.LIGHT):
            self.register_theme(each)
        self.theme = theme

    def compose(self) -> ComposeResult:
        yield Static(Content("quiet"), id="css")
        yield Static(Content.styled("quiet", themes.MUTED))


@pytest.mark.parametrize("theme", [themes.DARK.name, themes.LIGHT.name, "nord"])
async def test_what_is_muted_in_a_text_has_the_grey_of_what_a_style_sheet_mutes(theme: str) -> None:
    app = Greys(theme)
    async with app.run_test(size=(20, 4)) as pilot:
        await pilot.pause()
        css, content = app.screen._compositor.render_strips()[:2]
        drawn = [segment for strip in (css, content) for segment in strip if "quiet" in segment.text]
        colors = [segment.style.color for segment in drawn if segment.style is not None]
        assert len(colors) == 2
        assert colors[0] == colors[1]


def test_no_text_is_styled_by_the_name_that_only_a_style_sheet_understands() -> None:
    sources = Path(next(iter(tui.__path__))).rglob("*.py")
    assert not [str(path) for path in sources if '"$text-muted"' in path.read_text("utf-8")]
