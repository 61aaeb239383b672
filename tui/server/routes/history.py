"""The history: every answer that a model gave, and what they took."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.records.answers import Answer, Usage
from tui.records.library import Deletion
from tui.server.dependencies import PageQueryIn, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json, listed
from tui.server.schemas import Ids

router = APIRouter(prefix="/profiles", tags=["history"], route_class=WriteRoute)


@router.get("/history", response_model=list[Answer])
async def list_answers(request: Request, service: ServiceOf, query: PageQueryIn) -> Response:
    """Newest first. Without `limit` the whole list."""
    return await listed(request, service.history.page, query)


@router.post("/history/delete", response_model=Deletion)
async def delete_answers(service: ServiceOf, body: Ids) -> Response:
    """Several at once; one undo brings all of them back."""
    return json(await service.history.delete(*body.ids))


@router.get("/history/{answer_id}", response_model=Answer)
async def get_answer(service: ServiceOf, answer_id: str) -> Response:
    """One answer."""
    return json(await service.history.get(answer_id))


@router.delete("/history/{answer_id}", status_code=204)
async def delete_answer(service: ServiceOf, answer_id: str) -> Response:
    """It can be brought back with undo."""
    await service.history.delete(answer_id)
    return Response(status_code=204)


@router.get("/usage", response_model=list[Usage])
async def usage(
    service: ServiceOf, month: Annotated[str, Query(max_length=100, description="As in 2026-11; all without it.")] = ""
) -> Response:
    """Tokens and times per month and model."""
    return json(await service.history.usage(month=month))
