"""Media: recordings and films, and what is made of them."""

from dataclasses import dataclass

from tui.records.jobs import Job

PEAKS_A_SECOND = 50
"""Peaks of a waveform for each second of sound."""


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


@dataclass(frozen=True, slots=True)
class NewLink:
    """A film or recording as it was found when it was linked: where it lies, and by what it is known again.

    ``parts_sha256`` is the SHA-256 of parts of it (``media/films.py``), ``track`` the number of its track of
    sound, 0 for the one in the language of the transcript.
    """

    path: str
    size_bytes: int
    modified_ns: int
    parts_sha256: str
    track: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaLink(NewLink):
    """The film or recording of a transcript, which stays where it lies."""

    transcript_id: str


@dataclass(frozen=True, slots=True)
class WaitingCut:
    """A clip whose sound and picture are to be cut out of the film of its transcript.

    ``number`` is the row of the clip; its times are in milliseconds, those of the neighbouring cues None where there
    are none. ``cut_from`` is what is remembered of it, so that it is cut anew when times, film or track change.
    """

    number: int
    link: MediaLink
    language: str
    start_ms: int
    end_ms: int
    previous_end_ms: int | None
    next_start_ms: int | None
    cut_from: str


@dataclass(frozen=True, slots=True)
class UnspokenClip:
    """A clip that nothing was recorded for; ``voice`` is the machine's that speaks it so far, None for none.

    ``number`` is the row of the clip, ``language`` that of its word or its transcript, "" where nobody knows it.
    """

    number: int
    id: str
    sentence: str
    language: str
    voice: str | None


@dataclass(frozen=True, slots=True)
class LinkedMedia:
    """What a film was linked to; ``job`` cuts the sounds and pictures of the clips that there are, None for none."""

    links: tuple[MediaLink, ...]
    info: MediaInfo
    job: Job | None = None
