"""Transcripts and their cues."""

from __future__ import annotations

from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.exporting.formats import EXPORT_FORMATS, export_format, file_name
from tui.records.pages import Page, to_json
from tui.records.words import TranscriptWithCounts
from tui.server.dependencies import PageQueryIn, ServiceOf
from tui.server.download import attachment, streamed
from tui.server.idempotency import WriteRoute
from tui.server.responses import listed

T = TypeVar("T")
router = APIRouter(prefix="/profiles/transcripts", tags=["transcripts"], route_class=WriteRoute)


@router.get("", response_model=list[TranscriptWithCounts])
async def list_transcripts(
    request: Request,
    service: ServiceOf,
    query: PageQueryIn,
    counts: Annotated[bool, Query(description="With `words`, the counts of the words of each.")] = False,
) -> Response:
    """Newest first. Without `limit` the whole list.

    The first count of a transcript takes a tenth of a second for a film, so `words` is there only where it is asked
    for.
    """
    if not counts:
        return await listed(request, service.transcripts.page, query, {})

    async def counted(
        *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None
    ) -> Page[TranscriptWithCounts]:
        page = await service.transcripts.page(offset=offset, limit=limit, q=q, after=after)
        words = await service.known_words.counts(*(transcript.id for transcript in page.items))
        items = (TranscriptWithCounts(**to_json(each) | {"words": words[each.id]}) for each in page.items)
        return Page(tuple(items), page.total, page.offset, page.next)

    return await listed(request, counted, query, {"counts": "true"})


@router.get(
    "/{transcript_id}/export",
    response_class=Response,
    responses={200: {"content": {each.media_type: {"schema": {}} for each in EXPORT_FORMATS.values()}}},
)
async def export_transcript(
    service: ServiceOf,
    transcript_id: str,
    format: Annotated[
        str,
        Query(
            max_length=40,
            description="`srt` and `vtt` need times, which a text has not.",
            json_schema_extra={"enum": list(EXPORT_FORMATS)},
        ),
    ],
) -> Response:
    """The transcript as a file with a name. `json` has every field, `vtt` speakers and readings, `srt` speakers."""
    transcript = await service.transcripts.get(transcript_id)
    wanted = export_format(format)
    pieces = service.transcripts.exported(transcript.id, wanted.name)
    return await streamed(pieces, attachment(file_name(transcript, wanted), wanted.name), wanted.media_type)
