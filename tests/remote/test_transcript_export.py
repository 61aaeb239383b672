"""A transcript that breaks off on its way from the server is no file, and what stood there stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import serving
from tests.service.steps import STORY, imported
from tui.config import Settings
from tui.errors import RemoteError, StoreError
from tui.records.pages import Page
from tui.records.transcripts import Cue
from tui.remote.service import RemoteService
from tui.service import records


async def test_a_transcript_that_breaks_off_is_no_file(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cues = records.LocalTranscripts.cues

    async def first_page_only(self: Any, transcript_id: str, **asked: Any) -> Page[Cue]:
        if asked.get("after") is not None:
            raise StoreError("the disk is gone")
        return await cues(self, transcript_id, **asked)

    out = tmp_path / "out"
    out.mkdir()
    (out / "film.srt").write_text("mine")
    async with serving(settings) as served:
        service = RemoteService(served.url)
        await imported(service, tmp_path / "Der Zug.de.srt", STORY)
        (transcript,) = (await service.transcripts.page()).items
        monkeypatch.setattr(records, "_EXPORTED_AT_ONCE", 1)
        monkeypatch.setattr(records.LocalTranscripts, "cues", first_page_only)
        with pytest.raises(RemoteError):
            await service.transcripts.export(transcript.id, out / "film.srt", overwrite=True)
        await service.close()
    assert [(path.name, path.read_text()) for path in out.iterdir()] == [("film.srt", "mine")]
