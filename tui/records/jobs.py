"""Jobs: long work that survives its process."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

JobState = Literal["queued", "running", "succeeded", "failed", "cancelled", "interrupted"]


JobOrder = Literal["newest", "attention"]
"""Newest first, or what wants somebody first: what failed, what runs, what waits, then the rest, each newest first."""


JobOutcome = Literal["added", "same", "reread"]
"""Outcome of an import: a new file, one that was there already, or one that was there and was read anew."""


KEPT_BYTES = "kept:"
"""Beginning of the source of a job that reads a file of the library anew: ``kept:<file id>/<name>``."""


@dataclass(frozen=True, slots=True)
class Job:
    """Long work that survives its process as a record; ``progress`` runs from 0 to 1, ``source`` is what it works on.

    Where that was fetched from an address, this stands in the second line of ``source``; nothing opens it again.
    ``error`` has the cause in its first line and, where there is one, the next step in its second. ``outcome`` is what
    one that succeeded came to, ``suggested_encoding`` the one to name where a file was refused for want of it.
    """

    id: str
    file_id: str | None
    kind: str
    state: JobState
    progress: float
    message: str
    error: str | None
    source: str
    created_at: str
    updated_at: str
    outcome: JobOutcome | None = None
    suggested_encoding: str | None = None

    @property
    def is_over(self) -> bool:
        return self.state not in ("queued", "running")

    @property
    def is_rereading(self) -> bool:
        """Whether it reads a file that was there anew, from the bytes that are kept of it."""
        return self.source.startswith(KEPT_BYTES)


@dataclass(frozen=True, slots=True)
class UploadJob(Job):
    """The first job of what was sent, and ``jobs``: all of them, one for each file of an archive."""

    jobs: tuple[Job, ...] = ()


def upload_job(jobs: tuple[Job, ...]) -> UploadJob:
    """Make the answer to an upload of its jobs."""
    return UploadJob(**{field.name: getattr(jobs[0], field.name) for field in fields(Job)}, jobs=jobs)
