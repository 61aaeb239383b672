"""Files: what was imported, and what is sent to be."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from tui.records.jobs import UploadJob, upload_job
from tui.server.dependencies import ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.uploads import FILE_BODY, file_pieces

router = APIRouter(prefix="/profiles/files", tags=["files"], route_class=WriteRoute)


_NAME = (
    "Its name; the ending says how it is read, directories before it only which series it is of: "
    "`Dark/Season 1/03.srt`."
)


class DeletedJobs(BaseModel):
    """The jobs that went with a file."""

    deleted_job_ids: list[str]


@router.post("", response_model=UploadJob, status_code=202, openapi_extra=dict(FILE_BODY))
async def upload_file(
    request: Request,
    service: ServiceOf,
    name: Annotated[str, Query(max_length=1000, description=_NAME)],
    language: Annotated[
        str | None, Query(max_length=200, description="A tag such as de, two (de+en) to split it; else it is detected.")
    ] = None,
    encoding: Annotated[
        str | None, Query(max_length=40, description="What the file is in, such as windows-1251; else it is found out.")
    ] = None,
    force: Annotated[bool, Query(description="Import it also where that encoding makes gibberish of it.")] = False,
) -> Response:
    """The body is the file; the answer is the job that imports it.

    An archive (ZIP, tar, also with gzip, bzip2 or xz) is taken for the files in it, each of which has a job of its own:
    the answer is the first of them, and `jobs` are all. One that cannot be imported fails by itself and says why.
    """
    jobs = await service.files.add_upload(name, file_pieces(request), language=language, encoding=encoding, force=force)
    return json(upload_job(jobs), 202)


@router.delete("/{file_id}", response_model=DeletedJobs)
async def delete_file(service: ServiceOf, file_id: str) -> Response:
    """Its jobs go with it, and are named; its transcripts and clips stay."""
    deletion = await service.files.delete(file_id)
    return json({"deleted_job_ids": deletion.job_ids})
