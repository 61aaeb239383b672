"""The template: what the models are asked, at most one per profile."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from tui.errors import NotFound
from tui.records.answers import LlmTemplate, NewTemplate
from tui.records.library import Deletion
from tui.server.dependencies import ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.schemas import TemplateBody

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


@router.post("", response_model=LlmTemplate)
async def save_template(service: ServiceOf, template: TemplateBody) -> Response:
    """Creates or replaces it; one that cannot work is refused and changes nothing."""
    return json(await service.template.save(template))


@router.delete("", status_code=204)
async def delete_template(service: ServiceOf) -> Response:
    """The built-in one is in force then. It can be brought back with undo."""
    await service.template.delete()
    return Response(status_code=204)


@router.post("/delete", response_model=Deletion)
async def delete_template_counted(service: ServiceOf) -> Response:
    """Deletes the template as DELETE does, and says whether there was one."""
    return json(await service.template.delete())


@router.get("/effective", response_model=NewTemplate)
async def effective_template(service: ServiceOf) -> Response:
    """The template in force: the saved one, else the built-in one."""
    return json(await service.template.effective())
