"""Routes of the whole library: its profiles, undo, a copy of it, and whether all is well."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.records.library import Finding
from tui.server.dependencies import EngineOf, ServiceOf
from tui.server.download import Download, backup_directory, unless_disconnected
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.temporary import made_in_thread

router = APIRouter(tags=["library"], route_class=WriteRoute)


@router.get("/profiles", response_model=list[str])
async def list_profiles(engine: EngineOf) -> Response:
    """The names of the profiles that have anything in them."""
    return json(await engine.database.run(lambda store: store.profiles.names()))


@router.get(
    "/backup",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def backup(request: Request, engine: EngineOf, service: ServiceOf) -> Response:
    """A consistent copy of the whole database, all profiles."""
    needed = await engine.database.run(lambda store: store.size_bytes())
    place = await made_in_thread(lambda: backup_directory(engine.settings.home, needed))
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
