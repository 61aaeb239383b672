"""Downloads: clips as an Anki package or in another format, transcripts, words, and the whole library."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from tui.deck.formats import CLIP_FORMATS, find_clip_format
from tui.errors import InvalidInput, StoreError
from tui.exporting.formats import EXPORT_FORMATS, find_export_format, make_file_name
from tui.exporting.target_file import pack
from tui.importing.file_name import make_safe_name
from tui.records.exports import ClipSelection, ExportReport
from tui.records.pages import MAX_SEARCH_LENGTH
from tui.server.dependencies import EngineOf, LanguageIn, ServiceOf
from tui.server.download import Download, attachment, backup_directory, deck_directory, streamed, unless_disconnected
from tui.server.responses import json
from tui.server.schemas import Ids
from tui.service.protocol.arguments import MAX_QUERY
from tui.system.temporary import make_in_thread

router = APIRouter()

Name = Annotated[
    str, Query(max_length=MAX_QUERY, description="The deck; `::` stands between a deck and one within it.")
]
Format = Annotated[
    str,
    Query(
        max_length=40,
        description="`apkg` is the deck, `txt` its notes for Anki's text import; only a deck counts as exported.",
        json_schema_extra={"enum": list(CLIP_FORMATS)},
    ),
]

MediaFolder = Annotated[
    str,
    Query(
        max_length=200,
        description="What the folder with sounds and pictures is to be called in a file that is no deck, `words.media`:"
        " the answer is then a ZIP file with both. Without it the file has none.",
    ),
]


async def selection_of(
    q: Annotated[str, Query(max_length=MAX_SEARCH_LENGTH, description="Only what has all these words.")] = "",
    tag: Annotated[
        str, Query(max_length=MAX_QUERY, description="Only clips with this tag, or with one below it.")
    ] = "",
    since: Annotated[
        str,
        Query(
            max_length=40,
            description="Only what was kept or changed since a date or a moment (ISO 8601),"
            " in the server's local time where it has no offset.",
        ),
    ] = "",
    only_new: Annotated[
        bool, Query(description="Only what the last deck of this name has not, or not as it is.")
    ] = False,
) -> ClipSelection:
    return ClipSelection((), q, tag, since, only_new)


Selection = Annotated[ClipSelection, Depends(selection_of)]

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
    selection: Selection,
    name: Name = "",
    format: Format = "apkg",
    media: MediaFolder = "",
) -> Response:
    """Every clip as a note, or those selected. Anki updates what it has from an earlier export and adds the rest."""
    wanted = find_clip_format(format)
    media = "" if wanted.is_deck else media  # a deck has them in it
    if media != make_safe_name(media):
        raise InvalidInput("this is no name of a folder", hint="one such as words.media", field="media")
    place = await make_in_thread(deck_directory)
    file = place.path / f"deck.{wanted.name}"
    try:
        writing = service.deck.write(file, name=name, selection=selection, media_folder=media or None)
        written = await unless_disconnected(request, writing)
        if media:
            packed = file.with_suffix(".zip")
            await asyncio.to_thread(pack, file, packed)
            file = packed
    except BaseException:
        place.remove()
        raise

    async def taken() -> None:
        with suppress(StoreError):  # a full disk is no reason to keep the deck back
            await service.deck.record_export(written)

    name = f"{written.report.deck}{file.suffix}".replace("::", " - ")
    return Download(place, file, attachment(name, file.name), taken, media_type=_ZIP if media else wanted.media_type)


@router.post("/profiles/deck_export", tags=["deck"], response_class=Response, responses=_FILES)
async def export_clips(
    request: Request,
    service: ServiceOf,
    selection: Selection,
    body: Ids,
    name: Name = "",
    format: Format = "apkg",
    media: MediaFolder = "",
) -> Response:
    """The same of these clips only."""
    return await export_deck(request, service, replace(selection, ids=tuple(body.ids)), name, format, media)


@router.get("/profiles/deck_report", tags=["deck"], response_model=ExportReport)
async def deck_report(service: ServiceOf, selection: Selection, name: Name = "", format: Format = "apkg") -> Response:
    """Contents of an export: how many clips are new, changed and the same since the last deck of this name."""
    file = f"deck.{find_clip_format(format).name}"
    return json(await service.deck.export(file, name=name, selection=selection, dry_run=True))


@router.post("/profiles/deck_report", tags=["deck"], response_model=ExportReport)
async def clips_report(
    service: ServiceOf, selection: Selection, body: Ids, name: Name = "", format: Format = "apkg"
) -> Response:
    """The same of these clips only."""
    return await deck_report(service, replace(selection, ids=tuple(body.ids)), name, format)


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
        Query(
            max_length=40,
            description="`srt` and `vtt` need times, which a text has not.",
            json_schema_extra={"enum": list(EXPORT_FORMATS)},
        ),
    ],
) -> Response:
    """The transcript as a file with a name. `json` has every field, `vtt` speakers and readings, `srt` speakers."""
    transcript = await service.transcripts.get(transcript_id)
    wanted = find_export_format(format)
    pieces = service.transcripts.stream_export(transcript.id, wanted.name)
    return await streamed(pieces, attachment(make_file_name(transcript, wanted), wanted.name), wanted.media_type)


@router.get(
    "/profiles/words/export",
    tags=["words"],
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def export_words(service: ServiceOf, language: LanguageIn = None) -> Response:
    """The words that have a state as CSV, with a line of titles: it can be imported again as it is."""
    return await streamed(service.known_words.stream_export(language), attachment("words.csv", "csv"), "text/csv")


@router.get(
    "/backup",
    tags=["library"],
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def backup(request: Request, engine: EngineOf, service: ServiceOf) -> Response:
    """A consistent copy of the whole database, all profiles."""
    needed = await engine.database.run(lambda store: store.size_bytes())
    place = await make_in_thread(lambda: backup_directory(engine.settings.home, needed))
    try:
        copy = await unless_disconnected(request, service.backup(place.path / "lode.db"))
    except BaseException:
        place.remove()
        raise
    return Download(place, copy, 'attachment; filename="lode.db"')
