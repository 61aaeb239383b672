"""Settings of the profile: the language that explanations are given in, and the languages that are learned."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tui.records.settings import SavedSettings
from tui.server.dependencies import ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.schemas import SettingsBody

router = APIRouter(prefix="/profiles/settings", tags=["settings"], route_class=WriteRoute)


@router.get("", response_model=SavedSettings)
async def get_settings(service: ServiceOf) -> Response:
    """The settings in force; `updated_at` is `null` where none were ever saved."""
    return json(await service.settings.get())


@router.put("", response_model=SavedSettings)
async def save_settings(service: ServiceOf, settings: SettingsBody) -> Response:
    """Replaces them all. No answer that is kept is asked for anew because of it."""
    return json(await service.settings.save(settings))
