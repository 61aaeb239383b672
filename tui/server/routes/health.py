"""Health check and documentation page: what the server tells without a token."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import HTMLResponse, Response

from tui import __version__
from tui.server.documentation.page import POLICY, page
from tui.server.responses import json
from tui.wire import codec

router = APIRouter(tags=["server"])


class Health(BaseModel):
    name: str
    version: str
    interface: int


@router.get("/health", response_model=Health)
async def health() -> Response:
    """Name, version, and the number of the interface: a client whose own number differs cannot work with it."""
    return json({"name": "lode", "version": __version__, "interface": codec.INTERFACE})


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    return HTMLResponse(page(request.app.openapi()), headers={"Content-Security-Policy": POLICY})
