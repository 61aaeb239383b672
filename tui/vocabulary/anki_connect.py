"""A running Anki, asked over AnkiConnect (version 6): words of its notes, and only of those that have changed; and its
browser, opened at a word.

One request at a time, since AnkiConnect answers from Anki's window between two redraws. What is known is told by three
searches rather than by looking at each card, which Anki does slowly; which cards have changed by their times, which it
tells fast. Source: AnkiConnect's README and plugin (git.sr.ht/~foosoft/anki-connect).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from tui.errors import ProviderError
from tui.language.scripts import is_spaceless
from tui.net import is_this_machine
from tui.records.vocabulary import NoteType, VocabularyChoice, VocabularyOffer, VocabularyWord
from tui.text.sanitize import one_line
from tui.vocabulary.notes import LEARNING, NEW, REVIEW, Card, Note, NoteReader, check_choice, made_note_type
from tui.vocabulary.vocabulary_file import MOST_OFFERED, Progress

if TYPE_CHECKING:
    import httpx

ADDRESS = "http://127.0.0.1:8765"
KEY_VARIABLE = "LODE_ANKICONNECT_KEY"
"""Environment variable with the key, where AnkiConnect's settings ask for one."""
_VERSION = 6
_ADD_ON = "2055492159"
_SECONDS = 60.0
"""Longest wait for an answer: a sync or a database check keeps Anki from answering."""
_MOST_BYTES = 256_000_000
_CARDS_AT_ONCE, _NOTES_AT_ONCE = 5_000, 400
"""Ids in one request: AnkiConnect reads a request in pieces of a kilobyte, and anew with each."""
_SAMPLED = 40


@dataclass(frozen=True, slots=True)
class AnkiWords:
    """What was read of a running Anki: words of the notes that have changed, and times of all cards, for the next time.

    ``skipped`` notes have no word.
    """

    words: tuple[VocabularyWord, ...]
    card_times: Mapping[int, int]
    skipped: int


