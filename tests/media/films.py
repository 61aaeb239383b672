"""Small films and recordings, made with PyAV: each second of their sound is a tone of its own."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from math import log10, pi, sin
from pathlib import Path
from typing import Any

import pytest

av = pytest.importorskip("av", reason="PyAV is not installed: pip install 'lode[media]'")

RATE = 44_100


def tone(second: int, track: int = 0) -> int:
    """The frequency of a second, in hertz."""
    return 300 + 40 * second + 20 * track


def make_film(
    path: Path,
    seconds: int,
    *,
    languages: Sequence[str] = ("",),
    video: bool = True,
    codec: str = "aac",
    at: float = 0,
    shades: bool = False,
    video_codec: str = "mpeg4",
) -> Path:
    """Write a film with a track of sound for each language; its container's time begins ``at`` seconds.

    With ``shades`` each half second has a grey of its own; else the pictures are whatever memory has. Those of another
    codec than the usual have a key frame every five seconds.
    """
    with av.open(str(path), "w") as film:
        picture = film.add_stream(video_codec, rate=10) if video else None
        if picture is not None:
            picture.width, picture.height, picture.pix_fmt = 64, 48, "yuv420p"
            if video_codec != "mpeg4":
                picture.codec_context.gop_size = 50
                picture.options = {"sc_threshold": "0"} if video_codec == "libx264" else {"sc_threshold": "1000000000"}
        tracks = []
        for language in languages:
            stream = film.add_stream(codec, rate=RATE)
            stream.layout = "mono"
            if language:
                stream.metadata["language"] = language
            tracks.append(stream)
        for second in range(seconds):
            if picture is not None:
                for part in range(10):
                    frame = av.VideoFrame(64, 48, "yuv420p")
                    if shades:
                        grey = 16 + 12 * second + 6 * (part >= 5)
                        for plane, value in zip(frame.planes, (grey, 128, 128), strict=True):
                            plane.update(bytes((value,)) * plane.buffer_size)
                    frame.pts, frame.time_base = round((second + part / 10 + at) * 10), Fraction(1, 10)
                    film.mux(picture.encode(frame))
            for number, stream in enumerate(tracks):
                film.mux(stream.encode(_second(second, number, stream, at)))
        for stream in [*([picture] if picture is not None else []), *tracks]:
            film.mux(stream.encode(None))
    return path


def _second(second: int, track: int, stream: object, at: float) -> object:
    frame = av.AudioFrame("s16", "mono", RATE)
    frame.planes[0].update(_tone_samples(tone(second, track)))
    frame.sample_rate, frame.pts, frame.time_base = RATE, round((second + at) * RATE), Fraction(1, RATE)
    return frame


@cache
def _tone_samples(frequency: int) -> bytes:
    step = 2 * pi * frequency / RATE
    return array("h", (round(12_000 * sin(step * at)) for at in range(RATE))).tobytes()


def make_sound(path: Path, layout: str, levels: Sequence[float], codec: str = "pcm_s16le") -> Path:
    """Write three seconds of a tone, whose peak in each channel of the layout is this share of full scale."""
    with av.open(str(path), "w") as made:
        stream = made.add_stream(codec, rate=RATE)
        stream.layout = layout
        frame = av.AudioFrame("fltp", layout, 3 * RATE)
        wave = [sin(2 * pi * 440 * at / RATE) for at in range(RATE)]
        for plane, level in zip(frame.planes, levels, strict=True):
            plane.update(3 * array("f", (level * each for each in wave)).tobytes())
        frame.sample_rate, frame.pts, frame.time_base = RATE, 0, Fraction(1, RATE)
        made.mux(stream.encode(frame))
        made.mux(stream.encode(None))
    return path


def make_pictures(path: Path, codec: str, picture: Any, pixel: Fraction = Fraction(1)) -> Path:
    """Write a film of one second that shows one picture, whose pixels are so much wider than high."""
    with av.open(str(path), "w") as made:
        stream = made.add_stream(codec, rate=10)
        stream.width, stream.height, stream.pix_fmt = picture.width, picture.height, picture.format.name
        stream.codec_context.sample_aspect_ratio = pixel
        for at in range(10):
            picture.pts, picture.time_base = at, Fraction(1, 10)
            made.mux(stream.encode(picture))
        made.mux(stream.encode(None))
    return path


def decibels(path: Path) -> float:
    """How loud a recording is on average, below full scale."""
    heard = read_samples(path)
    return 10 * log10(sum(each * each for each in heard) / len(heard) / 32_768**2)


def tones(path: Path, begin: float, end: float) -> float:
    """The mean frequency that is heard between two moments of a recording."""
    heard = read_samples(path)[round(begin * RATE) : round(end * RATE)]
    return sum(1 for one, next_one in pairwise(heard) if one < 0 <= next_one) / (end - begin)


def length(path: Path) -> float:
    """Seconds of sound in a recording."""
    return len(read_samples(path)) / RATE


def read_samples(path: Path) -> array[int]:
    """The samples of a recording; those of the last one are kept."""
    return _decode(path, path.stat().st_mtime_ns, path.stat().st_size)


@lru_cache(maxsize=1)
def _decode(path: Path, *state: int) -> array[int]:
    heard = array("h")
    with av.open(str(path)) as recording:
        resampler = av.AudioResampler("s16", "mono", RATE)
        for frame in recording.decode(audio=0):
            for each in resampler.resample(frame):
                heard.frombytes(bytes(each.planes[0])[: each.samples * 2])
    return heard


def subtitled(path: Path, codec: str, language: str = "spa", first: str = "Hola, ¿qué tal?", *, more: int = 0) -> Path:
    """A film with two cues of subtitles, in Spanish or whatever language it says, and so many more."""
    cues = [(500, 900, first), (2000, 1500, "Muy bien.\\NGracias.")]
    cues += ((4000 + 300 * number, 200, f"Frase número {number}.") for number in range(more))
    with av.open(str(path), "w") as made:
        stream = made.add_stream(codec)
        stream.metadata["language"] = language
        stream.metadata["title"] = "Diálogo"
        stream.codec_context.subtitle_header = b"[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Text\n"
        made.start_encoding()
        for number, (start, duration, text) in enumerate(cues):
            event: Any = av.subtitles.subtitle.SubtitleSet.create(
                text=f"{number},0,Default,,0,0,0,,{{\\i1}}{text}".encode(), start=0, end=duration, pts=start * 1000
            )
            packet = stream.codec_context.encode_subtitle(event)
            packet.stream, packet.pts, packet.dts, packet.duration = stream, start, start, duration
            packet.time_base = Fraction(1, 1000)
            made.mux(packet)
    return path
