"""Dictionaries that lemmas come from.

They are unpacked once per language, which takes seconds and is therefore done in a process of its own, beginning when
the first text in that language is imported; until then a word is just its form.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from tui.errors import LodeError
from tui.service.library import Database

if TYPE_CHECKING:
    from pathlib import Path

    from tui.language.lemmas import Lemmatiser
    from tui.store import Store

_FORMS_AT_ONCE = 500
_UNPACKING_AT_ONCE = 2
"""Number of dictionaries unpacked at once; each takes a whole core and some hundred MB of memory."""
_LOOK_SECONDS = 0.1


class Dictionaries:
    """Lemma dictionaries, one set per process: they are the same for every profile."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._loaded: Lemmatiser | None = None
        self._preparing: dict[str, asyncio.Task[None]] = {}
        self._unpacking = asyncio.Semaphore(_UNPACKING_AT_ONCE)

    async def lemma(self, form: str, language: str | None) -> str | None:
        """The dictionary form, None where it is unknown or the language's dictionary is not unpacked yet."""
        if language is None:
            return None
        return await asyncio.to_thread(lambda: self._lemmatiser().lemma(form, language))

    def needs_preparing(self, language: str | None) -> bool:
        """Whether the language has a dictionary that is not unpacked yet."""
        return language is not None and self._lemmatiser().needs_preparing(language)

    def prepare_soon(self, language: str) -> None:
        """Unpack the dictionary in the background and give the words of the library their lemmas."""
        task = self._preparing.get(language)
        if task is None or task.done():
            self._preparing[language] = asyncio.create_task(self._prepare(language), name=f"lode-lemmas-{language}")

    async def prepare(self, language: str) -> None:
        """Wait until the language's dictionary is ready; a failure only means that there are no lemmas."""
        self.prepare_soon(language)
        await asyncio.shield(self._preparing[language])

    async def close(self) -> None:
        for task in self._preparing.values():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _prepare(self, language: str) -> None:
        lemmatiser = await asyncio.to_thread(self._lemmatiser)
        if await asyncio.to_thread(lemmatiser.needs_preparing, language):
            async with self._unpacking:
                process = _unpack(lemmatiser.cache_dir, language)
                while process.poll() is None:  # noqa: ASYNC110 - nothing tells the end of a plain process
                    await asyncio.sleep(_LOOK_SECONDS)
        if await asyncio.to_thread(lemmatiser.is_prepared, language):
            with suppress(LodeError):  # a library that cannot be written is still searched by form
                await self._database.run(lambda store: self._lemmatise(store, language))

    def _lemmatise(self, store: Store, language: str) -> None:
        lemmatiser = self._lemmatiser()
        while forms := store.words.unlemmatised(language, _FORMS_AT_ONCE):
            store.words.set_lemmas(language, {form: lemmatiser.lemma(form, language) for form in forms})

    def _lemmatiser(self) -> Lemmatiser:
        if self._loaded is None:
            from tui.language.lemmas import Lemmatiser

            self._loaded = Lemmatiser(self._database.directory / "lemmas")
        return self._loaded


def _unpack(cache: Path, language: str) -> subprocess.Popen[bytes]:
    """Begin to unpack in a process that goes on when this one ends, so that a short command does not waste its work.

    asyncio would end a process of its own with its loop, hence this plain one.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "tui.language.lemmas", str(cache), language],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
