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


async def offer_of(source: VocabularySource, place: Path, encoding: str) -> VocabularyOffer:
    """What can be chosen of a source; what has to be unpacked lies in ``place`` meanwhile."""
    if isinstance(source, RunningAnki):
        return await _anki(source).offer()
    path = named_path(source).absolute()

    def offered() -> VocabularyOffer:
        from tui.vocabulary.formats import open_vocabulary

        place.mkdir(parents=True, exist_ok=True)
        with open_vocabulary(path, place, encoding=encoding) as file:
            return file.offer()

    return await asyncio.to_thread(offered)


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


async def show_in_anki(word: str, anki: RunningAnki) -> int:
    """Open the browser of a running Anki at a word; gives the number of its notes, and raises ``NotFound`` for none."""
    if is_blank(word):
        raise InvalidInput("there is no word to look for in Anki")
    count = await _anki(anki).browse(one_line(word))
    if not count:
        raise NotFound(f"no note in Anki has {one_line(word)[:80]!r}", hint="it may be in another profile of Anki's")
    return count


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
