"""Merging the deck with the notes of an Anki that is elsewhere: whoever has that Anki sends what it has."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.anki.note_lines import MAX_NOTES, NotesHead, read_notes_sent
from tui.anki.notes import AnkiNotes
from tui.errors import StoreError
from tui.records.exports import MergedDeck, MergeReport
from tui.server.dependencies import ServiceOf
from tui.server.download import Download, attachment, deck_directory, unless_disconnected
from tui.server.responses import json
from tui.server.routes.downloads import Name
from tui.server.schemas import Ids, SelectionIn
from tui.server.uploads import FILE_BODY, file_pieces
from tui.service.protocol.arguments import MAX_QUERY
from tui.system.temporary import make_in_thread
from tui.wire import codec

router = APIRouter(prefix="/profiles/deck_merge", tags=["deck"])

AsOf = Annotated[str, Query(max_length=40, description="`as_of` of the merged deck.")]
DeckName = Annotated[str, Query(max_length=MAX_QUERY, description="`report.deck` of the merged deck.")]
_NOTES = f"""\
Lines of JSON. The first has the `count` of notes, the note types of Anki's that they and new notes are of, `source`
(what they are of) and `ids` (only these clips, without any all); each other one is a note, with its fields in the order
of its note type and the numbers of its cards. At most {MAX_NOTES:,} notes, packed by gzip or not. (Here the first line
is broken in two.)

    {{"count": 1, "note_types": [{{"id": 7, "name": "Lode", "fields": ["Expression"], "templates":
     [{{"name": "Reading", "front": "{{{{Expression}}}}", "back": ""}}]}}], "source": "Anki", "ids": []}}
    {{"id": 9, "guid": "lode-ID", "note_type": 7, "changed_at": 1795392000, "fields": ["x"], "tags": [], "cards": [0]}}
"""
_LINES = {"requestBody": {**FILE_BODY["requestBody"], "description": _NOTES}}
_DECK: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A line of JSON, which is a `MergedDeck`, and after it the package.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


async def _received(request: Request) -> tuple[NotesHead, AnkiNotes]:
    """The notes that a request sends, which lie in a file until they are all there."""
    with await make_in_thread(deck_directory) as place:
        path = place / "notes.jsonl"
        try:
            with await asyncio.to_thread(path.open, "wb") as file:
                async for piece in file_pieces(request):
                    await asyncio.to_thread(file.write, piece)
        except OSError as error:
            raise StoreError(
                f"the server cannot write to {place.parent}: {error.strerror or error}",
                hint="make room on the server's disk",
            ) from error
        return await asyncio.to_thread(read_notes_sent, path)


@router.post("", response_class=Response, responses=_DECK, openapi_extra=dict(_LINES))
async def merge_deck(request: Request, service: ServiceOf, selection: SelectionIn, name: Name = "") -> Response:
    """The deck merged with these notes: a line of JSON (`MergedDeck`), and after it the package.

    The package has the notes that are new there or differ, with what was edited there. What is in it is known as sent
    from now on; it counts as exported once `POST …/arrived` or `POST …/written` says so.
    """
    head, anki = await _received(request)
    place = await make_in_thread(deck_directory)
    try:
        merging = service.deck.write_merged(
            place.path / "deck.apkg", anki, head.source, name=name, selection=replace(selection, ids=head.ids)
        )
        merged = await unless_disconnected(request, merging)
    except BaseException:
        place.remove()
        raise
    line = codec.encode(replace(merged, report=replace(merged.report, path=""))) + b"\n"
    return Download(place, place.path / "deck.apkg", attachment("merged.apkg", "merged.apkg"), before=line)


@router.post("/report", response_model=MergedDeck, openapi_extra=dict(_LINES))
async def merge_report(request: Request, service: ServiceOf, selection: SelectionIn, name: Name = "") -> Response:
    """Report on what merging the deck with these notes comes to; nothing is changed."""
    head, anki = await _received(request)
    selection = replace(selection, ids=head.ids)
    planning = service.deck.planned_merge(anki, head.source, name=name, selection=selection)
    return json(await unless_disconnected(request, planning))


@router.post("/arrived", response_model=MergeReport, openapi_extra=dict(_LINES))
async def record_arrived(request: Request, service: ServiceOf, name: DeckName, as_of: AsOf) -> Response:
    """The notes as they are in Anki now that it has the deck of all clips, which counts as exported from now on.

    What the answer calls `added` and `updated` Anki has not taken.
    """
    head, anki = await _received(request)
    return json(await service.deck.record_arrived(anki, head.source, name, as_of))


@router.post("/written", status_code=204, response_class=Response)
async def record_written(
    service: ServiceOf, selection: SelectionIn, body: Ids, name: DeckName, as_of: AsOf
) -> Response:
    """The deck of these clips (without ids of all) is in a file, and counts as exported from now on."""
    await service.deck.record_merged(name, as_of, replace(selection, ids=tuple(body.ids)))
    return Response(status_code=204)
