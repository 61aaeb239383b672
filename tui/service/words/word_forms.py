"""Word forms: lemmas and readings, out of simplemma's lists or by the language's segmenter where it has one.

Lists are unpacked once per language, which takes seconds and is therefore done in a process of its own, beginning when
the first text in that language is imported; until then a word is just its form. A segmenter is loaded in a thread.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from tui.errors import LodeError

if TYPE_CHECKING:
    from pathlib import Path

    from tui.language.lemmas import Lemmatiser
    from tui.language.word_form import WordForm
    from tui.service.library import Database
    from tui.store import Store

_FORMS_AT_ONCE = 4_000
_UNPACKING_AT_ONCE = 2
"""Number of lists unpacked at once; each takes a whole core and some hundred MB of memory."""
_LOOK_SECONDS = 0.1


class WordForms:
    """Lemmas and readings of words, one set of lists per process: they are the same for every profile."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._preparing: dict[str, asyncio.Task[None]] = {}
        self._unpacking = asyncio.Semaphore(_UNPACKING_AT_ONCE)

    def needs_preparing(self, language: str | None) -> bool:
        """Whether the language has a list that is not unpacked yet."""
        return language is not None and self._lemmatiser.needs_preparing(language)

    def has_list(self, language: str) -> bool:
        """Whether there are lemmas of the language: in a list, unpacked or not, or by its segmenter."""
        from tui.language.segmentation import has_lemmas

        return has_lemmas(language) or self._lemmatiser.supports(language)

    def prepare_soon(self, language: str) -> None:
        """Unpack the list in the background and give the words of the library their lemmas."""
        task = self._preparing.get(language)
        if task is None or task.done():
            self._preparing[language] = asyncio.create_task(self._prepare(language), name=f"lode-lemmas-{language}")

    async def prepare(self, language: str) -> None:
        """Wait until the language's list is ready; a failure only means that there are no lemmas."""
        self.prepare_soon(language)
        await asyncio.shield(self._preparing[language])

    async def close(self) -> None:
        for task in self._preparing.values():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _prepare(self, language: str) -> None:
        from tui.language.segmentation import has_lemmas

        lemmatiser = await asyncio.to_thread(lambda: self._lemmatiser)
        if await asyncio.to_thread(lemmatiser.needs_preparing, language):
            async with self._unpacking:
                process = _unpack(lemmatiser.cache_dir, language)
                while process.poll() is None:  # noqa: ASYNC110 - nothing tells the end of a plain process
                    await asyncio.sleep(_LOOK_SECONDS)
        if await asyncio.to_thread(lambda: has_lemmas(language) or lemmatiser.is_prepared(language)):
            with suppress(LodeError):  # a library that cannot be written is still searched by form
                await self._database.run(lambda store: self._lemmatise(store, language))

    def _lemmatise(self, store: Store, language: str) -> None:
        while forms := store.words.unlemmatised(language, _FORMS_AT_ONCE):
            store.words.set_lemmas(language, {form: self.form_of(form, language).lemma for form in forms})

    def form_of(self, form: str, language: str | None, sentence: str = "") -> WordForm:
        """Dictionary form and reading of a word, in its sentence where that is given and a segmenter is there.

        Both are None where they are unknown or the language's list is not unpacked yet. Blocks.
        """
        from tui.language.segmentation import has_lemmas
        from tui.language.word_form import WordForm, find_word_form

        if language is None:
            return WordForm()
        if has_lemmas(language):
            return find_word_form(form, language, sentence)
        return WordForm(self._lemmatiser.lemma(form, language, sentence))

    @cached_property
    def _lemmatiser(self) -> Lemmatiser:
        from tui.language.lemmas import Lemmatiser

        return Lemmatiser(self._database.directory / "lemmas")


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
