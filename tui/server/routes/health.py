"""Whether the server is there, and which one it is."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import Response

from tui import __version__
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
