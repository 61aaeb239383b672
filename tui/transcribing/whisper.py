"""Transcription on this machine by faster-whisper, which runs Whisper's models through CTranslate2.

A model is a folder with ``model.bin``, one of the user's, or one of those that faster-whisper knows by name: these lie
where Hugging Face keeps what was fetched (``HF_HOME``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.errors import InvalidInput, MediaError
from tui.records.media import Span
from tui.records.transcription import WhisperModel
from tui.text.sanitize import one_line, without_controls
from tui.transcribing.heard import Heard, HeardWord, Segment
from tui.transcribing.pieces import Cut, Request, cut_pieces
from tui.transcribing.speech import EXTRA, RATE

if TYPE_CHECKING:
    import faster_whisper

PROVIDER = "whisper"
SIZES: Mapping[str, int] = {
    "tiny": 76,
    "tiny.en": 76,
    "base": 145,
    "base.en": 145,
    "small": 484,
    "small.en": 484,
    "medium": 1_530,
    "medium.en": 1_530,
    "large-v1": 3_090,
    "large-v2": 3_090,
    "large-v3": 3_090,
    "large-v3-turbo": 1_620,
    "distil-small.en": 335,
    "distil-medium.en": 795,
    "distil-large-v3": 1_520,
}
"""Models by name, and the megabytes that are fetched for each (huggingface.co/Systran; of turbo, mobiuslabsgmbh)."""
_BEST = ("large-v3-turbo", "large-v3", "medium", "small", "base", "tiny")
_WINDOW_MS = 30_000
"""What the model hears at once."""
_LONGEST_SILENCE = 2.0
"""Seconds of silence from which on what was heard around them is doubted."""


def is_installed() -> bool:
    return find_spec("faster_whisper") is not None


def check_installed() -> None:
    """Raise ``MediaError``, ``whisper_extra_missing``, where faster-whisper is not installed."""
    if not is_installed():
        raise MediaError("transcribing here needs one more library", hint=EXTRA, code="whisper_extra_missing")


def list_models() -> list[WhisperModel]:
    """List the models by name, those on this disk first. Blocks: the first call imports faster-whisper."""
    folders = {name: _find_fetched(name) for name in SIZES}
    found = [
        WhisperModel(name, size, str(folder) if (folder := folders[name]) is not None else None)
        for name, size in SIZES.items()
    ]
    return sorted(found, key=lambda each: (each.folder is None, each.megabytes))


def choose_model() -> str:
    """The name of the best model on this disk; "" where there is none."""
    if not is_installed() or not any(_hub().glob("models--*")):
        return ""
    return next((name for name in _BEST if _find_fetched(name) is not None), "")


def find_folder(model: str) -> Path:
    """The folder of a model, by its name or its path.

    Raises ``MediaError``: ``whisper_extra_missing``, ``whisper_model_missing`` for one that is not on this disk; and
    ``InvalidInput`` for what is no model.
    """
    check_installed()
    folder = Path(model).expanduser()
    if (folder / "model.bin").is_file():
        return folder.absolute()
    if model not in SIZES:
        raise InvalidInput(
            f"{one_line(model)[:80]!r} is no Whisper model and no folder of one",
            hint=f"there are {', '.join(SIZES)}; a folder has model.bin, config.json and tokenizer.json",
            code="whisper_model_unknown",
        )
    fetched = _find_fetched(model)
    if fetched is None:
        raise MediaError(
            f"the model {model} is not on this disk",
            hint=f"fetch its {SIZES[model]} MB: lode models whisper --fetch {model}",
            code="whisper_model_missing",
        )
    return fetched


def fetch(model: str) -> Path:
    """Fetch a model by name from Hugging Face and give its folder.

    Blocks; raises as ``find_folder``, and ``MediaError`` (``whisper_fetch_failed``).
    """
    if not is_installed() or model not in SIZES:
        return find_folder(model)
    from faster_whisper import download_model

    try:
        return Path(download_model(model))
    except Exception as error:  # whatever its HTTP client raises
        raise MediaError(
            f"the model {model} could not be fetched: {one_line(str(error))[:200]}",
            hint="look at the network and the room on the disk; what has come is kept, so try it again",
            code="whisper_fetch_failed",
        ) from error


def _hub() -> Path:
    """Where Hugging Face keeps what was fetched, by its own variables."""
    if cache := os.environ.get("HF_HUB_CACHE"):
        return Path(cache)
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    return Path(home).expanduser() / "hub"


def _find_fetched(name: str) -> Path | None:
    if not is_installed() or not _hub().is_dir():
        return None
    from faster_whisper import download_model

    try:
        folder = Path(download_model(name, local_files_only=True))
    except (OSError, ValueError):
        return None
    return folder if (folder / "model.bin").is_file() else None


@dataclass(frozen=True, slots=True)
class HeardPiece:
    """A cut and what was heard in it; nothing where nobody speaks."""

    cut: Cut
    heard: Heard


@dataclass(frozen=True, slots=True)
class Hearing:
    """How a recording is heard: the model's folder, its language ("" to find it out), names that may occur in it."""

    folder: Path
    language: str
    prompt: str
    threads: int


