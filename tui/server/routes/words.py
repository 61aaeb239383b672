"""Routes of words: a summary of one, and where it occurs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tui.records.clips import ConcordanceLine
from tui.records.library import Deletion
from tui.records.own_words import OwnWord
from tui.records.words import WordSummary
from tui.server.dependencies import MAX_QUERY, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.schemas import LemmaBody, OwnWordBody
from tui.wire.pages import MAX_ROWS

router = APIRouter(prefix="/profiles/words", tags=["words"], route_class=WriteRoute)

Word = Annotated[str, Query(max_length=MAX_QUERY)]
Sentence = Annotated[
    str, Query(max_length=MAX_QUERY, description="The sentence it stands in, which may make a phrase of it.")
]
Language = Annotated[str | None, Query(max_length=200, description="A BCP 47 tag.")]


@router.get("/summary", response_model=WordSummary)
async def word_summary(service: ServiceOf, word: Word, language: Language = None, sentence: Sentence = "") -> Response:
    """Lemma, meanings, count, and in how many clips and answers it is."""
    return json(await service.words.summary(word, language=language, sentence=sentence))


@router.get("/own", response_model=list[OwnWord])
async def list_own_words(
    service: ServiceOf,
    language: Language = None,
    lemma: Annotated[str, Query(max_length=MAX_QUERY, description="Only what is written of this lemma.")] = "",
) -> Response:
    """What the profile has written of words itself."""
    if not lemma:
        return json(await service.own_words.all(language=language))
    found = await service.own_words.get(language or "", lemma)
    return json(() if found is None else (found,))


@router.put("/own", response_model=OwnWord)
async def save_own_word(service: ServiceOf, body: OwnWordBody) -> Response:
    """Puts it in the place of what was written of the lemma; undo takes it back."""
    return json(await service.own_words.save(body))


@router.post("/own/delete", response_model=Deletion)
async def delete_own_word(service: ServiceOf, body: LemmaBody) -> Response:
    """Deletes what is written of a lemma; undo brings it back."""
    return json(await service.own_words.delete(body.language, body.lemma))


@router.get("/concordance", response_model=list[ConcordanceLine])
async def concordance(
    service: ServiceOf, word: Word, language: Language = None, limit: Annotated[int, Query(ge=1, le=MAX_ROWS)] = 20
) -> Response:
    """Sentences of the library with the word in any of its forms."""
    return json(await service.words.concordance(word, language=language, limit=limit))
