"""Words that a running Anki has as the first field of a note, asked over AnkiConnect and kept for a while.

Anki finds first fields by their checksums, of all note types at once: a hundred words take it a few milliseconds. A
search of fields would go through the whole collection for each, in Anki's own window.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from tui.errors import ProviderError

if TYPE_CHECKING:
    from tui.anki.connect import AnkiConnect

_KEPT_SECONDS = 600.0
_SILENT_SECONDS = 30.0
"""Seconds for which an Anki that did not answer is not asked again: most of the time none runs."""
_PATIENCE_SECONDS = 1.0
"""Longest wait of a client, whose user looks at a word: what comes later is there for the next one."""
_MOST_KEPT = 50_000


class AnkiWords:
    """Words of the Anki at an address; an Anki that is not there, or does not answer in time, has none."""

    def __init__(self, anki: AnkiConnect) -> None:
        self._anki = anki
        self._kept: dict[str, tuple[float, bool]] = {}
        self._asking: asyncio.Task[None] | None = None
        self._silent_until = 0.0

    async def find_known(self, words: Collection[str]) -> set[str]:
        """Find those of these words that Anki has; waits a second at most."""
        moment = time.monotonic()
        unknown = [word for word in dict.fromkeys(words) if not self._is_kept(word, moment)]
        if unknown and moment >= self._silent_until:
            if self._asking is None or self._asking.done():
                self._asking = asyncio.create_task(self._ask(unknown), name="lode-inbox-anki")
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._asking), _PATIENCE_SECONDS)
        return {word for word in words if self._is_kept(word, moment) and self._kept[word][1]}

    def _is_kept(self, word: str, moment: float) -> bool:
        return word in self._kept and self._kept[word][0] > moment - _KEPT_SECONDS

    async def _ask(self, words: Sequence[str]) -> None:
        try:
            known = await self._anki.find_first_fields(words)
        except ProviderError:
            self._silent_until = time.monotonic() + _SILENT_SECONDS
            return
        if len(self._kept) > _MOST_KEPT:
            self._kept.clear()
        moment = time.monotonic()
        self._kept |= {word: (moment, word in known) for word in words}
