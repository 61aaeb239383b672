"""Jobs: long work that survives its process."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

JobState = Literal["queued", "running", "succeeded", "failed", "cancelled", "interrupted"]


JobOrder = Literal["newest", "attention"]
"""Newest first, or what wants somebody first: what failed, what runs, what waits, then the rest, each newest first."""


JobOutcome = Literal["added", "same", "reread"]
"""Outcome of an import: a new file, one that was there already, or one that was there and was read anew."""


SourceKind = Literal["path", "upload", "kept", "sample", "anki", "transcript"]
_URI = "file://"


@dataclass(frozen=True, slots=True)
class JobSource:
    """Source of a job, the thing that it works on; as text it is ``Job.source``, in the library and on every face.

    ``path``: ``name`` is an absolute path, or a ``file:`` URI where its bytes are no text.
    ``upload``: a file that was sent; ``place`` is its own directory, ``name`` its path there, which goes on inside an
    archive, and ``address``, in a second line, where it was fetched from: nothing opens that again.
    ``kept``: a file of the library, ``place`` its id, read anew from the bytes that are kept of it.
    ``sample``: a sample story. ``anki``: a running Anki, ``name`` its address.
    ``transcript``: one of the library, ``name`` its title.
    """

    kind: SourceKind
    name: str
    place: str = ""
    address: str = ""

    @classmethod
    def read(cls, text: str) -> JobSource:
        kind, _, rest = text.partition(":")
        match kind:
            case "upload":
                sent, _, address = rest.partition("\n")
                place, _, name = sent.partition("/")
                return cls(kind, name, place, address)
            case "kept":
                place, _, name = rest.partition("/")
                return cls(kind, name, place)
            case "sample" | "anki" | "transcript":
                return cls(kind, rest)
        return cls("path", text)

    @classmethod
    def of_path(cls, path: Path) -> JobSource:
        """The source that an absolute path is."""
        try:
            str(path).encode()
        except UnicodeEncodeError:
            return cls("path", path.as_uri())
        return cls("path", str(path))

    def __str__(self) -> str:
        match self.kind:
            case "path":
                return self.name
            case "upload" | "kept":
                fetched = f"\n{self.address}" if self.address else ""
                return f"{self.kind}:{self.place}/{self.name}{fetched}"
        return f"{self.kind}:{self.name}"

    @property
    def path(self) -> Path:
        """The path of what is one."""
        if self.name.startswith(_URI):
            from urllib.parse import unquote_to_bytes

            return Path(os.fsdecode(unquote_to_bytes(self.name.removeprefix(_URI))))
        return Path(self.name)


@dataclass(frozen=True, slots=True)
class Job:
    """Long work that survives its process as a record; ``progress`` runs from 0 to 1.

    ``file_id`` and ``transcript_id`` are what it works on. ``source`` is a ``JobSource`` as text. ``error`` has the
    cause in its first line and, where there is one, the next step in its second. ``outcome`` is what one that succeeded
    came to, ``suggested_encoding`` the one to name where a file was refused for want of it. ``seconds_left`` is how
    long one that runs may take yet, where that is known: to the process that runs it, and to all that ask it.
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
    seconds_left: int | None = None
    transcript_id: str | None = None

    @property
    def is_over(self) -> bool:
        return self.state not in ("queued", "running")

    @property
    def is_rereading(self) -> bool:
        """Whether it reads a file that was there anew, from the bytes that are kept of it."""
        return JobSource.read(self.source).kind == "kept"


@dataclass(frozen=True, slots=True)
class UploadJob(Job):
    """The first job of what was sent, and ``jobs``: all of them, one for each file of an archive."""

    jobs: tuple[Job, ...] = ()