def hear_pieces(media: Path, request: Request, hearing: Hearing) -> Iterator[Cut | int | HeardPiece]:
    """Hear a recording piece by piece: yields each cut before it is heard, then how far it is (ms), then what it is.

    Raises ``MediaError`` as ``cut_pieces`` does, and ``whisper_model_broken``.
    """
    import numpy

    model = _load(hearing)
    language = hearing.language
    with closing(cut_pieces(media, request)) as pieces:
        for piece in pieces:
            yield piece.cut
            sounding = piece.cut.sounding
            if sounding is None or not piece.sound:
                yield HeardPiece(piece.cut, Heard())
                continue
            sound = numpy.frombuffer(piece.sound, numpy.int16).astype(numpy.float32) / 32768
            windows = _join(piece.cut.speech or (sounding,), sounding.start_ms)
            segments, info = model.transcribe(
                sound,
                language=language or None,
                initial_prompt=hearing.prompt or None,
                word_timestamps=True,
                condition_on_previous_text=False,
                hallucination_silence_threshold=_LONGEST_SILENCE,
                clip_timestamps=[second for window in windows for second in window],
            )
            language = language or info.language
            heard = []
            for each in segments:
                heard.append(_read_segment(each, len(sound) * 1000 // RATE))
                yield sounding.start_ms + (heard[-1].end_ms or 0)
            yield HeardPiece(piece.cut, Heard(tuple(each for each in heard if each.text), language))


def _load(hearing: Hearing) -> faster_whisper.WhisperModel:
    import faster_whisper

    try:
        return faster_whisper.WhisperModel(
            str(hearing.folder), device="cpu", compute_type="int8", cpu_threads=hearing.threads, local_files_only=True
        )
    except (RuntimeError, ValueError, OSError) as error:
        raise MediaError(
            f"the model in {one_line(str(hearing.folder))} cannot be loaded: {one_line(str(error))[:200]}",
            hint="fetch it anew, or choose another: lode models whisper",
            code="whisper_model_broken",
        ) from error


def _join(speech: Sequence[Span], origin: int) -> list[tuple[float, float]]:
    """Join spans to what the model hears at once: half a minute costs it as much as a word. In seconds."""
    windows: list[tuple[int, int]] = []
    for span in speech:
        if windows and span.end_ms - windows[-1][0] <= _WINDOW_MS:
            windows[-1] = windows[-1][0], span.end_ms
        else:
            windows.append((span.start_ms, span.end_ms))
    return [((start - origin) / 1000, (end - origin) / 1000) for start, end in windows]


def _read_segment(segment: Any, duration_ms: int) -> Segment:
    """Read a segment of faster-whisper's; its times are of numpy."""
    words = tuple(
        HeardWord(each.word, round(float(each.start) * 1000), round(float(each.end) * 1000))
        for each in segment.words or ()
    )
    start, end = (min(max(0, round(float(each) * 1000)), duration_ms) for each in (segment.start, segment.end))
    text = " ".join(without_controls(str(segment.text)).split())
    return Segment(text, start, max(end, start + 1), words)