class AnkiConnect:
    """A running Anki at an address; its methods raise ``ProviderError`` with a code for each way not to answer.

    ``unreachable``: nothing answers; ``timeout``: Anki is busy, or a dialog is open; ``key_refused``; ``not_anki``:
    something else is there; ``anki_refused``: Anki says no, and why.
    """

    def __init__(self, address: str = "", key: str = "") -> None:
        self.address = address or ADDRESS
        self._key = key

    async def offer(self) -> VocabularyOffer:
        async with self._client() as client:
            return VocabularyOffer("anki", await self._note_types(client), await self._decks(client))

    async def words(
        self, choice: VocabularyChoice, progress: Progress, *, known_times: Mapping[int, int], edited_days: int = 0
    ) -> AnkiWords:
        """Read the words of notes whose cards are not as old as ``known_times`` says, or edited in the last days.

        Without known times that is all of them. Raises ``InvalidInput`` for a choice that this Anki does not have.
        """
        async with self._client() as client:
            note_types = await self._note_types(client)
            check_choice(choice, note_types, await self._decks(client), "Anki")
            reader = NoteReader(choice, note_types)
            scope = _scope(choice, [each.name for each in note_types if reader.reads(each.name)])
            cards = await self._cards(client, scope, choice)
            progress(0.1)
            times = await self._times(client, sorted(cards.told))
            changed = {card for card, time in times.items() if known_times.get(card) != time}
            if known_times and edited_days:
                changed |= cards.told.intersection(await self._ids(client, f"{scope} edited:{edited_days}"))
            words: list[VocabularyWord] = []
            notes = await self._notes_of(client, sorted(changed))
            done = 0
            for batch in _batches(notes, _NOTES_AT_ONCE):
                for note in await self._notes(client, batch, cards, choice):
                    words += reader.words(note)
                done += len(batch)
                progress(0.2 + 0.8 * done / len(notes))
        return AnkiWords(tuple(words), times, reader.skipped)

    async def browse(self, word: str) -> int:
        """Open Anki's browser at the notes that have this word in a field; gives how many there are.

        The browser stays as it is where there is none.
        """
        async with self._client() as client:
            query = _word_search(word)
            notes = await self._list(client, "findNotes", query=query)
            if notes:
                await self._list(client, "guiBrowse", query=query)
        return len(notes)

    async def _note_types(self, client: httpx.AsyncClient) -> tuple[NoteType, ...]:
        names = [str(name) for name in await self._list(client, "modelNames")][:MOST_OFFERED]
        found = []
        for name in names:
            ids = await self._list(client, "findNotes", query=f"note:{_quoted(name)}")
            if ids:
                fields = [str(each) for each in await self._list(client, "modelFieldNames", modelName=name)]
                infos = await self._list(client, "notesInfo", notes=ids[:_SAMPLED])
                found.append(made_note_type(name, fields, [_fields(info) for info in infos], len(ids)))
        return tuple(sorted(found, key=lambda each: -each.notes))

    async def _decks(self, client: httpx.AsyncClient) -> tuple[str, ...]:
        return tuple(one_line(str(name)) for name in await self._list(client, "deckNames"))[:MOST_OFFERED]

    async def _cards(self, client: httpx.AsyncClient, scope: str, choice: VocabularyChoice) -> _Cards:
        every = set(await self._ids(client, scope))
        shown = set(await self._ids(client, f"{scope} -is:new"))
        known = set(await self._ids(client, f"{scope} is:review -is:learn prop:ivl>={choice.known_days}"))
        asked = choice.suspended != "as-others"
        suspended = set(await self._ids(client, f"{scope} is:suspended")) if asked else set()
        return _Cards(every, shown, known, suspended)

    async def _times(self, client: httpx.AsyncClient, cards: Sequence[int]) -> dict[int, int]:
        times = {}
        for batch in _batches(cards, _CARDS_AT_ONCE):
            for each in await self._list(client, "cardsModTime", cards=batch):
                if isinstance(each, dict) and isinstance(each.get("cardId"), int) and isinstance(each.get("mod"), int):
                    times[each["cardId"]] = each["mod"]
        return times

    async def _notes_of(self, client: httpx.AsyncClient, cards: Sequence[int]) -> list[int]:
        notes: set[int] = set()
        for batch in _batches(cards, _CARDS_AT_ONCE):
            notes.update(
                each for each in await self._list(client, "cardsToNotes", cards=batch) if isinstance(each, int)
            )
        return sorted(notes)

    async def _notes(
        self, client: httpx.AsyncClient, ids: Sequence[int], cards: _Cards, choice: VocabularyChoice
    ) -> list[Note]:
        found = []
        for info in await self._list(client, "notesInfo", notes=ids):
            if isinstance(info, dict) and isinstance(info.get("cards"), list):
                states = [cards.card(each, choice) for each in info["cards"] if isinstance(each, int)]
                found.append(Note(str(info.get("modelName", "")), _fields(info), states))
        return found

    async def _ids(self, client: httpx.AsyncClient, query: str) -> list[int]:
        return [each for each in await self._list(client, "findCards", query=query) if isinstance(each, int)]

    async def _list(self, client: httpx.AsyncClient, action: str, **params: object) -> list[Any]:
        result = await self._ask(client, action, params)
        if not isinstance(result, list):
            raise self._no_anki()
        return result

    async def _ask(self, client: httpx.AsyncClient, action: str, params: Mapping[str, object]) -> object:
        """Send one request, and give its result. One request is sent at a time."""
        import httpx

        body = {"action": action, "version": _VERSION, "params": params} | ({"key": self._key} if self._key else {})
        try:
            async with client.stream("POST", self.address, content=json.dumps(body)) as response:
                content = await self._bounded(response)
        except httpx.TimeoutException as error:
            raise ProviderError(
                f"Anki has sent nothing for {_SECONDS:g} s",
                hint="a dialog may be open there, or it synchronises: look at its window, and try again",
                code="timeout",
            ) from error
        except httpx.ConnectError as error:
            raise ProviderError(
                f"Anki does not answer at {self.address}",
                hint=f"start Anki, with the add-on AnkiConnect ({_ADD_ON}); or export a package, and name that",
                code="unreachable",
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._no_anki() from error
        if response.status_code == 403:
            raise ProviderError(
                "AnkiConnect does not let this program in (403)",
                hint="look at webBindAddress and webCorsOriginList in the add-on's settings",
                code="anki_refused",
            )
        if response.status_code != 200:
            raise self._no_anki()
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise self._no_anki() from error
        if not isinstance(answer, dict) or not {"result", "error"} <= answer.keys():
            raise self._no_anki()
        if answer["error"] is not None:
            raise self._refusal(one_line(str(answer["error"])[:500]))
        return cast(object, answer["result"])

    async def _bounded(self, response: httpx.Response) -> bytes:
        """Read an answer, as much of it as a large collection gives."""
        content = bytearray()
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > _MOST_BYTES:
                raise self._no_anki()
        return bytes(content)

    def _refusal(self, said: str) -> ProviderError:
        if "api key" in said:
            return ProviderError(
                "AnkiConnect asks for its key" if not self._key else "AnkiConnect refuses the key",
                hint=f"put apiKey of the add-on's settings into the variable {KEY_VARIABLE}",
                code="key_refused",
            )
        return ProviderError(f"Anki says: {said}", hint="look at its window", code="anki_refused")

    def _no_anki(self) -> ProviderError:
        return ProviderError(
            f"what answers at {self.address} is not AnkiConnect {_VERSION}",
            hint="give AnkiConnect another webBindPort in its settings, and name it: anki=http://127.0.0.1:8766",
            code="not_anki",
        )

    def _client(self) -> httpx.AsyncClient:
        import httpx

        # One connection for each request, and no proxy before this machine, as AnkiConnect has it.
        limits = httpx.Limits(max_keepalive_connections=0)
        timeout = httpx.Timeout(_SECONDS, connect=5.0)
        return httpx.AsyncClient(limits=limits, timeout=timeout, trust_env=not is_this_machine(self.address))


@dataclass(frozen=True, slots=True)
class _Cards:
    """Cards by what searches find of them: all that are wanted, those once shown, those that are known or suspended."""

    every: set[int]
    shown: set[int]
    known: set[int]
    suspended: set[int]

    @property
    def told(self) -> set[int]:
        """Cards that say something of their word."""
        return self.shown | self.suspended

    def card(self, number: int, choice: VocabularyChoice) -> Card:
        kind = REVIEW if number in self.known else LEARNING if number in self.shown else NEW
        deck = choice.deck if number in self.every else ""
        return Card(kind, choice.known_days if number in self.known else 0, number in self.suspended, deck)


def _fields(info: object) -> dict[str, str]:
    fields = info.get("fields") if isinstance(info, dict) else None
    if not isinstance(fields, dict):
        return {}
    return {str(name): str(each.get("value", "")) for name, each in fields.items() if isinstance(each, dict)}


def _scope(choice: VocabularyChoice, note_types: Sequence[str]) -> str:
    """The search for the cards that a choice means."""
    types = " OR ".join(f"note:{_quoted(name)}" for name in note_types)
    deck = f"deck:{_quoted(choice.deck, is_deck=True)} " if choice.deck else ""
    return f"{deck}({types})"


def _word_search(word: str) -> str:
    """The search for a word in whatever field: as a whole word, where it has edges that set words apart."""
    is_whole = not is_spaceless(word) and word[:1].isalnum() and word[-1:].isalnum()
    return _quoted(word, prefix="w:" if is_whole else "")


def _quoted(text: str, *, is_deck: bool = False, prefix: str = "") -> str:
    """A name in a search, with the characters escaped that mean something there; in names of decks a colon does not."""
    for character in ("\\", '"', "*", "_") if is_deck else ("\\", '"', "*", "_", ":"):
        text = text.replace(character, "\\" + character)
    return f'"{prefix}{text}"'


def _batches(ids: Sequence[int], size: int) -> Iterator[list[int]]:
    left = iter(ids)
    while batch := list(islice(left, size)):
        yield batch
