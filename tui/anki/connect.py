"""AnkiConnect (API version 6): a running Anki, asked over HTTP, one request at a time.

It answers from Anki's window between two redraws. Source: AnkiConnect's README and plugin
(git.sr.ht/~foosoft/anki-connect).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tui import bounds
from tui.errors import ProviderError
from tui.language.scripts import is_spaceless
from tui.records.notes import NoteTypeFields
from tui.system.net import is_this_machine
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    import httpx

ADDRESS = "http://127.0.0.1:8765"
KEY_VARIABLE = "LODE_ANKICONNECT_KEY"
"""Environment variable with the key, where AnkiConnect's settings ask for one and the user's name no other."""
INBOX_HEADER = "Lode-Inbox"
"""Header of all that Lode's own inbox answers, which else looks like an AnkiConnect."""
_VERSION = 6
_ADD_ON = "2055492159"
_SECONDS = bounds.ANKI_CONNECT.seconds
"""Longest wait for an answer: a sync or a database check keeps Anki from answering."""
_LONG_SECONDS = 600.0
_MAX_BYTES = bounds.ANKI_CONNECT.bytes_in
"""Maximum bytes of an answer, whose texts may take fifteen times as many while they are read."""
_MAX_ENTRIES = bounds.ANKI_CONNECT.entries
"""Maximum commas and openings of an answer: each is at most a value, of a hundred bytes where it is an object. The
largest collections have as many cards."""
TOO_LARGE = "too_large"
"""Code of the refusal of an answer with more than can be held; asked for less at once, it may be had."""
_AT_ONCE = 5_000
"""Ids in one request: it is read in pieces of a kilobyte, and anew with each."""


