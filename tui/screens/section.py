"""What the six sections have in common: the top line, the keys below, and the way messages find the app."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Footer

from tui.service.protocol import Service
from tui.widgets.top_line import TopLine


class SectionScreen(Screen[None]):
    """A section: ``SECTION`` names it (as in ``top_line.SECTIONS``), ``compose_body`` fills it."""

    SECTION: ClassVar[str] = "files"

    def __init__(self, service: Service) -> None:
        super().__init__()
        self.service = service

    def compose(self) -> ComposeResult:
        yield TopLine(self.SECTION, f"{self.service.profile} · {self.service.location}")
        yield from self.compose_body()
        yield Footer(compact=True, show_command_palette=False)

    def compose_body(self) -> ComposeResult:
        raise NotImplementedError

    def set_status(self, text: str) -> None:
        """Say at the right of the top line what this screen is doing ("" for nothing)."""
        self.query_one(TopLine).status = text
