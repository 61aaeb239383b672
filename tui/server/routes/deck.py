"""The deck: all clips of the profile as an Anki package."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.errors import StoreError
from tui.records.exports import ExportReport
from tui.server.dependencies import MAX_QUERY, ServiceOf
from tui.server.download import Download, attachment, deck_directory, unless_disconnected
from tui.server.responses import json
from tui.temporary import made_in_thread

router = APIRouter(prefix="/profiles", tags=["deck"])

Name = Annotated[
    str, Query(max_length=MAX_QUERY, description="The deck; `::` stands between a deck and one within it.")
]


@router.get(
    "/deck_export",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def export_deck(request: Request, service: ServiceOf, name: Name = "") -> Response:
    """Every clip as a note. Anki updates what it has from an earlier export and adds the rest."""
    place = await made_in_thread(deck_directory)
    file = place.path / "deck.apkg"
    try:
        report, written = await unless_disconnected(request, service.deck.write(file, name=name))
    except BaseException:
        place.remove()
        raise

    async def taken() -> None:
        with suppress(StoreError):  # a full disk is no reason to keep the deck back
            await service.deck.record_export(report, written)

    name = f"{report.deck}.apkg".replace("::", " - ")
    return Download(place, file, attachment(name, "deck.apkg"), taken)


@router.get("/deck_report", response_model=ExportReport)
async def deck_report(service: ServiceOf, name: Name = "") -> Response:
    """Contents of an export: how many notes are new, changed and the same since the last one."""
    return json(await service.deck.export("deck.apkg", name=name, dry_run=True))
