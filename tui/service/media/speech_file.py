"""Films and recordings on the machine of whoever asks, also where the library is a server's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tui.exporting.target_file import TargetFile
from tui.records.media import AudioTrack, SpeechFile
from tui.service.media.media_process import no_times
from tui.service.media.playing import all_cues
from tui.system.regular_file import named_path

if TYPE_CHECKING:
    from tui.service.protocol.records import Transcripts

T = TypeVar("T")


async def write_speech(
    transcripts: Transcripts,
    transcript_id: str,
    film: str | Path,
    out: str | Path,
    *,
    track: int = 0,
    overwrite: bool = False,
    report: Callable[[float], None] = lambda share: None,
) -> SpeechFile:
    """Write the speech of a film, as a transcript times it, to ``out`` as an MP3: without what is between.

    ``track`` is the number of the track of sound, 0 for the one in the transcript's language. ``report`` is called in
    another thread with the share that is done. Raises ``MediaError`` for a film that cannot be used and, with the code
    ``no_times``, for a transcript without times; ``InvalidInput`` where nothing can be written to ``out``. Nothing is
    left there unless all went well.
    """
    from tui.media.cutting import join_speech_spans
    from tui.service.media.media_process import MediaProcess, SpeechRequest

    transcript = await transcripts.get(transcript_id)
    spans = join_speech_spans(await _times(transcripts, transcript.id))
    if not spans:
        raise no_times(transcript.title)
    with await asyncio.to_thread(TargetFile, named_path(out), overwrite=overwrite) as file:
        request = SpeechRequest(named_path(film).absolute(), spans, file.path, transcript.language or "", track)
        process = MediaProcess()

        def run() -> tuple[AudioTrack, int]:
            *_, last = (_reported(result, report) for result in process.results(request))
            assert isinstance(last, tuple)
            return last

        try:
            taken, milliseconds = await asyncio.to_thread(run)
        finally:
            await asyncio.shield(asyncio.to_thread(process.end))
        size = await asyncio.to_thread(file.keep)
    return SpeechFile(str(out), milliseconds, len(spans), size, taken)


def _reported(result: T, report: Callable[[float], None]) -> T:
    if isinstance(result, float):
        report(result)
    return result


async def _times(transcripts: Transcripts, transcript_id: str) -> list[tuple[int, int]]:
    """Start and end of each cue that has both."""
    cues = all_cues(transcripts, transcript_id)
    return [(cue.start_ms, cue.end_ms) async for cue in cues if cue.start_ms is not None and cue.end_ms is not None]
