"""Scroll panel: the moving keys of lists and texts, in dialogs."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

from tests.settling import running
from tui.widgets.chrome.scroll_panel import ScrollPanel


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
