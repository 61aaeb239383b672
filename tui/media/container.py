"""Media files that are open: their tracks, the text of those that are subtitles, and errors in plain words.

FFmpeg takes a file for what is in it and not for its name, and some of what it reads are lists of other files, which it
then opens: so only formats are allowed that are media themselves. Times are counted from the beginning of the film, as
players and subtitles count them, whatever time a container begins with.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui import bounds
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


# Subtitles inside a film: those that are text, each track as an .ass file, which the importer reads like any other.
#
# FFmpeg decodes every text codec into events of ASS:
# "ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text" (libavcodec/ass.h).

_HEAD = "[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Start, End, Style, Name, Effect, Text\n"
MAX_CHARACTERS, MAX_EVENTS = bounds.FILM_SUBTITLES.bytes_out, bounds.FILM_SUBTITLES.entries
"""Maximum characters of all tracks of a film that are read, and events of a track."""
_OTHER = "check that it is the film you meant, or add a file of subtitles"
_REPORTED_PACKETS = 1_000


def read_text_subtitles(film: Path, numbers: Sequence[int] = ()) -> Iterator[float | tuple[SubtitleTrack, str]]:
    """Read the tracks with these numbers, or all that are text, in one pass; at last each with its ``.ass`` text.

    Before that come shares of the film that are read, from 0 to 1. Raises ``MediaError``: as ``open_media``,
    ``no_such_track``, ``subtitles_are_pictures`` for a track that is named and no text, ``media_too_large`` for more
    text or events than any film has.
    """
    with open_media(film) as container:
        from av.error import FFmpegError
        from av.stream import Discard

        tracks = list_tracks(container).subtitles
        chosen = [_named(tracks, number, film.name) for number in numbers] or [each for each in tracks if each.is_text]
        if not (streams := [container.streams.subtitles[each.number - 1] for each in chosen]):
            return
        wanted = {stream.index: [_HEAD] for stream in streams}
        for stream in container.streams:
            stream.discard = Discard.default if stream.index in wanted else Discard.all
        origin, characters, size = find_origin(container), 0, max(1, container.size)
        for number, packet in enumerate(container.demux(streams)):
            if number % _REPORTED_PACKETS == 0:
                yield min(1.0, max(0, packet.pos or 0) / size)
            if not packet.size or packet.pts is None or packet.time_base is None:
                continue  # mov_text has empty ones between the others
            unit = float(packet.time_base)
            start = packet.pts * unit - origin
            end = start + (packet.duration or 0) * unit
            lines = wanted[packet.stream_index]
            with suppress(FFmpegError):  # a damaged one is left out
                for event in packet.decode():
                    line = _dialogue(start, end, getattr(event, "ass", b""))
                    characters += len(line)
                    lines.append(line)
            if characters > MAX_CHARACTERS:
                raise MediaError(f"{film.name} has more text than any film has", hint=_OTHER, code="media_too_large")
            if len(lines) > MAX_EVENTS:
                raise MediaError(
                    f"{film.name} has a track of more than {MAX_EVENTS:,} subtitles, more than any film has",
                    hint=_OTHER,
                    code="media_too_large",
                )
        for track, stream in zip(chosen, streams, strict=True):
            yield track, "".join(wanted[stream.index])


def _named(tracks: Sequence[SubtitleTrack], number: int, name: str) -> SubtitleTrack:
    if not 1 <= number <= len(tracks):
        raise MediaError(f"{name} has no track {number} of subtitles", code="no_such_track")
    track = tracks[number - 1]
    if not track.is_text:
        raise MediaError(
            f"the subtitles in track {number} of {name} are pictures ({track.codec}), not text",
            hint="name a track of text, or add a file of subtitles",
            code="subtitles_are_pictures",
        )
    return track


def _dialogue(start: float, end: float, event: bytes) -> str:
    """One line of the file, "" for an event without text; what could end the line is a space."""
    fields = event.decode("utf-8", "replace").split(",", 8)
    if len(fields) < 9:
        return ""
    _, _, style, name, _, _, _, effect, text = (" ".join(each.splitlines()) for each in fields)
    return f"Dialogue: {_clock(start)},{_clock(end)},{style},{name},{effect},{text}\n"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(max(0, round(seconds * 1000)), 60_000)
    return f"{minutes // 60}:{minutes % 60:02}:{rest // 1000:02}.{rest % 1000:03}"
