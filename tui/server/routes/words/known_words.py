"""Routes of known words: their states in the profile, one by one, in lists, and by the cues they stand in."""

from __future__ import annotations

from functools import partial
from typing import Annotated, cast

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.records.clips import Clip
from tui.records.pages import MAX_ID, MAX_ROWS, MAX_SEARCH_LENGTH
from tui.records.word_states import WORD_STATES, WordOrder, WordState
from tui.records.words import (
    CueStates,
    FrequencyMark,
    FrequencyOffer,
    KnownWord,
    NextWord,
    TextPlace,
    TranscriptCounts,
    WordPlace,
    WordStats,
)
from tui.server.dependencies import LanguageIn, LimitIn, OffsetIn, PageQueryIn, ServiceOf
from tui.server.download import attachment, streamed
from tui.server.idempotency import WriteRoute
from tui.server.responses import json, listed
from tui.server.schemas import FrequentWords, Ids, WordMarks, WordPlaces
from tui.wire.word_marks import MarkGroup, marks_of

router = APIRouter(prefix="/profiles", tags=["words"], route_class=WriteRoute)


@router.get("/words", response_model=list[KnownWord])
async def list_words(
    request: Request,
    service: ServiceOf,
    query: PageQueryIn,
    language: LanguageIn = None,
    states: Annotated[
        str, Query(max_length=100, description=f"Only those in one of these states: {', '.join(WORD_STATES)}.")
    ] = "",
    order: Annotated[WordOrder, Query(description="What they are sorted by.")] = "lemma",
) -> Response:
    """Words with a state, and all words of the transcripts, which are new. Without `limit` the whole list."""
    wanted = tuple(each.strip() for each in states.split(",") if each.strip())
    # The service refuses what is no state.
    read = partial(
        service.known_words.page, language=language, states=cast("tuple[WordState, ...]", wanted), order=order
    )
    more = {"order": order, **({"states": states} if states else {}), **({"language": language} if language else {})}
    return await listed(request, read, query, more)


@router.post("/words/mark", response_model=int)
async def mark_words(service: ServiceOf, body: WordMarks) -> Response:
    """Give words another state; one undo takes it back. The answer is how many have another one now."""
    groups = (
        MarkGroup(group.language, group.state, tuple(group.lemmas), tuple(group.readings)) for group in body.groups
    )
    return json(await service.known_words.mark(tuple(marks_of(groups)), source=body.source))


@router.post("/words/mark_frequent", response_model=FrequencyMark)
async def mark_frequent_words(service: ServiceOf, body: FrequentWords) -> Response:
    """Give the most frequent words of a language a state, those that are new or were only seen.

    By a frequency dictionary, if one was added, else by the library's own counts; `dictionary` is empty then.
    """
    return json(await service.known_words.mark_frequent(body.language, body.count, body.state))


@router.get("/words/frequent", response_model=FrequencyOffer)
async def frequent_words(
    service: ServiceOf,
    language: Annotated[str, Query(max_length=200)],
    level: Annotated[str, Query(max_length=40, description="Those below this level: B1, N4, HSK3 …")] = "",
    count: Annotated[int, Query(ge=-(2**53), le=2**53, description="So many of them, without a level.")] = 0,
) -> Response:
    """What marking the most frequent words of a language would change; nothing is changed."""
    return json(await service.known_words.frequent(language, level=level, count=count))


@router.post("/words/counts", response_model=list[TranscriptCounts])
async def count_words(service: ServiceOf, body: Ids) -> Response:
    """Count the words of these transcripts. The first count of a transcript takes a tenth of a second for a film."""
    counts = await service.known_words.counts(*body.ids)
    return json([TranscriptCounts(transcript_id, each) for transcript_id, each in counts.items()])


@router.get("/words/next", response_model=list[NextWord])
async def next_words(
    service: ServiceOf,
    transcript_id: Annotated[str, Query(max_length=MAX_ID, description="Those of this transcript only.")] = "",
    q: Annotated[
        str, Query(max_length=MAX_SEARCH_LENGTH, description="Those of the transcripts with these words.")
    ] = "",
    language: LanguageIn = None,
    limit: LimitIn = 50,
) -> Response:
    """The new words that are worth learning next, the most useful first, each with its best sentence."""
    return json(await service.known_words.next_words(transcript_id=transcript_id, q=q, language=language, limit=limit))


@router.post("/words/clip", response_model=list[Clip], status_code=201)
async def clip_words(service: ServiceOf, body: WordPlaces) -> Response:
    """Make a clip of the sentence of each word, with what dictionaries say of it; one undo removes them all."""
    places = (TextPlace(place.transcript_id, place.cue, place.start, place.end) for place in body.places)
    return json(await service.known_words.clip_words(tuple(places)), 201)


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


@router.get("/words/stats", response_model=WordStats)
async def word_stats(
    service: ServiceOf,
    language: LanguageIn = None,
    transcripts: Annotated[int, Query(ge=0, le=MAX_ROWS, description="So many of the newest.")] = 50,
) -> Response:
    """Words by state, known words over time, clips a day, and the counts of the newest transcripts."""
    return json(await service.known_words.stats(language, transcripts=transcripts))


@router.get(
    "/words/export",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def export_words(service: ServiceOf, language: LanguageIn = None) -> Response:
    """The words that have a state as CSV, with a line of titles: it can be imported again as it is."""
    return await streamed(service.known_words.exported(language), attachment("words.csv", "csv"), "text/csv")


@router.get("/transcripts/{transcript_id}/word_states", response_model=list[CueStates])
async def word_states_of_cues(
    service: ServiceOf,
    transcript_id: str,
    offset: OffsetIn = 0,
    limit: LimitIn = 200,
) -> Response:
    """The words of the cues from `offset` on, each with its place in the cue's text, its lemma and its state."""
    return json(await service.known_words.of_cues(transcript_id, offset=offset, limit=limit))
