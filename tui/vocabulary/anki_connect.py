"""Words of a running Anki: of its notes, and only of those that have changed.

What is known is told by three searches rather than by looking at each card, which Anki does slowly; which cards have
changed by their times, which it tells fast.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tui import bounds
from tui.anki.connect import TOO_LARGE, AnkiConnect, quote_search
from tui.errors import ProviderError
from tui.records.vocabulary import NoteType, VocabularyChoice, VocabularyOffer, VocabularyWord
from tui.system import regular_file
from tui.system.temporary import replace_text
from tui.text.sanitize import one_line
from tui.vocabulary.notes import LEARNING, NEW, REVIEW, Card, Note, NoteReader, check_choice, make_note_type
from tui.vocabulary.vocabulary_file import MAX_FIELD_LENGTH, MAX_OFFERED, MAX_ROWS, Progress, too_many_rows

if TYPE_CHECKING:
    import httpx


_CARDS_AT_ONCE, _NOTES_AT_ONCE = 5_000, 400
"""Ids in one request: AnkiConnect reads a request in pieces of a kilobyte, and anew with each."""
_SAMPLED = 40
_MAX_NAME = 1_000
"""Maximum characters of a name: that of a deck has those of the decks above it."""


@dataclass(frozen=True, slots=True)
class AnkiWords:
    """What was read of a running Anki: words of the notes that have changed, and times of all cards, for the next time.

    ``skipped`` notes have no word.
    """

    words: tuple[VocabularyWord, ...]
    card_times: Mapping[int, int]
    skipped: int


class AnkiVocabulary(AnkiConnect):
    """The words of a running Anki."""

    async def offer(self) -> VocabularyOffer:
        async with self.client() as client:
            return VocabularyOffer("anki", await self._note_types(client), await self._decks(client))

    async def words(
        self, choice: VocabularyChoice, progress: Progress, *, known_times: Mapping[int, int], edited_days: int = 0
    ) -> AnkiWords:
        """Read the words of notes whose cards are not as old as ``known_times`` says, or edited in the last days.

        Without known times that is all of them. Raises ``InvalidInput`` for a choice that this Anki does not have.
        """
        async with self.client() as client:
            note_types = await self._note_types(client)
            check_choice(choice, note_types, await self._decks(client), "Anki")
            reader = NoteReader(choice, note_types)
            scope = _scope(choice, [each.name for each in note_types if reader.reads(each.name)])
            cards = await self._cards(client, scope, choice)
            progress(0.1)
            told = cards.shown | cards.suspended  # those that say something of their word
            times = await self._times(client, sorted(told))
            changed = {card for card, time in times.items() if known_times.get(card) != time}
            if known_times and edited_days:
                changed |= told.intersection(await self._ids(client, f"{scope} edited:{edited_days}"))
            words: list[VocabularyWord] = []
            notes: set[int] = set()
            for batch in _batches(sorted(changed), _CARDS_AT_ONCE):
                found = await self.list_of(client, "cardsToNotes", cards=batch)
                notes.update(each for each in found[: len(batch)] if isinstance(each, int))
            done = 0
            for batch in _batches(sorted(notes), _NOTES_AT_ONCE):
                for note in await self._notes(client, batch, cards, choice):
                    words += reader.words(note)
                if len(words) > MAX_ROWS:
                    raise too_many_rows("Anki")
                done += len(batch)
                progress(0.2 + 0.8 * done / len(notes))
        return AnkiWords(tuple(words), times, reader.skipped)

    async def _note_types(self, client: httpx.AsyncClient) -> tuple[NoteType, ...]:
        found = []
        for name in await self._names(client, "modelNames"):
            ids = await self.list_of(client, "findNotes", query=f"note:{quote_search(name)}")
            if ids:
                fields = await self._names(client, "modelFieldNames", modelName=name)
                infos = await self._infos(client, ids[:_SAMPLED])
                found.append(make_note_type(name, fields, [_fields_of(info) for info in infos], len(ids)))
        return tuple(sorted(found, key=lambda each: -each.notes))

    async def _decks(self, client: httpx.AsyncClient) -> tuple[str, ...]:
        return tuple(map(one_line, await self._names(client, "deckNames")))

    async def _names(self, client: httpx.AsyncClient, action: str, **params: object) -> list[str]:
        return [str(name)[:_MAX_NAME] for name in (await self.list_of(client, action, **params))[:MAX_OFFERED]]

    async def _cards(self, client: httpx.AsyncClient, scope: str, choice: VocabularyChoice) -> _Cards:
        every = set(await self._ids(client, scope))

        async def those(query: str) -> set[int]:
            found = set(await self._ids(client, f"{scope} {query}"))
            return {card for card in every if card in found}  # the same numbers, not once more in memory

        shown = await those("-is:new")
        known = await those(f"is:review -is:learn prop:ivl>={choice.known_days}")
        suspended = await those("is:suspended") if choice.suspended != "as-others" else set()
        return _Cards(every, shown, known, suspended)

    async def _times(self, client: httpx.AsyncClient, cards: Sequence[int]) -> dict[int, int]:
        times = {}
        for batch in _batches(cards, _CARDS_AT_ONCE):
            wanted = set(batch)
            for each in await self.list_of(client, "cardsModTime", cards=batch):
                card, time = (each.get("cardId"), each.get("mod")) if isinstance(each, dict) else (None, None)
                if isinstance(card, int) and card in wanted and isinstance(time, int):
                    times[card] = time
        return times

    async def _notes(
        self, client: httpx.AsyncClient, ids: Sequence[int], cards: _Cards, choice: VocabularyChoice
    ) -> list[Note]:
        found = []
        for info in await self._infos(client, ids):
            numbers = info.get("cards")
            if isinstance(numbers, list):
                states = [cards.card(each, choice) for each in numbers if isinstance(each, int)]
                found.append(Note(str(info.get("modelName", "")), _fields_of(info), states))
        return found

    async def _infos(self, client: httpx.AsyncClient, ids: Sequence[int]) -> list[Mapping[str, object]]:
        """Ask for the fields and cards of notes; in parts where their texts are too much for one answer."""
        try:
            infos = await self.list_of(client, "notesInfo", notes=list(ids))
        except ProviderError as error:
            if error.code != TOO_LARGE or len(ids) < 2:
                raise
            half = len(ids) // 2
            return await self._infos(client, ids[:half]) + await self._infos(client, ids[half:])
        return [info for info in infos if isinstance(info, dict)]

    async def _ids(self, client: httpx.AsyncClient, query: str) -> list[int]:
        return [each for each in await self.list_of(client, "findCards", query=query) if isinstance(each, int)]


@dataclass(frozen=True, slots=True)
class _Cards:
    """Cards by what searches find of them: all that are wanted, those once shown, those that are known or suspended."""

    every: set[int]
    shown: set[int]
    known: set[int]
    suspended: set[int]

    def card(self, number: int, choice: VocabularyChoice) -> Card:
        kind = REVIEW if number in self.known else LEARNING if number in self.shown else NEW
        deck = choice.deck if number in self.every else ""
        return Card(kind, choice.known_days if number in self.known else 0, number in self.suspended, deck)


def _fields_of(info: Mapping[str, object]) -> dict[str, str]:
    """The values of a note by the names of its fields, each as long as it is looked at."""
    fields = info.get("fields")
    given = fields.items() if isinstance(fields, dict) else ()
    return {str(name): str(each.get("value", ""))[:MAX_FIELD_LENGTH] for name, each in given if isinstance(each, dict)}


def _scope(choice: VocabularyChoice, note_types: Sequence[str]) -> str:
    """The search for the cards that a choice means."""
    types = " OR ".join(f"note:{quote_search(name)}" for name in note_types)
    deck = f"deck:{quote_search(choice.deck, is_deck=True)} " if choice.deck else ""
    return f"{deck}({types})"


def _batches(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (ids[at : at + size] for at in range(0, len(ids), size))


# Times of a running Anki's cards when they were last read: a file for each profile in the data directory.
#
# By them the next reading tells which cards have changed. It holds for one choice of field and deck: another one is
# read anew. Where the file is lost or damaged, all cards are read once more.

_MAX_BYTES, _MAX_VALUES = bounds.CARD_TIMES.bytes_in, bounds.CARD_TIMES.entries


@dataclass(frozen=True, slots=True)
class LastReading:
    """What a running Anki was read at last: the times of its cards, and how many days ago, today counted."""

    card_times: Mapping[int, int]
    days: int


_NOTHING = LastReading({}, 0)


class CardTimes:
    """The file of one profile, for what is chosen of the Anki at an address. All methods block."""

    def __init__(self, directory: Path, profile: str, address: str, choice: VocabularyChoice) -> None:
        self._path = directory / "anki" / f"{profile}.json"
        self._read_of = {"address": address, **asdict(choice)}

    def load(self) -> LastReading:
        """The last reading of just this; without one nothing is known of any card."""
        try:
            data = regular_file.read(self._path, _MAX_BYTES)
            if sum(map(data.count, (b",", b"[", b"{"))) > _MAX_VALUES:  # objects take thirty times their bytes
                return _NOTHING
            kept = json.loads(data)
            if kept["of"] != self._read_of:
                return _NOTHING
            day = date.fromisoformat(kept["day"])
            times = {int(card): int(time) for card, time in kept["cards"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return _NOTHING
        # Anki's days begin at night, and in another time zone: one more is asked for on either side.
        return LastReading(times, max((_today() - day).days, 0) + 2)

    def save(self, card_times: Mapping[int, int]) -> None:
        """Keep the times; where that cannot be, the next reading takes longer, and says the same."""
        kept = {"of": self._read_of, "day": _today().isoformat(), "cards": card_times}
        with suppress(OSError):
            replace_text(self._path, json.dumps(kept, separators=(",", ":")))

    def forget(self) -> None:
        """Let the next reading take all cards."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _today() -> date:
    return datetime.now(UTC).date()
