"""Routes of words: a summary of one, and where it occurs."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tui.records.clips import ConcordanceLine
from tui.records.words import WordSummary
from tui.server.dependencies import LanguageIn, LimitIn, SentenceIn, ServiceOf, WordIn
from tui.server.idempotency import WriteRoute
from tui.server.responses import json

router = APIRouter(prefix="/profiles/words", tags=["words"], route_class=WriteRoute)


@router.get("/summary", response_model=WordSummary)
async def word_summary(
    service: ServiceOf, word: WordIn, language: LanguageIn = None, sentence: SentenceIn = ""
) -> Response:
    """Lemma, meanings, count, and in how many clips and answers it is."""
    return json(await service.words.summary(word, language=language, sentence=sentence))


@router.get("/concordance", response_model=list[ConcordanceLine])
async def concordance(service: ServiceOf, word: WordIn, language: LanguageIn = None, limit: LimitIn = 20) -> Response:
    """Sentences of the library with the word in any of its forms."""
    return json(await service.words.concordance(word, language=language, limit=limit))
