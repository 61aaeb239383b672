"""Films of transcripts on the machine of whoever asks: found, played, their speech written, and the times of cues."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from tui.errors import MediaError
from tui.exporting.target_file import TargetFile
from tui.media.cutting import join_speech_spans, widen_sentence_span
from tui.media.sound import write_speech as write
from tui.playing.mpv import CueTimes
from tui.playing.players import Film, play_bytes, play_span
from tui.records.media import AudioTrack, Span, SpeechFile
from tui.records.transcripts import Cue, Transcript
from tui.service.media.media_process import media_process, no_media, no_times
from tui.service.protocol import Service
from tui.service.protocol.records import Transcripts
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line

_CUES_AT_ONCE = 1000


async def film_of(service: Service, transcript: Transcript, named: str | Path | None = None) -> Film:
    """Find the film of a transcript on this machine: the one that was named, else the one that is linked.

    Raises ``MediaError``: ``no_media`` where none is linked, ``media_moved`` where it does not lie here, as that of a
    library on a server.
    """
    language = transcript.language or ""
    if named is not None:
        film, size = Film(named_path(named).absolute(), language=language), None
    elif (link := await service.media.of(transcript.id)) is not None:
        film, size = Film(Path(link.path), link.track, language), link.size_bytes
    else:
        raise no_media(transcript.title)
    if not await asyncio.to_thread(_lies_at, film.path, size):
        raise MediaError(
            f"{one_line(film.path.name)} is not on this machine",
            hint=f"it was looked for at {one_line(str(film.path))}",
            code="media_moved",
        )
    return film


def _lies_at(path: Path, size: int | None) -> bool:
    """Whether there is a file, of that size where one is given: another may lie at the path of a server's film."""
    try:
        return path.is_file() and size in (None, path.stat().st_size)
    except (OSError, ValueError):
        return False


async def play(service: Service, transcript: Transcript, span: Span, named: str | Path | None = None) -> None:
    """Play a span of a transcript's film to its end; cancelling stops it.

    It is played out of the film where that lies here, else the library hands over its sound. Raises ``MediaError``.
    """
    try:
        film = await film_of(service, transcript, named)
    except MediaError as error:
        if named is not None or error.code != "media_moved":
            raise
        await play_bytes(await service.media.sound(transcript.id, span))
    else:
        await play_span(film, span.start_ms, span.end_ms)


async def sentence_span_of(
    transcripts: Transcripts, transcript_id: str, first_cue: int, last_cue: int, start_ms: int, end_ms: int
) -> Span:
    """The span of a sentence that stands in cues from one to another, with the sound around it up to its neighbours."""
    offset = max(0, first_cue - 1)
    page = await transcripts.cues(transcript_id, offset=offset, limit=last_cue - offset + 2)
    before = next((cue.end_ms for cue in page.items if cue.index == first_cue - 1), None)
    after = next((cue.start_ms for cue in page.items if cue.index == last_cue + 1), None)
    return widen_sentence_span(start_ms, end_ms, previous_end=before, next_start=after)


async def cue_times(transcripts: Transcripts, transcript: Transcript) -> CueTimes:
    """The times at which the cues of a transcript begin; raises ``MediaError`` (``no_times``) where none has any."""
    times = CueTimes(
        [(cue.index, cue.start_ms) async for cue in all_cues(transcripts, transcript.id) if cue.start_ms is not None]
    )
    if not times:
        raise no_times(transcript.title)
    return times


async def all_cues(transcripts: Transcripts, transcript_id: str) -> AsyncIterator[Cue]:
    """The cues of a transcript, in their order."""
    after = None
    while True:
        page = await transcripts.cues(transcript_id, limit=_CUES_AT_ONCE, after=after)
        for cue in page.items:
            yield cue
        if (after := page.next) is None:
            return


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

    transcript = await transcripts.get(transcript_id)
    cues = all_cues(transcripts, transcript.id)
    spans = join_speech_spans(
        [(cue.start_ms, cue.end_ms) async for cue in cues if cue.start_ms is not None and cue.end_ms is not None]
    )
    if not spans:
        raise no_times(transcript.title)
    with await asyncio.to_thread(TargetFile, named_path(out), overwrite=overwrite) as file:
        path, language = named_path(film).absolute(), transcript.language or ""

        def run() -> tuple[AudioTrack, int]:
            for result in process.results(write, path, spans, file.path, language=language, track=track):
                if not isinstance(result, float):
                    return result
                report(result)
            raise AssertionError("the track comes last")

        async with media_process() as process:
            taken, milliseconds = await asyncio.to_thread(run)
        size = await asyncio.to_thread(file.keep)
    return SpeechFile(str(out), milliseconds, len(spans), size, taken)
