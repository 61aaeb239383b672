"""Files: what was imported, and what is sent to be."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from tui.records.files import EncodingReading, ProfileFile
from tui.records.jobs import Job, UploadJob, upload_job
from tui.records.library import Deletion
from tui.server.dependencies import NameIn, PageQueryIn, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json, listed
from tui.server.schemas import Ids, Rereading, RereadingFiles
from tui.server.uploads import FILE_BODY, file_pieces

router = APIRouter(prefix="/profiles/files", tags=["files"], route_class=WriteRoute)


_NAME = (
    "Its name; the ending says how it is read, directories before it only which series it is of: "
    "`Dark/Season 1/03.srt`."
)


class DeletedJobs(BaseModel):
    """The jobs that went with a file."""

    deleted_job_ids: list[str]


@router.get("", response_model=list[ProfileFile])
async def list_files(request: Request, service: ServiceOf, query: PageQueryIn) -> Response:
    """Newest first. Without `limit` the whole list."""
    return await listed(request, service.files.page, query)


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


@router.get("/named", response_model=list[ProfileFile])
async def files_named(service: ServiceOf, name: NameIn) -> Response:
    """Those that a name can mean, newest first: the file's, a path that ends in it, its film's path, a beginning."""
    return json(await service.files.named(name))


@router.post("/samples", response_model=list[Job], status_code=202)
async def add_samples(service: ServiceOf) -> Response:
    """Import the sample library that ships with Lode."""
    return json(await service.files.add_samples(), 202)


@router.post("/delete", response_model=Deletion)
async def delete_files(service: ServiceOf, body: Ids) -> Response:
    """Several at once, with their jobs; one undo brings all of them back."""
    return json(await service.files.delete(*body.ids))


@router.post("/jobs_of", response_model=list[Job])
async def jobs_of(service: ServiceOf, body: Ids) -> Response:
    """The jobs that would go with these files."""
    return json(await service.files.jobs_of(*body.ids))


@router.post("/reread", response_model=list[Job], status_code=202)
async def reread_files(service: ServiceOf, body: RereadingFiles) -> Response:
    """Several at once, as one of them is; the answer is a job for each."""
    return json(await service.files.reread(*body.ids, **body.model_dump(exclude={"ids"})), 202)


@router.post("/{file_id}/reread", response_model=Job, status_code=202)
async def reread_file(service: ServiceOf, file_id: str, body: Rereading) -> Response:
    """Reads it anew from the bytes that are kept of it; the answer is the job.

    Its transcripts keep their ids and get other cues, which undo takes back; clips keep their text.
    """
    (job,) = await service.files.reread(file_id, **body.model_dump())
    return json(job, 202)


@router.get("/{file_id}/readings", response_model=list[EncodingReading])
async def readings_of_file(service: ServiceOf, file_id: str) -> Response:
    """How its kept bytes read in the encodings that they are likeliest to be in, the likeliest first."""
    return json(await service.files.readings(file_id))


@router.get("/{file_id}", response_model=ProfileFile)
async def get_file(service: ServiceOf, file_id: str) -> Response:
    """One file."""
    return json(await service.files.get(file_id))


@router.delete("/{file_id}", response_model=DeletedJobs)
async def delete_file(service: ServiceOf, file_id: str) -> Response:
    """Its jobs go with it, and are named; its transcripts and clips stay."""
    deletion = await service.files.delete(file_id)
    return json({"deleted_job_ids": deletion.job_ids})
