"""Clips: sentences kept with their focus word and explanation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.records.clips import Clip, FillReport, KeptClip
from tui.records.jobs import Job
from tui.records.library import Deletion
from tui.server.dependencies import PageQueryIn, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json, listed
from tui.server.schemas import ClipBody, Ids, SelectedClips

router = APIRouter(prefix="/profiles/clips", tags=["clips"], route_class=WriteRoute)


@router.get("", response_model=list[Clip])
async def list_clips(request: Request, service: ServiceOf, query: PageQueryIn) -> Response:
    """Newest first. Without `limit` the whole list."""
    return await listed(request, service.clips.page, query)


@router.post("", response_model=Clip, status_code=201)
async def add_clip(service: ServiceOf, clip: ClipBody) -> Response:
    """A sentence to keep; the answer is the clip with its id. Undo takes it back."""
    return json(await service.clips.add(clip), 201)


@router.post("/keep", response_model=KeptClip)
async def keep_clip(
    service: ServiceOf,
    clip: ClipBody,
    asked: Annotated[str, Query(max_length=1000, description="The word as it was asked about: fährt.")] = "",
) -> Response:
    """As above, but a clip of the same cue, or sentence, and focus word is not doubled: it gets what it lacks.

    What stands in it is not replaced.
    """
    return json(await service.clips.keep(clip, asked=asked))


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


@router.post("/delete", response_model=Deletion)
async def delete_clips(service: ServiceOf, body: Ids) -> Response:
    """Several at once; one undo brings all of them back."""
    return json(await service.clips.delete(*body.ids))


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


@router.get("/{clip_id}", response_model=Clip)
async def get_clip(service: ServiceOf, clip_id: str) -> Response:
    """One clip."""
    return json(await service.clips.get(clip_id))


@router.put("/{clip_id}", response_model=Clip)
async def edit_clip(service: ServiceOf, clip_id: str, clip: ClipBody) -> Response:
    """Replaces its contents; `updated_at` moves only when something changed. Undo takes it back."""
    return json(await service.clips.edit(clip_id, clip))


@router.delete("/{clip_id}", status_code=204)
async def delete_clip(service: ServiceOf, clip_id: str) -> Response:
    """It can be brought back with undo."""
    await service.clips.delete(clip_id)
    return Response(status_code=204)


@router.get("/{clip_id}/audio", response_class=Response, responses={200: {"content": {"audio/mpeg": {"schema": {}}}}})
async def clip_audio(service: ServiceOf, clip_id: str) -> Response:
    """Its sound, an MP3."""
    return Response(await service.media.audio(clip_id), media_type="audio/mpeg")


@router.get("/{clip_id}/picture", response_class=Response, responses={200: {"content": {"image/jpeg": {"schema": {}}}}})
async def clip_picture(service: ServiceOf, clip_id: str) -> Response:
    """Its picture, a JPEG."""
    return Response(await service.media.picture(clip_id), media_type="image/jpeg")
