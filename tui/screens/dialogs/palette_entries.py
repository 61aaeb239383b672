"""Commands: entries of the palette, and those that are typed as they are meant, places and ends."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.app import App

from tui.screens.section import SectionScreen
from tui.text.display import clock, number
from tui.widgets.chrome.key_line import shown_key

_TIME = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,3}))?\Z")


@dataclass(frozen=True, slots=True)
class Command:
    """Entry of the palette: ``run`` does what ``name`` says; ``keys`` do it too ("" for none)."""

    name: str
    does: str
    keys: str
    run: Any


def do_in(section: str, action: str) -> str:
    """The app's action that goes to a section and does something there."""
    return f"do_in('{section}', '{action}')"


def typed_commands(app: App[Any], typed: str) -> Iterator[Command]:
    """Commands that are typed as they are meant: ``42`` a line, ``12:30`` a time, ``q`` the end, a ``:`` before it or
    not.
    """
    text = typed.strip().removeprefix(":").strip()
    screen = app.screen_stack[-2] if len(app.screen_stack) > 1 and app.screen.is_modal else app.screen
    if text == "q":
        yield Command("Quit", "leave Lode", shown_key(screen, "quit"), partial(app.run_action, "quit"))
    if not isinstance(screen, SectionScreen) or not screen.LINES:
        return
    if text.isascii() and text.isdecimal() and len(text) <= 9:
        name = f"Go to {screen.LINES} {number(int(text))}"
        yield Command(name, "", "", partial(screen.go_to_line, int(text)))
    elif screen.HAS_TIMES and (time := _TIME.match(text)):
        hours, minutes, seconds, rest = (int(part or 0) for part in (*time.groups()[:3], (time[4] or "").ljust(3, "0")))
        moment = ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
        yield Command(f"Go to {clock(moment)}", "what is said then", "", partial(screen.go_to_time, moment))
