"""Media: recordings and films, and what is made of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AudioTrack:
    """A track of sound; ``number`` counts from 1, ``language`` is a BCP 47 tag, "" where the file does not say it."""

    number: int
    language: str = ""
    title: str = ""
    codec: str = ""
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class SubtitleTrack:
    """A track of subtitles; ``number`` counts from 1. Those that are pictures are no text, and cannot be read."""

    number: int
    language: str = ""
    title: str = ""
    codec: str = ""
    is_text: bool = True
    is_forced: bool = False


@dataclass(frozen=True, slots=True)
class MediaInfo:
    """Contents of a media file; ``duration_ms`` is what the file says, None where it says nothing.

    ``width`` and ``height`` are in pixels, 0 without video.
    """

    format: str
    duration_ms: int | None
    audio: tuple[AudioTrack, ...] = ()
    subtitles: tuple[SubtitleTrack, ...] = ()
    has_video: bool = False
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time, in milliseconds from the beginning of a film."""

    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class Cutting:
    """Sound (MP3) and picture (JPEG) of a span; ``index`` is the place of the span in the request.

    ``sound`` is empty where the film ends before the span or has no sound there, ``picture`` where it shows none.
    """

    index: int
    sound: bytes
    duration_ms: int
    picture: bytes


@dataclass(frozen=True, slots=True)
class SpeechFile:
    """The speech of a transcript as a file of its own: how long it is, and of how many pieces."""

    path: str
    duration_ms: int
    pieces: int
    size_bytes: int
    track: AudioTrack
