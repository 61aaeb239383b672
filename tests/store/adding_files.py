"""Files for the tests of what is made from them: imported as a job would, without any bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tui.records.files import NewFile, ProfileFile
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
    title, job_id = changes.pop("title", name.rpartition(".")[0]), changes.pop("job_id", None)
    transcripts = changes.pop("transcripts", [NewTranscript(title, changes.get("language", "de"), given)])
    counted = count_words(transcripts, changes.pop("report", None))
    data = changes.pop("data", None)
    file = replace(NewFile(name, "subtitle", "srt", "de", len(given), sha256, None), **changes)
    return store.files.add(profile, file, counted, job_id, data)
