"""Clips: sentences kept with their focus word and explanation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from tui.records.clips import Clip, FillReport
from tui.records.jobs import Job
from tui.server.dependencies import ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.schemas import ClipBody, SelectedClips

router = APIRouter(prefix="/profiles/clips", tags=["clips"], route_class=WriteRoute)


@router.post("/fill", response_model=FillReport)
async def fill_clips(
    service: ServiceOf,
    body: SelectedClips,
    dry_run: Annotated[bool, Query(description="Say what they would get; change nothing.")] = False,
) -> Response:
    """Fill what they lack with what dictionaries say of their words by now; one undo takes it back.

    What stands in them stays. Some milliseconds a clip.
    """
    return json(await service.clips.fill(body.selection(), dry_run=dry_run))


@router.post("/speak", response_model=Job | None, status_code=202)
async def speak_clips(
    service: ServiceOf,
    body: SelectedClips,
    again: Annotated[bool, Query(description="Also those that another machine's voice speaks.")] = False,
) -> Response:
    """Have a machine speak those that have no sound, by the settings of this server; the answer is the job.

    It is null where all of them have a sound. What was recorded is never replaced.
    """
    return json(await service.media.speak(body.selection(), again=again), 202)


@router.post("/unspeak", response_model=int)
async def unspeak_clips(service: ServiceOf, body: SelectedClips) -> Response:
    """Take their sound from those that a machine speaks; the answer is how many those were."""
    return json(await service.media.unspeak(body.selection()))


@router.put("/{clip_id}", response_model=Clip)
async def edit_clip(service: ServiceOf, clip_id: str, clip: ClipBody) -> Response:
    """Replaces its contents; `updated_at` moves only when something changed. Undo takes it back."""
    return json(await service.clips.edit(clip_id, clip))


@router.get("/{clip_id}/audio", response_class=Response, responses={200: {"content": {"audio/mpeg": {"schema": {}}}}})
async def clip_audio(service: ServiceOf, clip_id: str) -> Response:
    """Its sound, an MP3."""
    return Response(await service.media.audio(clip_id), media_type="audio/mpeg")


@router.get("/{clip_id}/picture", response_class=Response, responses={200: {"content": {"image/jpeg": {"schema": {}}}}})
async def clip_picture(service: ServiceOf, clip_id: str) -> Response:
    """Its picture, a JPEG."""
    return Response(await service.media.picture(clip_id), media_type="image/jpeg")
