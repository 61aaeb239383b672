"""Files that were imported, and how one reads in an encoding."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tui.records.search import CueHit

FileKind = Literal["subtitle", "text", "audio", "video"]


@dataclass(frozen=True, slots=True)
class ProfileFile:
    """An imported file; its bytes lie in the blob folder under ``sha256``.

    A recording stays where it lies: then that is None, and ``path`` says where.
    ``transcript_id`` is the newest transcript made from it, ``cue_count`` its cues (None and 0 once it is gone).
    ``encoding`` is Python's name of the codec that read it, None for what was imported before that was kept. ``hit`` is
    set in a list that was searched, where only a cue matches. ``read_cues`` are those of the transcript.
    """

    id: str
    name: str
    kind: FileKind
    format: str
    language: str | None
    size_bytes: int
    sha256: str | None
    duration_ms: int | None
    created_at: str
    transcript_id: str | None = None
    cue_count: int = 0
    encoding: str | None = None
    hit: CueHit | None = None
    read_cues: int | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file as an import has read it; size and SHA-256 are those of its bytes.

    ``named_language`` is one that was named and not found out. ``languages`` are both of a subtitle that has two; if it
    was split, its transcripts translate each other. ``mending_codec`` is the one to read it in where its text was once
    stored in a wrong one.
    """

    name: str
    kind: FileKind
    format: str
    language: str | None
    size_bytes: int
    sha256: str
    duration_ms: int | None
    encoding: str | None = None
    named_language: str | None = None
    languages: Sequence[str] = ()
    mending_codec: str | None = None


@dataclass(frozen=True, slots=True)
class EncodingReading:
    """Lines of a file as they read in an encoding, the same ones in every reading of it.

    ``encoding`` is its name as it can be given where the file is added, ``language`` the tag of the language that the
    text makes sense in then, None where that is not clear.
    """

    encoding: str
    language: str | None
    lines: tuple[str, ...]
