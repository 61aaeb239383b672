"""Sources of vocabulary on this machine, a file or a running Anki: what they offer, and their words."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import InvalidInput, NotFound
from tui.records.vocabulary import RunningAnki, VocabularyChoice, VocabularyFormat, VocabularyOffer, VocabularyWord
from tui.records.word_states import FROM_ANKI
from tui.system.regular_file import named_path
from tui.text.sanitize import is_blank, one_line

if TYPE_CHECKING:
    from tui.vocabulary.anki_connect import AnkiVocabulary

VocabularySource = Path | RunningAnki


@dataclass(frozen=True, slots=True)
class ReadVocabulary:
    """Words as they were read, and ``source``: what their states are said to be from.

    ``card_times`` are those of a running Anki's cards, for the next time.
    """

    format: VocabularyFormat
    source: str
    words: tuple[VocabularyWord, ...]
    skipped: int = 0
    card_times: Mapping[int, int] | None = None


class SourcesHere:
    """Part of the vocabulary resource that is the same wherever the library is: sources are those of this machine.

    ``anki`` is the running one that is meant where none is named; what has to be unpacked lies in ``place`` meanwhile.
    """

    def __init__(self, anki: RunningAnki, place: Path) -> None:
        self._anki = anki
        self._place = place

    async def offer(self, source: VocabularySource, *, encoding: str = "") -> VocabularyOffer:
        source = self._meant(source)
        if isinstance(source, RunningAnki):
            return await _anki(source).offer()
        path = named_path(source).absolute()

        def offered() -> VocabularyOffer:
            from tui.vocabulary.formats import open_vocabulary

            self._place.mkdir(parents=True, exist_ok=True)
            with open_vocabulary(path, self._place, encoding=encoding) as file:
                return file.offer()

        return await asyncio.to_thread(offered)

    async def read(self, source: VocabularySource, choice: VocabularyChoice) -> ReadVocabulary:
        """All words of a source, read for a look at them. Raises ``InvalidInput`` as ``check_choice_values`` does."""
        check_choice_values(choice)
        return await read_source(self._meant(source), self._place, choice)

    async def show_in_anki(self, word: str, anki: RunningAnki | None = None) -> int:
        if is_blank(word):
            raise InvalidInput("there is no word to look for in Anki")
        count = await _anki((anki or self._anki).or_else(self._anki)).browse(one_line(word))
        if not count:
            hint = "it may be in another profile of Anki's"
            raise NotFound(f"no note in Anki has {one_line(word)[:80]!r}", hint=hint)
        return count

    def _meant(self, source: VocabularySource) -> VocabularySource:
        return source.or_else(self._anki) if isinstance(source, RunningAnki) else source


async def read_source(source: VocabularySource, place: Path, choice: VocabularyChoice) -> ReadVocabulary:
    """All words of a source, read for a look at them."""
    if isinstance(source, RunningAnki):
        return await read_anki(source, choice, lambda share: None, known_times={}, days=0)
    path = named_path(source).absolute()

    def read() -> ReadVocabulary:
        place.mkdir(parents=True, exist_ok=True)
        return read_file(path, place, choice, lambda share: None)

    return await asyncio.to_thread(read)


def read_file(
    path: Path, place: Path, choice: VocabularyChoice, progress: Callable[[float], None], *, name: str = ""
) -> ReadVocabulary:
    """Read the words of a file. Blocks."""
    from tui.vocabulary.formats import open_vocabulary

    with open_vocabulary(
        path,
        place,
        name=name,
        encoding=choice.encoding,
        language=choice.language,
        progress=lambda share: progress(share / 2),
    ) as file:
        words = tuple(file.words(choice, lambda share: progress(0.5 + share / 2)))
        form = file.format
        return ReadVocabulary(form, FROM_ANKI if form == "anki" else "list", words, file.skipped)


def address_of(given: str) -> str:
    """The address of a running Anki as it is kept with a job; raises ``InvalidInput`` for what is none."""
    from tui.anki.connect import ADDRESS

    if given and not given.startswith(("http://", "https://")):
        raise InvalidInput(f"{one_line(given)[:80]!r} is no address of Anki's", hint=f"as in anki={ADDRESS}")
    return given or ADDRESS


async def read_anki(
    anki: RunningAnki,
    choice: VocabularyChoice,
    progress: Callable[[float], None],
    *,
    known_times: Mapping[int, int],
    days: int,
) -> ReadVocabulary:
    """Read the words of a running Anki, all or those that have changed."""
    found = await _anki(anki).words(choice, progress, known_times=known_times, edited_days=days)
    return ReadVocabulary("anki", FROM_ANKI, found.words, found.skipped, found.card_times)


def _anki(anki: RunningAnki) -> AnkiVocabulary:
    from tui.vocabulary.anki_connect import AnkiVocabulary

    return AnkiVocabulary(*connection_of(anki))


def connection_of(anki: RunningAnki) -> tuple[str, str, str]:
    """Address, key and the name of the key's variable, as ``AnkiConnect`` takes them, with what this machine has."""
    from tui.anki.connect import KEY_VARIABLE

    variable = anki.key_env or KEY_VARIABLE
    return address_of(anki.address), os.environ.get(variable, ""), variable


def check_choice_values(choice: VocabularyChoice) -> None:
    """Raise ``InvalidInput`` for numbers of a choice that mean nothing."""
    if not 1 <= choice.known_days <= 100_000:
        raise InvalidInput("a card is known from 1 to 100 000 days on", hint="Anki itself says 21", field="known_days")
    if choice.first is not None and choice.first < 1:
        raise InvalidInput("the first of a list are 1 or more", hint="as in --first 2000", field="first")
