"""Routes that are not what their operation is: other arguments, or none in the service; and answers that are others."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from tui import __version__
from tui.errors import LodeError, NotFound
from tui.records.answers import LlmTemplate
from tui.records.jobs import Job
from tui.records.media import LinkedMedia
from tui.records.pages import MAX_FOLLOWED, MAX_ID, Page
from tui.records.sorting import MAX_SORT_NAME
from tui.records.word_stats import TranscriptCounts, TranscriptWithCounts
from tui.records.words import WordPlace
from tui.server.dependencies import EngineOf, PageQueryIn, ServiceOf, text_query
from tui.server.errors import ErrorFields
from tui.server.idempotency import WriteRoute
from tui.server.options import FILE_BODY, file_pieces
from tui.server.responses import json, listed
from tui.server.streams import EventStream, event, stream_events
from tui.service.incoming import film_too_large
from tui.service.protocol.arguments import SortName
from tui.service.protocol.records import Jobs
from tui.wire import codec

router = APIRouter(route_class=WriteRoute)


class Health(BaseModel):
    name: str
    version: str
    interface: int


@router.get("/health", tags=["server"], response_model=Health)
async def health() -> Response:
    """Name, version, and the number of the interface: a client whose own number differs cannot work with it."""
    return json({"name": "lode", "version": __version__, "interface": codec.INTERFACE})


@router.get("/profiles", tags=["library"], response_model=list[str])
async def list_profiles(engine: EngineOf) -> Response:
    """The names of the profiles that have anything in them."""
    summaries = await engine.database.run(lambda store: store.profiles.summaries())
    return json([each.name for each in summaries])


@router.get("/profiles/transcripts", tags=["transcripts"], response_model=list[TranscriptWithCounts])
async def list_transcripts(
    request: Request,
    service: ServiceOf,
    query: PageQueryIn,
    counts: Annotated[bool, Query(description="With `words`, the counts of the words of each.")] = False,
    sort: Annotated[str, text_query(MAX_SORT_NAME, get_args(SortName)[1].about)] = "",
) -> Response:
    """Newest first unless told otherwise. Without `limit` the whole list.

    The first count of a transcript takes a tenth of a second for a film, so `words` is there only where it is asked
    for.
    """
    if not counts:
        return await listed(request, partial(service.transcripts.page, sort=sort), query, {"sort": sort})

    async def read_counted(**asked: Any) -> Page[TranscriptWithCounts]:
        page = await service.transcripts.page(**asked, sort=sort)
        words = await service.known_words.counts(*(transcript.id for transcript in page.items))
        items = tuple(TranscriptWithCounts.of(each, words[each.id]) for each in page.items)
        return Page(items, page.total, page.offset, page.next)

    return await listed(request, read_counted, query, {"counts": "true", "sort": sort})


@router.get("/profiles/template", tags=["template"], response_model=LlmTemplate)
async def get_template(service: ServiceOf) -> Response:
    """404 with the code `template_not_found` where there is none: then the built-in one is in force."""
    template = await service.template.get()
    if template is None:
        raise NotFound(
            f"the profile {service.profile} has no template of its own",
            hint="the built-in one is in force; POST saves one",
            code="template_not_found",
        )
    return json(template)


@router.get("/profiles/transcripts/{transcript_id}/next_new_word", tags=["words"], response_model=WordPlace | None)
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


@router.get("/profiles/job_events", tags=["jobs"], response_class=EventStream, status_code=200)
async def follow_jobs(
    request: Request,
    service: ServiceOf,
    ids: Annotated[list[str], Query(alias="id", min_length=1, max_length=MAX_FOLLOWED)],
) -> Response:
    """Each of these jobs as it is and whenever it changes, then `event: done` when all are over."""
    for job_id in ids:
        await service.jobs.get(job_id)  # what is not there is said before the stream begins
    return stream_events(request, _changes(service.jobs, ids))


async def _changes(jobs: Jobs, ids: Sequence[str]) -> AsyncGenerator[bytes, None]:
    try:
        async with aclosing(jobs.follow(ids)) as changes:
            async for job in changes:
                yield event(codec.encode(job))
    except LodeError as error:
        yield event(codec.encode(codec.error_fields(error)), "error")
    yield event(b"{}", "done")


_Size = Annotated[int, Query(ge=0, le=2**60, description="Its size, by which it is refused whatever of it is sent.")]
_Of = Annotated[str, text_query(MAX_ID, "The id of a transcript, or of a file with some.")]


@router.post(
    "/profiles/media", tags=["media"], response_model=LinkedMedia, status_code=202, openapi_extra=dict(FILE_BODY)
)
async def upload_media(
    request: Request,
    service: ServiceOf,
    of: _Of,
    name: Annotated[str, text_query(1000, "The name of the film.")],
    track: Annotated[int, Query(ge=0, le=1000, description="Its track of sound; 0 goes by the language.")] = 0,
    size_bytes: _Size = 0,
) -> Response:
    """The body is a film or recording; it is kept, and linked instead of the one that the transcript may have.

    `job` cuts the sounds and pictures of the clips that there are.
    """
    most = request.app.state.options.max_film
    if size_bytes > most:
        raise film_too_large("the film", most)
    return json(await service.media.link_upload(of, name, _film(request), most, track=track), 202)


@router.post(
    "/profiles/transcription/recording",
    tags=["transcripts"],
    response_model=Job,
    status_code=202,
    openapi_extra=dict(FILE_BODY),
)
async def upload_recording(
    request: Request,
    service: ServiceOf,
    name: Annotated[str, text_query(1000, "The name of the recording.")],
    model: Annotated[str, text_query(300, "PROVIDER:MODEL or whisper:NAME; else the profile's.")] = "",
    language: Annotated[str, text_query(40, "A language tag; without it it is found out.")] = "",
    track: Annotated[int, Query(ge=0, le=1000, description="Its track of sound; 0 goes by the language.")] = 0,
    start_ms: Annotated[int, Query(ge=0, le=2**53, description="Milliseconds from the beginning.")] = 0,
    end_ms: Annotated[int | None, Query(ge=0, le=2**53, description="Milliseconds; without it the end.")] = None,
    size_bytes: _Size = 0,
) -> Response:
    """The body is a recording or a film; it is kept, and the job transcribes it."""
    most = request.app.state.options.max_film
    if size_bytes > most:
        raise film_too_large("the recording", most)
    job = await service.transcription.start_upload(
        name, _film(request), most, model=model, language=language, track=track, start_ms=start_ms, end_ms=end_ms
    )
    return json(job, 202)


async def _film(request: Request) -> AsyncIterator[bytes]:
    """Give the film in pieces. That there is none is told last.

    A client whose upload was refused in the middle asks without a body what was wrong with it.
    """
    async for piece in file_pieces(request):
        yield piece


class DeletedJobs(BaseModel):
    """The jobs that went with a file."""

    deleted_job_ids: list[str]


class LenientPreview(BaseModel):
    """The first error in a prompt is told with what can be shown of it."""

    text: str
    error: ErrorFields | None


@dataclass(frozen=True, slots=True)
class Reshaped:
    """Answer of ``kind`` that ``make`` makes of the operation's own; ``text`` describes it, else the method's does."""

    kind: Any
    make: Callable[[Any], Any]
    text: str = ""


RESHAPED: Mapping[str, Reshaped] = {
    "delete_file": Reshaped(
        DeletedJobs,
        lambda deletion: {"deleted_job_ids": deletion.job_ids},
        "Its jobs go with it, and are named; its transcripts and clips stay.",
    ),
    "count_words": Reshaped(
        list[TranscriptCounts], lambda counts: [TranscriptCounts(*each) for each in counts.items()]
    ),
    "preview_lenient": Reshaped(
        LenientPreview,
        lambda shown: {"text": shown[0], "error": None if shown[1] is None else codec.error_fields(shown[1])},
    ),
}
"""Operations whose answer is another over HTTP, by name."""
