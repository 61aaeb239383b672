"""An app with one stream in it: ``… stream_app (log|markdown) (stream|idle)``; it ends itself."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from time import monotonic

from textual import work
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Footer, Markdown, Static

from tests.bench.programs.stream_tokens import TOKENS_PER_SECOND, tokens
from tests.settling import STYLES
from tui.widgets.markdown.token_log import TokenLog


class StreamApp(App[None]):
    CSS_PATH = STYLES / "answer/token_log.tcss"
    CSS = "VerticalScroll { height: 1fr; } Static { height: 4; }"

    def __init__(self, kind: str, *, streams: bool) -> None:
        super().__init__()
        self.kind = kind
        self.streams = streams

    def compose(self) -> ComposeResult:
        yield Static("the focus card\nwould stand here")
        if self.kind == "log":
            yield TokenLog()
        else:
            with VerticalScroll():
                yield Markdown()
        yield Footer()

    def on_mount(self) -> None:
        self.run_stream()

    async def _paced(self) -> AsyncIterator[str]:
        """The tokens at their pace, or none for as long."""
        started = monotonic()
        for number, token in enumerate(tokens()):
            await asyncio.sleep(max(0.0, started + number / TOKENS_PER_SECOND - monotonic()))
            if self.streams:
                yield token

    @work
    async def run_stream(self) -> None:
        if self.kind == "log":
            log = self.query_one(TokenLog)
            async for token in self._paced():
                log.feed(token)
            log.finish()
        else:
            self.query_one(VerticalScroll).anchor()
            stream = Markdown.get_stream(self.query_one(Markdown))
            async for token in self._paced():
                await stream.write(token)
            await stream.stop()
        await asyncio.sleep(0.5)  # what is still to be drawn belongs to the cost
        self.exit()


if __name__ == "__main__":
    StreamApp(sys.argv[1], streams=sys.argv[2] == "stream").run()
