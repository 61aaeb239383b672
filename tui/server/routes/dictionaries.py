"""Routes of dictionaries: those that the library has, their order, and what they say of a word."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.records.dictionaries import Dictionary
from tui.records.jobs import Job
from tui.records.lookups import LookUp
from tui.server.dependencies import LanguageIn, SentenceIn, ServiceOf, WordIn
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.schemas import Ids
from tui.server.uploads import FILE_BODY, file_pieces

router = APIRouter(prefix="/dictionaries", tags=["dictionaries"], route_class=WriteRoute)


@router.get("", response_model=list[Dictionary])
async def list_dictionaries(service: ServiceOf) -> Response:
    """All of them, which all profiles share, in the order in which they are asked."""
    return json(await service.dictionaries.all())


@router.post("", response_model=Job, status_code=202, openapi_extra=dict(FILE_BODY))
async def upload_dictionary(
    request: Request,
    service: ServiceOf,
    name: Annotated[str, Query(max_length=1000, description="The name of the file, as in `wty-de-en.zip`.")],
) -> Response:
    """The body is the file of a dictionary, as it was downloaded; the answer is the job of this profile that adds it.

    What it is, is told by its content: a Yomitan ZIP file, kaikki.org's JSONL, CC-CEDICT, each packed by gzip or not.
    The two files of dictd and FreeDict are sent as one, a ZIP file with both. Another revision of a dictionary takes
    its place; the very same file again changes nothing.
    """
    return json(await service.dictionaries.add_upload(name, file_pieces(request)), 202)


@router.get("/entries", response_model=LookUp)
async def look_up_word(
    service: ServiceOf, word: WordIn, language: LanguageIn = None, sentence: SentenceIn = ""
) -> Response:
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
