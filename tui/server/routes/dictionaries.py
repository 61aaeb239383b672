"""Routes of dictionaries: those that the library has, their order, and what they say of a word."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tui.records.jobs import Job
from tui.server.dependencies import ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.uploads import FILE_BODY, file_pieces

router = APIRouter(prefix="/dictionaries", tags=["dictionaries"], route_class=WriteRoute)


@router.post("", response_model=Job, status_code=202, openapi_extra=dict(FILE_BODY))
async def upload_dictionary(
    request: Request,
    service: ServiceOf,
    name: Annotated[str, Query(max_length=1000, description="The name of the file, as in `wty-de-en.zip`.")],
) -> Response:
    """The body is the file of a dictionary, as it was downloaded; the answer is the job of this profile that adds it.

    What it is, is told by its content: a Yomitan ZIP file, kaikki.org's JSONL, CC-CEDICT, each packed by gzip or not.
    The two files of dictd and FreeDict are sent as one, a ZIP file with both. Another revision of a dictionary takes
    its place; the very same file again changes nothing.
    """
    return json(await service.dictionaries.add_upload(name, file_pieces(request)), 202)
