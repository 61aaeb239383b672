"""The app, told by signals: at SIGUSR1 it says what Textual's own repaint would send, at SIGUSR2 it draws all anew."""

from __future__ import annotations

import asyncio
import base64
import os
import signal

from tui import config
from tui.app import LodeApp
from tui.screens.reader.transcript_screen import TranscriptScreen
from tui.screens.section import SectionScreen
from tui.service.local import LocalService

PROCESS = "walked.pid"
"""The file in the home directory that has the number of the process, once it takes signals."""
BEGINS, ENDS = b"\x1b]5;", b"\x07"
"""Around a repaint, in base64, in what is written to the terminal: an operating system command that none knows."""
DRAWN_ANEW = b"\x1b]4;\x07"
"""Stands before what is sent when all is drawn anew."""


class WalkedApp(LodeApp):
    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, self.tell_repaint)
        loop.add_signal_handler(signal.SIGUSR2, self.draw_anew)
        (self.settings.home / PROCESS).write_text(str(os.getpid()))

    async def action_quit(self) -> None:
        """Stay, whatever is typed."""

    def tell_repaint(self) -> None:
        """Write what would be sent if Textual sent all, at this place of what is sent."""
        # Unlike ``render_full_update``, this leaves to be painted what was to be painted.
        text = "\n".join(strip.render(self.console) for strip in self.screen._compositor.render_strips())
        self._write(BEGINS + base64.b64encode(text.encode()) + ENDS)

    def draw_anew(self) -> None:
        """Do what ``ctrl+l`` does, whatever has the focus."""
        self._write(DRAWN_ANEW)
        self.action_redraw()

    def _write(self, text: bytes) -> None:
        assert self._driver is not None
        self._driver.write(text.decode())


if __name__ == "__main__":
    TranscriptScreen.show_place = SectionScreen.show_place  # type: ignore[method-assign]  # what is compared stays there
    settings = config.load()
    os.chdir(settings.home)  # what is exported goes there
    WalkedApp(LocalService(settings), settings).run()
