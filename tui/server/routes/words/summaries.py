"""Routes of words: a summary of one, and where it occurs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tui.records.clips import ConcordanceLine
from tui.records.words import WordSummary
from tui.server.dependencies import MAX_QUERY, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
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


@router.get("/concordance", response_model=list[ConcordanceLine])
async def concordance(
    service: ServiceOf, word: Word, language: Language = None, limit: Annotated[int, Query(ge=1, le=MAX_ROWS)] = 20
) -> Response:
    """Sentences of the library with the word in any of its forms."""
    return json(await service.words.concordance(word, language=language, limit=limit))
