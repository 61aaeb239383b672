"""Downloads: clips as an Anki package, also merged with an Anki elsewhere, transcripts, words, the whole library."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import AfterValidator
from starlette.responses import Response

from tui.anki.note_lines import MAX_NOTES, NotesHead, read_notes_sent
from tui.anki.notes import AnkiNotes
from tui.deck.formats import CLIP_FORMATS, find_clip_format
from tui.errors import InvalidInput, StoreError
from tui.exporting.formats import EXPORT_FORMATS, find_export_format, make_file_name, read_moment
from tui.exporting.target_file import pack
from tui.importing.file_name import make_safe_name
from tui.records.exports import ExportReport, MergedDeck, MergeReport
from tui.records.pages import MAX_QUERY
from tui.server.dependencies import EngineOf, ServiceOf, text_query
from tui.server.options import FILE_BODY, file_pieces
from tui.server.responses import (
    Download,
    attachment,
    backup_directory,
    deck_directory,
    json,
    streamed,
    unless_disconnected,
)
from tui.server.schemas import ChosenIn, SelectionIn
from tui.store import Store
from tui.store.rows import now, timestamp
from tui.system.temporary import make_in_thread, make_lasting
from tui.wire import codec

router = APIRouter()

Name = Annotated[str, text_query(MAX_QUERY, "The deck; `::` stands between a deck and one within it.")]
Format = Annotated[
    str,
    text_query(
        40,
        "`apkg` is the deck, `txt` its notes for Anki's text import; only a deck counts as exported.",
        json_schema_extra={"enum": list(CLIP_FORMATS)},
    ),
]

MediaFolder = Annotated[
    str,
    text_query(
        200,
        "What the folder with sounds and pictures is to be called in a file that is no deck, `words.media`:"
        " the answer is then a ZIP file with both. Without it the file has none.",
    ),
]


_ZIP = "application/zip"
_FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            each.media_type: {"schema": {"type": "string", **({"format": "binary"} if each.is_deck else {})}}
            for each in CLIP_FORMATS.values()
        }
        | {_ZIP: {"schema": {"type": "string", "format": "binary"}}}
    }
}


@router.get("/profiles/deck_export", tags=["deck"], response_class=Response, responses=_FILES)
async def export_deck(
    request: Request,
    service: ServiceOf,
    selection: SelectionIn,
    name: Name = "",
    format: Format = "apkg",
    media: MediaFolder = "",
) -> Response:
    """Every clip as a note, or those selected. Anki updates what it has from an earlier export and adds the rest."""
    wanted = find_clip_format(format)
    media = "" if wanted.is_deck else media  # a deck has them in it
    if media != make_safe_name(media):
        raise InvalidInput("this is no name of a folder", hint="one such as words.media", field="media")
    async with make_lasting(deck_directory) as place:
        file = place.path / f"deck.{wanted.name}"
        writing = service.deck.write(file, name=name, selection=selection, media_folder=media or None)
        written = await unless_disconnected(request, writing)
        if media:
            packed = file.with_suffix(".zip")
            await asyncio.to_thread(pack, file, packed)
            file = packed

    async def taken() -> None:
        with suppress(StoreError):  # a full disk is no reason to keep the deck back
            await service.deck.record_export(written)

    name = f"{written.report.deck}{file.suffix}".replace("::", " - ")
    return Download(place, file, attachment(name, file.name), taken, media_type=_ZIP if media else wanted.media_type)


@router.get("/profiles/deck_report", tags=["deck"], response_model=ExportReport)
async def deck_report(service: ServiceOf, selection: SelectionIn, name: Name = "", format: Format = "apkg") -> Response:
    """Contents of an export: how many clips are new, changed and the same since the last deck of this name."""
    file = f"deck.{find_clip_format(format).name}"
    return json(await service.deck.export(file, name=name, selection=selection, dry_run=True))


def _add_for_these(path: str, route: Callable[..., Awaitable[Response]], name: str, **options: Any) -> None:
    """Add the same route of the clips only that a body names."""
    whole, answer = signature(route, eval_str=True), partial(route)
    chosen = whole.parameters["selection"].replace(annotation=ChosenIn)
    parameters = [chosen if each.name == "selection" else each for each in whole.parameters.values()]
    answer.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]  # what FastAPI goes by
    described = "The same of these clips only."
    router.add_api_route(path, answer, methods=["POST"], name=name, description=described, tags=["deck"], **options)


_add_for_these("/profiles/deck_export", export_deck, "export_clips", response_class=Response, responses=_FILES)
_add_for_these("/profiles/deck_report", deck_report, "clips_report", response_model=ExportReport)


@router.get(
    "/profiles/transcripts/{transcript_id}/export",
    tags=["transcripts"],
    response_class=Response,
    responses={200: {"content": {each.media_type: {"schema": {}} for each in EXPORT_FORMATS.values()}}},
)
async def export_transcript(
    service: ServiceOf,
    transcript_id: str,
    format: Annotated[
        str,
        text_query(
            40, "`srt` and `vtt` need times, which a text has not.", json_schema_extra={"enum": list(EXPORT_FORMATS)}
        ),
    ],
) -> Response:
    """The transcript as a file with a name. `json` has every field, `vtt` speakers and readings, `srt` speakers."""
    transcript = await service.transcripts.get(transcript_id)
    wanted = find_export_format(format)
    pieces = service.transcripts.stream_export(transcript.id, wanted.name)
    return await streamed(pieces, attachment(make_file_name(transcript, wanted), wanted.name), wanted.media_type)


@router.get(
    "/backup",
    tags=["library"],
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def backup(request: Request, engine: EngineOf, service: ServiceOf) -> Response:
    """A consistent copy of the whole database, all profiles."""
    needed = await engine.database.run(lambda store: store.size_bytes())
    async with make_lasting(lambda: backup_directory(engine.settings.home, needed)) as place:
        copy = await unless_disconnected(request, service.backup(place.path / "lode.db"))
    return Download(place, copy, 'attachment; filename="lode.db"')


merging = APIRouter(prefix="/profiles/deck_merge", tags=["deck"])


def _past(as_of: str) -> str:
    """The moment that somebody says a deck is of, now where it is still to come. Raises ``InvalidInput``."""
    return min(timestamp(read_moment(as_of, field="as_of")), now())


AsOf = Annotated[str, text_query(40, "`as_of` of the merged deck."), AfterValidator(_past)]
DeckName = Annotated[str, text_query(MAX_QUERY, "`report.deck` of the merged deck.")]
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


@merging.post("", response_class=Response, responses=_DECK, openapi_extra=dict(_LINES))
async def merge_deck(request: Request, service: ServiceOf, selection: SelectionIn, name: Name = "") -> Response:
    """The deck merged with these notes: a line of JSON (`MergedDeck`), and after it the package.

    The package has the notes that are new there or differ, with what was edited there. What is in it is known as sent
    from now on; it counts as exported once `POST …/arrived` or `POST …/written` says so.
    """
    head, anki = await _received(request)
    async with make_lasting(deck_directory) as place:
        merging = service.deck.write_merged(
            place.path / "deck.apkg", anki, head.source, name=name, selection=replace(selection, ids=head.ids)
        )
        merged = await unless_disconnected(request, merging)
    line = codec.encode(replace(merged, report=replace(merged.report, path=""))) + b"\n"
    return Download(place, place.path / "deck.apkg", attachment("merged.apkg", "merged.apkg"), before=line)


@merging.post("/report", response_model=MergedDeck, openapi_extra=dict(_LINES))
async def merge_report(request: Request, service: ServiceOf, selection: SelectionIn, name: Name = "") -> Response:
    """Report on what merging the deck with these notes comes to; nothing is changed."""
    head, anki = await _received(request)
    selection = replace(selection, ids=head.ids)
    planning = service.deck.planned_merge(anki, head.source, name=name, selection=selection)
    return json(await unless_disconnected(request, planning))


@merging.post("/arrived", response_model=MergeReport, openapi_extra=dict(_LINES))
async def record_arrived(request: Request, service: ServiceOf, name: DeckName, as_of: AsOf) -> Response:
    """The notes as they are in Anki now that it has the deck of all clips, which counts as exported from now on.

    What the answer calls `added` and `updated` Anki has not taken.
    """
    head, anki = await _received(request)
    return json(await service.deck.record_arrived(anki, head.source, name, as_of))


@merging.post("/written", status_code=204, response_class=Response)
async def record_written(
    engine: EngineOf, service: ServiceOf, selection: ChosenIn, name: DeckName, as_of: AsOf
) -> Response:
    """The deck of these clips (without ids of all) is in a file, and counts as exported from now on."""

    def record(store: Store) -> None:
        selected = store.exports.select(service.profile, name, selection)
        store.exports.record(service.profile, name, as_of, selected)

    await engine.database.run(record)
    return Response(status_code=204)
