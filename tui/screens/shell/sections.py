"""The six sections' screens by name, each imported when it is first shown: start-up pays for one only."""

from __future__ import annotations

from tui.screens.shell.section import SectionScreen
from tui.service.protocol import Service


def section_screen(name: str, service: Service) -> SectionScreen:
    """The screen of a section of ``top_line.SECTIONS``."""
    match name:
        case "files":
            from tui.screens.lists.files import FilesScreen

            return FilesScreen(service)
        case "transcripts":
            from tui.screens.lists.transcripts import TranscriptsScreen

            return TranscriptsScreen(service)
        case "clips":
            from tui.screens.lists.clips import ClipsScreen

            return ClipsScreen(service)
        case "template":
            from tui.screens.forms.template import TemplateScreen

            return TemplateScreen(service)
        case "breakdown":
            from tui.screens.answer.breakdown import BreakdownScreen

            return BreakdownScreen(service)
        case "jobs":
            from tui.screens.lists.jobs import JobsScreen

            return JobsScreen(service)
        case _:
            raise ValueError(f"there is no section {name!r}")
