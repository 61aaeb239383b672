"""Routes of own words: meanings, notes and phrases that a profile has written."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tui.records.library import Deletion
from tui.records.own_words import OwnWord
from tui.server.dependencies import MAX_QUERY, LanguageIn, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.schemas import LemmaBody, OwnWordBody

router = APIRouter(prefix="/profiles/words/own", tags=["words"], route_class=WriteRoute)


@router.get("", response_model=list[OwnWord])
async def list_own_words(
    service: ServiceOf,
    language: LanguageIn = None,
    lemma: Annotated[str | None, Query(max_length=MAX_QUERY, description="Only what is written of this lemma.")] = None,
) -> Response:
    """Lists the meanings, notes and phrases that the profile has written itself."""
    if lemma is None:
        return json(await service.own_words.all(language=language))
    found = await service.own_words.get(language or "", lemma)
    return json(() if found is None else (found,))


@router.put("", response_model=OwnWord)
async def save_own_word(service: ServiceOf, body: OwnWordBody) -> Response:
    """Puts it in the place of what was written of the lemma; undo takes it back."""
    return json(await service.own_words.save(body))


@router.post("/delete", response_model=Deletion)
async def delete_own_word(service: ServiceOf, body: LemmaBody) -> Response:
    """Deletes what is written of a lemma; undo brings it back."""
    return json(await service.own_words.delete(body.language, body.lemma))
