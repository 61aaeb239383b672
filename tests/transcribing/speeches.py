"""Speech whose words and times are known: sentences of espeak-ng's, joined with silences, over music or noise.

Samples are of 16 bits, ``RATE`` a second, mono.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import wave
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from math import pi, sin
from operator import add
from pathlib import Path
from typing import Literal

import pytest

from tui.transcribing.speech import RATE, find_model

av = pytest.importorskip("av", reason="PyAV is not installed: pip install 'lode[media]'")

SPEAKS = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed: apt install espeak-ng"
)
DETECTS = pytest.mark.skipif(find_model() is None, reason="no speech detector: pip install 'lode[whisper]'")
SENTENCES = (
    "The old lighthouse keeper had not spoken to anyone for three weeks.",
    "He lit the lamp every evening and watched the ships go by.",
    "One night a small boat came out of the fog.",
    "A woman was sitting in it, and she was singing.",
    "He called to her, but she did not answer.",
    "In the morning the boat was gone.",
    "Only a red scarf lay on the stones.",
    "He kept the scarf for the rest of his life.",
)
GAPS = (1000, 600, 1500, 400, 3000, 800, 700, 2000)
"""Milliseconds of silence before each of them."""
_LOUD = 500
"""Level from which on a sample is of a word, and not of the silence around it."""
Background = Literal["music", "noise", "traffic"]


@dataclass(frozen=True)
class Said:
    """A sentence, and when it begins and ends in its recording."""

    text: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True)
class Speech:
    samples: bytes
    said: tuple[Said, ...]

    @property
    def length_ms(self) -> int:
        return milliseconds(self.samples)


def milliseconds(samples: bytes | bytearray) -> int:
    return len(samples) // 2 * 1000 // RATE


def silence(length_ms: int) -> bytes:
    return bytes(length_ms * RATE // 1000 * 2)


@cache
def say(text: str, voice: str = "en-us") -> bytes:
    """Have a sentence spoken, without the silence around it."""
    command = ["espeak-ng", "-v", voice, "-s", "150", "--stdout", text]
    spoken = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
    heard = bytearray()
    with av.open(BytesIO(spoken)) as opened:
        resampler = av.AudioResampler("s16", "mono", RATE)
        for frame in opened.decode(audio=0):
            for each in resampler.resample(frame):
                heard += bytes(each.planes[0])[: each.samples * 2]
    samples = array("h", bytes(heard))
    most = max(map(abs, samples))
    loud = [at for at, sample in enumerate(samples) if abs(sample) > min(_LOUD, most / 10)]
    return samples[loud[0] : loud[-1] + 1].tobytes()


@cache
def make_speech(voice: str = "en-us", gaps: Sequence[int] = GAPS, sentences: Sequence[str] = SENTENCES) -> Speech:
    """Have sentences spoken, with a silence before each and one of half a second at the end."""
    samples, said = bytearray(), []
    for text, gap in zip(sentences, gaps, strict=True):
        samples += silence(gap)
        start = milliseconds(samples)
        samples += say(text, voice)
        samples += bytes(-len(samples) % (RATE // 1000 * 2))  # to whole milliseconds
        said.append(Said(text, start, milliseconds(samples)))
    return Speech(bytes(samples + silence(500)), tuple(said))


@cache
def make_background(kind: Background, length: int) -> bytes:
    """So many samples of music, chords with a beat, of white noise, or of the low one of a street; half as loud as can
    be.
    """
    made = array("d", bytes(8 * length))
    if kind != "music":
        source, keeps, at_last = random.Random(7), 0.97 if kind == "traffic" else 0.0, 0.0
        for at in range(length):
            made[at] = at_last = keeps * at_last + source.uniform(-1, 1)
    else:
        for bar, root in enumerate((220.0, 174.6, 261.6, 196.0) * (length // RATE // 4 + 1)):
            begin = bar * RATE
            for ratio in (1, 1.25, 1.5, 2):
                step = 2 * pi * root * ratio / RATE
                for at in range(begin, min(length, begin + RATE)):
                    fade = 1 - (at - begin) % (RATE // 2) / (RATE // 2)
                    made[at] += 0.25 * fade * (sin(step * at) + 0.3 * sin(2 * step * at))
    most = max(map(abs, made), default=1)
    return array("h", (round(16_000 * each / most) for each in made)).tobytes()


def mix(speech: Speech, kind: Background, decibels: float) -> Speech:
    """The speech over a background that is so much less loud, peak to peak."""
    voice = array("h", speech.samples)
    share = max(map(abs, voice)) / 16_000 * 10 ** (-decibels / 20)
    below = (round(each * share) for each in array("h", make_background(kind, len(voice))))
    mixed = array("h", (max(-32_768, min(32_767, each)) for each in map(add, voice, below)))
    return Speech(mixed.tobytes(), speech.said)


def write_wav(path: Path, samples: bytes) -> Path:
    with wave.open(str(path), "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(RATE)
        made.writeframes(samples)
    return path


def write_encoded(
    path: Path, tracks: Sequence[bytes], codec: str, languages: Sequence[str] = (), at: float = 0
) -> Path:
    """Write samples as the tracks of a file, whose sound begins ``at`` seconds behind its picture, if that is not 0."""
    from fractions import Fraction

    with av.open(str(path), "w") as made:
        picture = made.add_stream("mpeg4", rate=10) if at else None
        streams = [made.add_stream(codec, rate=RATE) for _ in tracks]
        for stream, language in zip(streams, languages, strict=False):
            stream.metadata["language"] = language
        for stream in streams:
            stream.layout = "mono"
        if picture is not None:
            picture.width, picture.height, picture.pix_fmt = 64, 48, "yuv420p"
            for number in range(20):
                shown = av.VideoFrame(64, 48, "yuv420p")
                shown.pts, shown.time_base = number, Fraction(1, 10)
                made.mux(picture.encode(shown))
            made.mux(picture.encode(None))
        for begin in range(0, max(map(len, tracks)), 2 * RATE):
            for stream, samples in zip(streams, tracks, strict=True):
                if part := samples[begin : begin + 2 * RATE]:
                    frame = av.AudioFrame("s16", "mono", len(part) // 2)
                    frame.planes[0].update(part + bytes(frame.planes[0].buffer_size - len(part)))
                    frame.sample_rate, frame.time_base = RATE, Fraction(1, RATE)
                    frame.pts = begin // 2 + round(at * RATE)
                    made.mux(stream.encode(frame))
        for stream in streams:
            made.mux(stream.encode(None))
    return path


def decode(path: Path | bytes) -> bytes:
    """The samples of a file."""
    heard = bytearray()
    with av.open(BytesIO(path) if isinstance(path, bytes) else str(path)) as opened:
        resampler = av.AudioResampler("s16", "mono", RATE)
        for frame in opened.decode(audio=0):
            for each in resampler.resample(frame):
                heard += bytes(each.planes[0])[: each.samples * 2]
    return bytes(heard)
