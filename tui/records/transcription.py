"""Transcriptions: the choice of how, the plan with its cost, and the models of this machine."""

from dataclasses import dataclass

from tui.records.media import AudioTrack


@dataclass(frozen=True, slots=True)
class TranscriptionChoice:
    """How a recording is to be transcribed.

    ``model`` is a selector, of a provider or ``whisper:NAME``; "" for the one of the profile's settings, else what
    there is. ``language`` is a BCP 47 tag, "" to find it out; ``track`` the number of the track of sound, 0 for the one
    in the language, else the one that players take. The span is in milliseconds; ``end_ms`` None is the end.
    """

    model: str = ""
    language: str = ""
    track: int = 0
    start_ms: int = 0
    end_ms: int | None = None


@dataclass(frozen=True, slots=True)
class TranscriptionPlan:
    """Plan of a transcription, made before anybody is asked for anything.

    ``duration_ms`` is the sound that will be heard, None where the file does not say how long it is. ``tracks`` are
    those of sound, and ``track`` the one that is taken. ``cost`` is in ``currency``, None where no price is known; one
    that ``is_local`` costs nothing. ``finds_speech``: it is cut where nobody speaks; else at quiet places.
    """

    name: str
    model: str
    language: str
    duration_ms: int | None
    tracks: tuple[AudioTrack, ...]
    track: AudioTrack
    is_local: bool
    finds_speech: bool
    cost: float | None = None
    currency: str = ""


@dataclass(frozen=True, slots=True)
class WhisperModel:
    """A Whisper model by its name: whether it is on this disk, where, and how large a fetch would be."""

    name: str
    megabytes: int
    folder: str | None = None
