"""The two greys are the same wherever something is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.widgets import Static

import tui
from tui.widgets.chrome import themes


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
