"""Films and recordings of transcripts: uploaded, never linked by a path, and what is cut out of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.records.media import LinkedMedia, MediaLink, Span
from tui.server.dependencies import OptionsOf, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.uploads import FILE_BODY, file_pieces
from tui.service.incoming import film_too_large
from tui.wire.pages import MAX_ID

router = APIRouter(prefix="/profiles/media", tags=["media"], route_class=WriteRoute)
_Of = Annotated[str, Query(max_length=MAX_ID, description="The id of a transcript, or of a file with some.")]
_Milliseconds = Annotated[int, Query(ge=0, le=2**40, description="Milliseconds from the beginning of the film.")]
_MOST_MS = 600_000
"""Milliseconds of a waveform or a sound."""


@router.post("", response_model=LinkedMedia, status_code=202, openapi_extra=dict(FILE_BODY))
async def upload_media(
    request: Request,
    service: ServiceOf,
    options: OptionsOf,
    of: _Of,
    name: Annotated[str, Query(max_length=1000, description="The name of the film.")],
    track: Annotated[int, Query(ge=0, le=1000, description="Its track of sound; 0 goes by the language.")] = 0,
    size_bytes: Annotated[
        int, Query(ge=0, le=2**60, description="Its size, by which it is refused whatever of it is sent.")
    ] = 0,
) -> Response:
    """The body is a film or recording; it is kept, and linked instead of the one that the transcript may have.

    `job` cuts the sounds and pictures of the clips that there are.
    """
    if size_bytes > options.max_film:
        raise film_too_large("the film", options.max_film)
    return json(await service.media.link_upload(of, name, _film(request), options.max_film, track=track), 202)


async def _film(request: Request) -> AsyncIterator[bytes]:
    """Give the film in pieces. That there is none is told last.

    A client whose upload was refused in the middle asks without a body what was wrong with it.
    """
    async for piece in file_pieces(request):
        yield piece


@router.get("", response_model=MediaLink | None)
async def media_of(service: ServiceOf, of: _Of) -> Response:
    """The film of a transcript, null where it has none."""
    return json(await service.media.of(of))


@router.delete("", response_model=list[MediaLink])
async def unlink_media(service: ServiceOf, of: _Of) -> Response:
    """Let transcripts have no film any more; clips keep the sounds and pictures that they have."""
    return json(await service.media.unlink(of))


@router.get(
    "/waveform",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def waveform(service: ServiceOf, of: _Of, start_ms: _Milliseconds, end_ms: _Milliseconds) -> Response:
    """The peaks of a span of the film of a transcript, fifty a second, a byte each; of ten minutes at most."""
    peaks = await service.media.waveform(of, _span(start_ms, end_ms))
    return Response(peaks, media_type="application/octet-stream")


@router.get(
    "/sound",
    response_class=Response,
    responses={200: {"content": {"audio/mpeg": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def sound(service: ServiceOf, of: _Of, start_ms: _Milliseconds, end_ms: _Milliseconds) -> Response:
    """The sound of a span of the film of a transcript, an MP3; of ten minutes at most."""
    return Response(await service.media.sound(of, _span(start_ms, end_ms)), media_type="audio/mpeg")


def _span(start_ms: int, end_ms: int) -> Span:
    return Span(start_ms, min(max(start_ms, end_ms), start_ms + _MOST_MS))
