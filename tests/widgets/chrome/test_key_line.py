"""The line below: which keys it names, in which order, in every width."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input

from tui.widgets.chrome.key_line import KeyLine


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


async def test_where_the_width_is_short_help_stays() -> None:
    assert await drawn(40) == " ⏎ go [b]on[/b]   f2 save   f1 keys"
    assert await drawn(12) == " f1 keys"


async def test_a_click_presses_the_key() -> None:
    async with Shell().run_test(size=(80, 5)) as pilot:
        await pilot.pause()
        await pilot.click(KeyLine, offset=(19, 0))
        await pilot.pause()
        assert isinstance(pilot.app.screen, Below)
        assert pilot.app.screen.saved == 1
