"""Routes of dictionaries: those that the library has, their order, and what they say of a word."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tui.records.dictionaries import Dictionary
from tui.records.lookups import LookUp
from tui.server.dependencies import ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.routes.words import Language, Sentence, Word
from tui.server.schemas import Ids

router = APIRouter(prefix="/dictionaries", tags=["dictionaries"], route_class=WriteRoute)


@router.get("", response_model=list[Dictionary])
async def list_dictionaries(service: ServiceOf) -> Response:
    """All of them, which all profiles share, in the order in which they are asked."""
    return json(await service.dictionaries.all())


@router.get("/entries", response_model=LookUp)
async def look_up_word(service: ServiceOf, word: Word, language: Language = None, sentence: Sentence = "") -> Response:
    """Looks a word up as it stands in its sentence: by its form, its dictionary form, as a part of a phrase there.

    The likeliest entry comes first. `html` of an entry is safe markup for a card; all else is plain text. Without a
    language all dictionaries are asked.
    """
    return json(await service.dictionaries.look_up(word, language=language, sentence=sentence))


@router.put("/order", response_model=list[Dictionary])
async def order_dictionaries(service: ServiceOf, body: Ids) -> Response:
    """Lets these be asked first, in this order; the others follow as before."""
    return json(await service.dictionaries.reorder(*body.ids))


@router.post("/delete", response_model=list[Dictionary])
async def delete_dictionaries(service: ServiceOf, body: Ids) -> Response:
    """Deletes several for good: no undo brings them back, but adding their files again does."""
    return json(await service.dictionaries.delete(*body.ids))


@router.delete("/{dictionary_id}", response_model=Dictionary)
async def delete_dictionary(service: ServiceOf, dictionary_id: str) -> Response:
    """Deletes it for good: no undo brings it back, but adding its file again does."""
    (deleted,) = await service.dictionaries.delete(dictionary_id)
    return json(deleted)
