"""Vocabulary: words with their states out of lists, tables and Anki packages that are sent."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from tui.records.jobs import Job
from tui.records.vocabulary import (
    KNOWN_DAYS,
    SuspendedCards,
    VocabularyChoice,
    VocabularyOffer,
    VocabularyReport,
)
from tui.records.word_states import WordState
from tui.server.dependencies import ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.uploads import FILE_BODY, file_pieces

router = APIRouter(prefix="/profiles/vocabulary", tags=["words"], route_class=WriteRoute)

Name = Annotated[str, Query(max_length=1000, description="Its name, as messages call it; its content says what it is.")]
Encoding = Annotated[str, Query(max_length=40, description="What a list is in; else it is found out.")]
Source = Annotated[str, Query(max_length=40, description="Where the states are from; else it is told by the file.")]


def _choice(
    field: Annotated[
        str, Query(max_length=200, description="The field or column with the word; else by its name.")
    ] = "",
    note_type: Annotated[str, Query(max_length=200, description="Only notes of this type.")] = "",
    deck: Annotated[str, Query(max_length=500, description="Only cards of this deck and those below it.")] = "",
    language: Annotated[str, Query(max_length=200, description="A BCP 47 tag; else it is told by the words.")] = "",
    state: Annotated[WordState, Query(description="State of words in a list that says none.")] = "known",
    known_days: Annotated[
        int, Query(ge=1, le=100_000, description="Days between reviews from which on a word is known.")
    ] = KNOWN_DAYS,
    suspended: Annotated[SuspendedCards, Query(description="What suspended cards say.")] = "as-others",
    first: Annotated[int | None, Query(ge=1, le=2**31, description="So many of the most frequent.")] = None,
    sentences: Annotated[bool, Query(description="The field has sentences, of which every word counts.")] = False,
    encoding: Encoding = "",
) -> VocabularyChoice:
    return VocabularyChoice(field, note_type, deck, language, state, known_days, suspended, first, sentences, encoding)


ChoiceIn = Annotated[VocabularyChoice, Depends(_choice)]


@router.post("", response_model=Job, status_code=202, openapi_extra=dict(FILE_BODY))
async def import_vocabulary(
    request: Request, service: ServiceOf, name: Name, choice: ChoiceIn, source: Source = ""
) -> Response:
    """The body is a list of words, a table, an Anki package or a collection; the answer is the job that imports it.

    One undo takes all of it back.
    """
    return json(await service.vocabulary.add_upload(name, file_pieces(request), choice, source=source), 202)


@router.post("/preview", response_model=VocabularyReport, openapi_extra=dict(FILE_BODY))
async def preview_vocabulary(
    request: Request, service: ServiceOf, name: Name, choice: ChoiceIn, source: Source = ""
) -> Response:
    """What the import of the body would do; nothing is kept or changed."""
    return json(await service.vocabulary.preview_upload(name, file_pieces(request), choice, source=source))


@router.post("/fields", response_model=VocabularyOffer, openapi_extra=dict(FILE_BODY))
async def fields_of_vocabulary(request: Request, service: ServiceOf, name: Name, encoding: Encoding = "") -> Response:
    """The note types of the body with their fields and samples, and its decks; a list is one of each."""
    return json(await service.vocabulary.offer_upload(name, file_pieces(request), encoding=encoding))
