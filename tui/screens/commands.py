"""The palette's commands: what they are called, what they say, and the app's action that they run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from textual.app import App, SystemCommand

from tui.widgets.top_line import SECTIONS

_COMMANDS = (
    *((section.capitalize(), f"Go to the {section}", f"section('{section}')") for section in SECTIONS),
    ("Add files", "Import subtitles or texts", "do_in('files', 'add')"),
    ("Load the sample library", "Short stories in four languages, free for any use", "do_in('files', 'samples')"),
    ("Export the deck", "Write all clips as an Anki deck", "do_in('clips', 'export')"),
    ("Profiles", "Go to another profile of this library, or make one", "profiles"),
    ("Undo", "Bring back what was deleted last", "undo"),
    ("Keys", "Every key that works here", "show_keys"),
    ("Theme", "Choose the colours", "change_theme"),
    ("Quit", "Leave Lode", "quit"),
)


def commands(app: App[Any]) -> Iterator[SystemCommand]:
    """Each command runs one action of the app."""

    async def run(action: str) -> None:
        await app.run_action(action)

    for title, does, action in _COMMANDS:
        yield SystemCommand(title, does, partial(run, action))
