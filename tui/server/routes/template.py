"""The template: what the models are asked, at most one per profile."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tui.errors import NotFound
from tui.records.answers import LlmTemplate
from tui.server.dependencies import ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json

router = APIRouter(prefix="/profiles/template", tags=["template"], route_class=WriteRoute)


@router.get("", response_model=LlmTemplate)
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
