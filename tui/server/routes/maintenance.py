"""Routes of the whole library: its profiles, undo, a copy of it, and whether all is well."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.records.library import Finding, ProfileSummary, Restored
from tui.server.dependencies import EngineOf, ServiceOf
from tui.server.download import Download, backup_directory, unless_disconnected
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.system.temporary import make_in_thread

router = APIRouter(tags=["library"], route_class=WriteRoute)


@router.get("/profiles", response_model=list[str])
async def list_profiles(engine: EngineOf) -> Response:
    """The names of the profiles that have anything in them."""
    return json(await engine.database.run(lambda store: store.profiles.names()))


@router.get("/profiles/summaries", response_model=list[ProfileSummary])
async def summarize_profiles(service: ServiceOf) -> Response:
    """The profiles that have anything in them, by name, and how many files, transcripts and clips each has."""
    return json(await service.profiles())


@router.get("/profiles/revisions", response_model=dict[str, str])
async def list_revisions(service: ServiceOf) -> Response:
    """A text for each kind of record, which is another one after every change: what says that a list is to be read
    anew.
    """
    return json(await service.revisions())


@router.post("/profiles/undo", response_model=Restored | None)
async def undo(service: ServiceOf) -> Response:
    """Takes back what was done last: a deletion, clips that were made or edited … `null`: there is nothing to undo."""
    return json(await service.undo())


@router.get(
    "/backup",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def backup(request: Request, engine: EngineOf, service: ServiceOf) -> Response:
    """A consistent copy of the whole database, all profiles."""
    needed = await engine.database.run(lambda store: store.size_bytes())
    place = await make_in_thread(lambda: backup_directory(engine.settings.home, needed))
    try:
        copy = await unless_disconnected(request, service.backup(place.path / "lode.db"))
    except BaseException:
        place.remove()
        raise
    return Download(place, copy, 'attachment; filename="lode.db"')


@router.get("/doctor", response_model=list[Finding])
async def doctor(
    engine: EngineOf,
    service: ServiceOf,
    live: Annotated[bool, Query(description="Ask each usable provider for a word.")] = False,
    full: Annotated[bool, Query(description="Look at every index, search table and imported file.")] = False,
) -> Response:
    """Findings where the server is: settings, library, providers."""
    from tui.service.doctor.checks import examine

    settings = engine.settings
    # With the settings elsewhere than the library, both are where this system keeps such, and not in one home.
    home = settings.home if settings.config_path.parent == settings.home else None
    return json(await examine(home, service.profile, engine.environ, live=live, full=full))
