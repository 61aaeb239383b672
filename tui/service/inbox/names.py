"""Decks and note types that clients are told of, and make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tui.errors import InvalidInput, LodeError
from tui.inbox.note_types import DECK, OFFERED, number_of
from tui.inbox.notes import read_name
from tui.inbox.wire import read_list

if TYPE_CHECKING:
    from tui.service.library import Library
    from tui.store.tables.inbox import NameKind


class InboxNames:
    """The decks and note types of a profile's inbox."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def list_decks(self) -> list[str]:
        """Lode's deck, those of the languages that are learned, and what clients have made or used."""
        from tui.language.tags import language_name

        learned = [language_name(each.language) for each in (await self._library.settings()).learning]
        return list(dict.fromkeys((DECK, *(f"{DECK}::{name}" for name in learned), *await self._made("deck"))))

    async def make_deck(self, name: str) -> int:
        """Make a deck, unless it is there; gives its number."""
        await self._add("deck", name or DECK, ())
        return number_of(name or DECK)

    async def list_note_types(self) -> dict[str, Sequence[str]]:
        """The note types with their fields: those that are always there, and what clients have made or used."""
        made = await self._made("note_type")
        offered = {
            name: (*known, *(field for field in made.pop(name, ()) if field not in known))
            for name, known in OFFERED.items()
        }
        return {**offered, **made}

    async def fields_of(self, name: str) -> list[str]:
        """The fields of a note type. Raises ``LodeError`` in AnkiConnect's words where there is no such."""
        if (found := (await self.list_note_types()).get(name)) is None:
            raise LodeError(f"model was not found: {name}")
        return list(found)

    async def describe_note_types(self, params: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What ``findModelsByName`` tells of note types."""
        return [_describe(name, await self.fields_of(name)) for name in map(read_name, read_list(params, "modelNames"))]

    async def make_note_type(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Make a note type, as ``createModel`` does; one that is there gets the fields that it lacks."""
        name = read_name(params.get("modelName"))
        made = tuple(dict.fromkeys(filter(None, map(read_name, read_list(params, "inOrderFields")))))
        if not name or not made:
            raise InvalidInput("a note type has a name and fields")
        await self._add("note_type", name, made)
        return _describe(name, made)

    async def _made(self, kind: NameKind) -> dict[str, tuple[str, ...]]:
        return await self._library.run(lambda store: store.inbox.names(self._library.profile, kind))

    async def _add(self, kind: NameKind, name: str, fields: Sequence[str]) -> None:
        await self._library.run(lambda store: store.inbox.add_name(self._library.profile, kind, name, fields))


def _describe(name: str, fields: Sequence[str]) -> dict[str, Any]:
    described = [{"name": field, "ord": place} for place, field in enumerate(fields)]
    return {"id": number_of(name), "name": name, "type": 0, "flds": described}
