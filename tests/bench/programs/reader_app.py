"""The app, with ``plain`` as its argument without the states of words: the service then says nothing of them."""

from __future__ import annotations

import sys

from tui import config
from tui.app import LodeApp
from tui.records.words import CueStates
from tui.service.local import LocalService
from tui.service.words.known_words import LocalKnownWords


async def _nothing(
    self: LocalKnownWords, transcript_id: str, *, offset: int = 0, limit: int = 200
) -> tuple[CueStates, ...]:
    return ()


if __name__ == "__main__":
    if "plain" in sys.argv:
        LocalKnownWords.of_cues = _nothing  # type: ignore[method-assign] # it is the yardstick
    settings = config.load()
    LodeApp(LocalService(settings), settings).run()
