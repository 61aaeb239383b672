"""Screens of the sections: made when a section is first chosen, and what of that can be done in idle time before."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from textual.app import App

from tui.compat.app import mount_ahead, spare_css_update
from tui.screens.section import OVERLAYS, SECTIONS, SectionScreen

if TYPE_CHECKING:
    from tui.service.protocol import Service

_SLOWEST = "template"
"""Section whose screen takes longest to compose."""


class SectionScreens:
    """Maker of the sections' screens; ``service`` gives the service of the profile that is worked in."""

    def __init__(self, app: App[Any], service: Callable[[], Service]) -> None:
        self._app = app
        self._service = service
        self.ahead: SectionScreen | None = None
        """Screen that was composed before its section was chosen for the first time."""

    def make(self, name: str) -> SectionScreen:
        """Make the screen of a section, unless there is one already that nobody has seen."""
        ahead, service = self.ahead, self._service()
        if ahead is not None and (name, service) == (ahead.SECTION, ahead.service):
            self.ahead = None
            return ahead
        screen: SectionScreen = resolve_name(SECTIONS[name])(service)
        return spare_css_update(self._app, screen)

    def add(self, name: str) -> None:
        """Add the mode of a section, whose screen is made when the section is chosen."""
        self._app.add_mode(name, partial(self.make, name))

    async def build_ahead(self) -> None:
        """Read the style sheets of all screens, import them, and compose the one that takes longest.

        One after another, and in a thread where that can be, lest a key wait for it.
        """
        # Else each first visit of a screen has Textual parse all style sheets again and style every widget anew.
        for path in sorted(Path(__file__).parents[1].glob("*/*.tcss")):
            css = await asyncio.to_thread(path.read_text, "utf-8")
            self._app.stylesheet.add_source(css, (str(path), ""))
            self._app.stylesheet.parse()
        await asyncio.to_thread(_import_screens, self._service())
        screen = self.make(_SLOWEST)
        await mount_ahead(self._app, screen)
        self.ahead = screen


def _import_screens(service: Service) -> None:
    """Import all screens, and the service's parts.

    What has been made by then stays, and is no longer looked through for garbage: that took 50 ms, as a rule in the
    middle of a first visit.
    """
    for path in (*SECTIONS.values(), *OVERLAYS.values()):
        resolve_name(path)
    service.import_parts()
    gc.freeze()
