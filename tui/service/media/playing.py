"""What playing the film of a transcript takes: the film, on the machine of whoever asks, and the times of the cues."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import MediaError
from tui.records.media import Span
from tui.regular_file import named_path
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.playing.cue_times import CueTimes
    from tui.records.transcripts import Cue, Transcript
    from tui.service.protocol import Service, Transcripts

_CUES_AT_ONCE = 1000


async def film_of(service: Service, transcript: Transcript, named: str | Path | None = None) -> Path:
    """Find the film of a transcript on this machine: the one that was named.

    Raises ``MediaError``: ``no_media`` where none is known, ``media_moved`` where it does not lie here.
    """
    if named is None:
        raise MediaError(
            f"{one_line(transcript.title)} has no film",
            hint=f"name it: lode follow {transcript.id} FILM",
            code="no_media",
        )
    film = named_path(named).absolute()
    if not await asyncio.to_thread(film.is_file):
        raise MediaError(
            f"{one_line(film.name)} is not on this machine",
            hint=f"it was looked for at {one_line(str(film))}",
            code="media_moved",
        )
    return film


async def sentence_span_of(
    transcripts: Transcripts, transcript_id: str, first_cue: int, last_cue: int, start_ms: int, end_ms: int
) -> Span:
    """The span of a sentence that stands in cues from one to another, with the sound around it up to its neighbours."""
    from tui.media.spans import sentence_span

    offset = max(0, first_cue - 1)
    page = await transcripts.cues(transcript_id, offset=offset, limit=last_cue - offset + 2)
    before = next((cue.end_ms for cue in page.items if cue.index == first_cue - 1), None)
    after = next((cue.start_ms for cue in page.items if cue.index == last_cue + 1), None)
    return sentence_span(start_ms, end_ms, previous_end=before, next_start=after)


async def cue_times(transcripts: Transcripts, transcript: Transcript) -> CueTimes:
    """The times at which the cues of a transcript begin; raises ``MediaError`` (``no_times``) where none has any."""
    from tui.playing.cue_times import CueTimes

    times = CueTimes(
        [(cue.index, cue.start_ms) async for cue in _all_cues(transcripts, transcript.id) if cue.start_ms is not None]
    )
    if not times:
        raise MediaError(
            f"{one_line(transcript.title)} has no times: nobody knows where its sentences are spoken",
            hint="take a transcript of subtitles",
            code="no_times",
        )
    return times


async def _all_cues(transcripts: Transcripts, transcript_id: str) -> AsyncIterator[Cue]:
    after = None
    while True:
        page = await transcripts.cues(transcript_id, limit=_CUES_AT_ONCE, after=after)
        for cue in page.items:
            yield cue
        if (after := page.next) is None:
            return
