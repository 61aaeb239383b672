"""Media files that are open: with the formats and protocols that are safe, and with errors in plain words.

FFmpeg takes a file for what is in it and not for its name, and some of what it reads are lists of other files, which it
then opens: so only formats are allowed that are media themselves. Times are counted from the beginning of the film, as
players and subtitles count them, whatever time a container begins with.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.errors import MediaError
from tui.language.tags import normalise
from tui.records.media import AudioTrack, MediaInfo, SubtitleTrack
from tui.system import regular_file
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from av.audio.stream import AudioStream
    from av.container import InputContainer
    from av.packet import Packet
    from av.subtitles.stream import SubtitleStream
    from av.video.stream import VideoStream

EXTRA = "pip install 'lode[media]'"
"""What to type where PyAV is not installed."""
_FORMATS = (
    *("mov", "mp4", "m4a", "3gp", "3g2", "mj2", "matroska", "webm", "mp3", "flac", "wav", "ogg", "aac", "mpegts"),
    *("avi", "asf", "mpeg", "flv", "aiff"),
)
PLAY_IT = "play it: if that works, convert it to .mkv, .mp4 or .mp3"
"""What to do about a file that PyAV cannot read."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_OPTIONS = {"format_whitelist": ",".join(_FORMATS), "protocol_whitelist": "file"}
_TEXT_SUBTITLES = frozenset(("ass", "ssa", "subrip", "srt", "mov_text", "webvtt", "text"))
"""Codecs of subtitles that are text; the others are pictures, which can be named and not read."""
_UNKNOWN = ("und", "mis", "mul", "zxx")
"""Codes of ISO 639-2 that name no language."""


def is_installed() -> bool:
    from importlib.util import find_spec

    return find_spec("av") is not None


@contextmanager
def open_media(path: Path) -> Iterator[InputContainer]:
    """Open a media file for reading.

    Raises ``MediaError``: ``media_extra_missing`` where PyAV is not installed, ``not_media`` for a file that is none or
    is damaged beyond reading, ``media_unreadable`` where it cannot be opened or read, ``disk_full`` where what is made
    of it within the block finds no room.
    """
    if not is_installed():
        raise MediaError("films and recordings need one more library", hint=EXTRA, code="media_extra_missing")
    import av
    from av.error import FFmpegError

    shown = one_line(path.name)[:100]
    try:
        with regular_file.open_file(path):
            pass
        with av.open(str(path), options=_OPTIONS) as container:
            yield container
    except (FFmpegError, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            raise MediaError(
                f"no room on the disk for what is made of {shown}", hint="make room", code="disk_full"
            ) from error
        if isinstance(error, FFmpegError | ValueError):
            raise MediaError(
                f"{shown} is no film or recording that can be read", hint=PLAY_IT, code="not_media"
            ) from error
        raise unreadable(shown, error) from error


def unreadable(shown: str, error: OSError) -> MediaError:
    """Make the error of a file that the system does not let be read."""
    why, hint = one_line(error.strerror or str(error)), "look at its path and its rights"
    return MediaError(f"{shown} cannot be read: {why}", hint=hint, code="media_unreadable")


def find_origin(container: InputContainer) -> float:
    """The time in the container at which the film begins, in seconds."""
    import av

    return (container.start_time or 0) / av.time_base


def list_tracks(container: InputContainer) -> MediaInfo:
    """List what is in an open file; covers of records are no video."""
    import av
    from av.stream import Disposition

    audio = tuple(
        AudioTrack(number, *_describe(stream), bool(stream.disposition & Disposition.default))
        for number, stream in enumerate(container.streams.audio, 1)
    )
    subtitles = tuple(
        SubtitleTrack(number, *said, said[-1] in _TEXT_SUBTITLES, bool(stream.disposition & Disposition.forced))
        for number, stream in enumerate(container.streams.subtitles, 1)
        for said in (_describe(stream),)
    )
    video = find_video_stream(container)
    duration = None if container.duration is None else round(container.duration * 1000 / av.time_base)
    width, height = (video.width, video.height) if video else (0, 0)
    name = one_line(container.format.name)
    return MediaInfo(name, duration, audio, subtitles, has_video=video is not None, width=width, height=height)


def _describe(stream: AudioStream | SubtitleStream) -> tuple[str, str, str]:
    """Language, title and codec of a track; "" for each that the file does not say."""
    code, title = stream.metadata.get("language", ""), one_line(stream.metadata.get("title", ""))[:100]
    language = "" if code.casefold() in _UNKNOWN else normalise(code) or ""
    return language, title, one_line(stream.codec_context.name) if stream.codec_context else ""


def refuse_encrypted(container: InputContainer, packet: Packet[Any]) -> None:
    """Raise ``MediaError``, ``media_encrypted``, for a packet that only those who sold the film can read."""
    if packet.has_sidedata("encryption_info"):
        shown = one_line(Path(container.name).name)[:100]
        raise MediaError(
            f"{shown} is encrypted: only the player that it was made for can read it",
            hint="take a film without copy protection",
            code="media_encrypted",
        )


def find_video_stream(container: InputContainer) -> VideoStream | None:
    """Find the track of pictures; None where there is none, or only the cover of a record."""
    from av.stream import Disposition

    tracks = (each for each in container.streams.video if not each.disposition & Disposition.attached_pic)
    return next((each for each in tracks if each.codec_context), None)


def probe(film: Path) -> MediaInfo:
    """List what is in a file; raises ``MediaError`` as ``open_media`` does."""
    with open_media(film) as container:
        return list_tracks(container)
