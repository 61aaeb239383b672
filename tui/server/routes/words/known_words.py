"""Routes of known words: their states in the profile, one by one, in lists, and by the cues they stand in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tui.records.words import (
    TranscriptCounts,
    WordPlace,
)
from tui.server.dependencies import LanguageIn, ServiceOf
from tui.server.download import attachment, streamed
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.schemas import Ids

router = APIRouter(prefix="/profiles", tags=["words"], route_class=WriteRoute)


@router.post("/words/counts", response_model=list[TranscriptCounts])
async def count_words(service: ServiceOf, body: Ids) -> Response:
    """Count the words of these transcripts. The first count of a transcript takes a tenth of a second for a film."""
    counts = await service.known_words.counts(*body.ids)
    return json([TranscriptCounts(transcript_id, each) for transcript_id, each in counts.items()])


@router.get("/transcripts/{transcript_id}/next_new_word", response_model=WordPlace | None)
async def next_new_word(
    service: ServiceOf,
    transcript_id: str,
    cue: Annotated[int, Query(ge=-1, le=2**53)],
    start: Annotated[int | None, Query(ge=-1, le=2**53, description="Behind the word that begins here.")] = None,
    one_new: Annotated[bool, Query(description="Only where all other words of its sentence are known.")] = False,
) -> Response:
    """The next new word behind this place, `null` behind the last one; without `start` behind the whole cue."""
    if one_new:
        return json(await service.known_words.next_one_new(transcript_id, cue, start))
    place = (cue + 1, -1) if start is None else (cue, start)
    return json(await service.known_words.next_new(transcript_id, *place))


@router.get(
    "/words/export",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def export_words(service: ServiceOf, language: LanguageIn = None) -> Response:
    """The words that have a state as CSV, with a line of titles: it can be imported again as it is."""
    return await streamed(service.known_words.exported(language), attachment("words.csv", "csv"), "text/csv")
