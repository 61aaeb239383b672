"""Files for the tests of what is made from them: imported as a job would, without any bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from tui.records.files import ProfileFile
from tui.records.transcripts import Cue, NewTranscript, Transcript
from tui.store import Store
from tui.store.tables.files import count_words


def add_file(
    store: Store, name: str = "zug.srt", cues: Iterable[Cue] = (), *, profile: str = "anna", **changes: Any
) -> tuple[ProfileFile, Transcript]:
    """Import these cues as a German subtitle file, or whatever else is given; equal cues are equal bytes."""
    given = list(cues)
    texts = "\n".join((name, *(cue.text for cue in given)))
    sha256 = hashlib.sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()
    read: dict[str, Any] = {"kind": "subtitle", "format": "srt", "language": "de", "duration_ms": None, "job_id": None}
    read |= {"size_bytes": len(given), "sha256": sha256}
    title = changes.pop("title", name.rpartition(".")[0])
    read |= changes
    transcripts = read.pop("transcripts", [NewTranscript(title, read["language"], given)])
    counted = count_words(transcripts, read.pop("report", None))
    return store.files.add(profile, name=name, counted=counted, **read)