class AnkiConnect:
    """A running Anki at an address; its methods raise ``ProviderError`` with a code for each way not to answer.

    ``unreachable``: nothing answers; ``timeout``: Anki is busy, or a dialog is open; ``key_refused``; ``not_anki``:
    something else is there; ``too_large``: its answer is; ``anki_refused``: Anki says no, and why.
    """

    def __init__(self, address: str = "", key: str = "", variable: str = KEY_VARIABLE) -> None:
        self.address = address or ADDRESS
        self._key = key
        self._variable = variable

    async def browse(self, word: str) -> int:
        """Open Anki's browser at the notes that have this word in a field; gives how many there are.

        The browser stays as it is where there is none.
        """
        async with self.client() as client:
            query = _word_search(word)
            notes = await self.list_of(client, "findNotes", query=query)
            if notes:
                await self.list_of(client, "guiBrowse", query=query)
        return len(notes)

    async def find_first_fields(self, words: Sequence[str]) -> set[str]:
        """Find the words that are the first field of a note, of whatever note type."""
        async with self.client() as client:
            decks = await self.list_of(client, "deckNames")
            types = await self.list_of(client, "modelNames")
            if not decks or not types:
                return set()
            fields = await self.list_of(client, "modelFieldNames", modelName=types[0])
            options = {"duplicateScope": "collection", "duplicateScopeOptions": {"checkAllModels": True}}
            notes = [
                {
                    "deckName": decks[0],
                    "modelName": types[0],
                    "fields": {**dict.fromkeys(fields, "x"), fields[0]: word},
                    "options": {"allowDuplicate": False, **options},
                }
                for word in words
            ]
            can_add = await self.list_of(client, "canAddNotes", notes=notes)
        return {word for word, can in zip(words, can_add, strict=False) if can is False}

    async def note_types(self, wanted: str) -> list[NoteTypeFields]:
        """The note types that it has, with the fields of the one of this name only."""
        async with self.client() as client:
            names = [str(name) for name in await self.list_of(client, "modelNames")]
            fields = await self.list_of(client, "modelFieldNames", modelName=wanted) if wanted in names else []
        return [NoteTypeFields(name, tuple(map(str, fields)) if name == wanted else ()) for name in names]

    async def import_package(self, path: Path) -> None:
        """Let Anki import a package that it can read, which takes it a minute for some hundred thousand notes."""
        async with self.client(_LONG_SECONDS) as client:
            await self.ask(client, "importPackage", {"path": str(path)})

    async def delete_notes(self, notes: Sequence[int]) -> None:
        """Delete notes with their cards."""
        async with self.client() as client:
            for at in range(0, len(notes), _AT_ONCE):
                await self.ask(client, "deleteNotes", {"notes": list(notes[at : at + _AT_ONCE])})

    async def collection(self) -> Path:
        """Path of the collection that Anki has open, on its machine; asks for leave first, where that is needed."""
        async with self.client() as client:
            leave = await self.ask(client, "requestPermission", {})
            if not isinstance(leave, dict) or leave.get("permission") != "granted":
                raise ProviderError(
                    "Anki does not let Lode in", hint="press Yes where its window asks", code="anki_refused"
                )
            media = await self.ask(client, "getMediaDirPath", {})
        if not isinstance(media, str) or not media:
            raise self.no_anki()
        return Path(media).parent / "collection.anki2"

    async def has_notes(self, times: Mapping[int, int]) -> bool:
        """Whether it has all of these notes, with these times of change (in seconds since 1970)."""
        async with self.client() as client:
            found = await self.list_of(client, "notesInfo", notes=list(times))
        # Older releases tell no time.
        told = {each.get("noteId"): each.get("mod") for each in found if isinstance(each, dict)}
        return all(note in told and told[note] in (None, mod) for note, mod in times.items())

    async def list_of(self, client: httpx.AsyncClient, action: str, **params: object) -> list[Any]:
        result = await self.ask(client, action, params)
        if not isinstance(result, list):
            raise self.no_anki()
        return result

    async def ask(self, client: httpx.AsyncClient, action: str, params: Mapping[str, object]) -> object:
        """Send one request, and give its result. One request is sent at a time."""
        import httpx

        body = {"action": action, "version": _VERSION, "params": params} | ({"key": self._key} if self._key else {})
        try:
            async with client.stream("POST", self.address, content=json.dumps(body)) as response:
                content = await self._read_bounded(response)
        except httpx.TimeoutException as error:
            raise ProviderError(
                f"Anki has sent nothing for {client.timeout.read:g} s",
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
            raise self.no_anki() from error
        if INBOX_HEADER in response.headers:
            raise ProviderError(
                f"what answers at {self.address} is the inbox of Lode itself, and not Anki",
                hint="start Anki, or give its AnkiConnect another webBindPort and name it: anki_url in config.toml",
                code="own_inbox",
            )
        if response.status_code == 403:
            raise ProviderError(
                "AnkiConnect does not let this program in (403)",
                hint="look at webBindAddress and webCorsOriginList in the add-on's settings",
                code="anki_refused",
            )
        if response.status_code != 200:
            raise self.no_anki()
        if sum(map(content.count, (b",", b"[", b"{"))) > _MAX_ENTRIES:
            raise self._too_large()
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise self.no_anki() from error
        if not isinstance(answer, dict) or not {"result", "error"} <= answer.keys():
            raise self.no_anki()
        if answer["error"] is not None:
            raise self._refusal(one_line(str(answer["error"])[:500]))
        return cast(object, answer["result"])

    async def _read_bounded(self, response: httpx.Response) -> bytearray:
        """Read an answer, which is never packed: a few bytes could become any number."""
        content = bytearray()
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise self.no_anki()
        async for piece in response.aiter_raw():
            content += piece
            if len(content) > _MAX_BYTES:
                raise self._too_large()
        return content

    def _too_large(self) -> ProviderError:
        return ProviderError(
            f"Anki at {self.address} answers with more than can be read at once",
            hint="export a package there (File → Export), and name that",
            code=TOO_LARGE,
        )

    def _refusal(self, said: str) -> ProviderError:
        if "api key" in said:
            return ProviderError(
                "AnkiConnect asks for its key" if not self._key else "AnkiConnect refuses the key",
                hint=f"put apiKey of the add-on's settings into the variable {self._variable}",
                code="key_refused",
            )
        return ProviderError(f"Anki says: {said}", hint="look at its window", code="anki_refused")

    def no_anki(self) -> ProviderError:
        return ProviderError(
            f"what answers at {self.address} is not AnkiConnect {_VERSION}",
            hint="give AnkiConnect another webBindPort in its settings, and name it: anki=http://127.0.0.1:8766",
            code="not_anki",
        )

    def client(self, seconds: float = 0.0) -> httpx.AsyncClient:
        import httpx

        # One connection for each request, and no proxy before this machine, as AnkiConnect has it.
        return httpx.AsyncClient(
            headers={"Accept-Encoding": "identity"},
            limits=httpx.Limits(max_keepalive_connections=0),
            timeout=httpx.Timeout(seconds or _SECONDS, connect=5.0),
            trust_env=not is_this_machine(self.address),
            # Without TLS no certificates need be read, which takes longer than the answer.
            verify=not self.address.lower().startswith("http:"),
        )


def _word_search(word: str) -> str:
    """The search for a word in whatever field: as a whole word, where it has edges that set words apart."""
    is_whole = not is_spaceless(word) and word[:1].isalnum() and word[-1:].isalnum()
    return quote_search(word, prefix="w:" if is_whole else "")


def quote_search(text: str, *, is_deck: bool = False, prefix: str = "") -> str:
    """A name in a search, with the characters escaped that mean something there; in names of decks a colon does not."""
    for character in ("\\", '"', "*", "_") if is_deck else ("\\", '"', "*", "_", ":"):
        text = text.replace(character, "\\" + character)
    return f'"{prefix}{text}"'
