"""Routes of own words: meanings, notes and phrases that a profile has written."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tui.records.own_words import OwnWord
from tui.server.dependencies import MAX_QUERY, LanguageIn, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json

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
