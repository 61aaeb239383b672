"""Protocol of what Lode does with the films and recordings of transcripts, a part of ``protocol.Service``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tui.records.exports import ALL_CLIPS, ClipSelection
from tui.service.protocol.operation import Operation

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.records.media import LinkedMedia, MediaLink, Span
    from tui.service.protocol import arguments as args


class Media(Protocol):
    """Films and recordings stay where they lie; what is cut out of them for clips is kept in the library."""

    async def link(self, record_id: str, film: str | Path, *, track: int = 0, copy: bool = False) -> LinkedMedia:
        """Link a film to a transcript, or to those of a file, instead of the one that they may have.

        ``track`` is the number of its track of sound, 0 for the one in the transcript's language. The sounds and
        pictures of the clips that there are are cut by the job that is queued. ``copy`` keeps a copy of the film in the
        library. Raises ``MediaError`` for a film that cannot be used and, with the code ``no_times``, where no
        transcript has times.
        """

    @Operation("DELETE", "/profiles/media", "unlink_media")
    async def unlink(self, record_id: args.FilmOf) -> tuple[MediaLink, ...]:
        """Let transcripts have no film any more, and give the links that there were; clips keep what they have."""

    @Operation("GET", "/profiles/media", "media_of")
    async def of(self, transcript_id: args.FilmOf) -> MediaLink | None:
        """The film of a transcript, None where it has none."""

    @Operation("GET", "/profiles/media/waveform", "waveform", media_type="application/octet-stream")
    async def waveform(self, transcript_id: args.FilmOf, span: Span) -> bytes:
        """The peaks of a span of the transcript's film, fifty a second, a byte each; of ten minutes at most over HTTP.

        Raises ``MediaError``, with the code ``no_media`` for a transcript without a film.
        """

    @Operation("GET", "/profiles/media/sound", "sound", media_type="audio/mpeg")
    async def sound(self, transcript_id: args.FilmOf, span: Span) -> bytes:
        """The sound of a span of the transcript's film, an MP3; of ten minutes at most over HTTP.

        Raises as ``waveform`` does.
        """

    @Operation("GET", "/profiles/clips/{clip_id}/audio", "clip_audio", tag="clips", media_type="audio/mpeg")
    async def audio(self, clip_id: str) -> bytes:
        """The sound of a clip, an MP3; raises ``NotFound`` with the code ``media_not_found`` where it has none."""

    @Operation("GET", "/profiles/clips/{clip_id}/picture", "clip_picture", tag="clips", media_type="image/jpeg")
    async def picture(self, clip_id: str) -> bytes:
        """The picture of a clip, a JPEG; raises as ``audio`` does."""

    @Operation("POST", "/profiles/clips/speak", "speak_clips", 202, tag="clips")
    async def speak(self, selection: ClipSelection = ALL_CLIPS, *, again: args.Spoken = False) -> Job | None:
        """Have a machine speak the clips of a selection that have no sound; None where all of them have one.

        ``again`` means those too that another machine's voice speaks; a recording stays in any case. Which voice speaks
        a language is said in the settings of whoever has the library. Raises ``MediaError`` where nothing can speak:
        ``voice_missing``, ``media_extra_missing``.
        """

    @Operation("POST", "/profiles/clips/unspeak", "unspeak_clips", tag="clips")
    async def unspeak(self, selection: ClipSelection = ALL_CLIPS) -> int:
        """Take their sound from the clips of a selection that a machine speaks; gives how many those are."""
