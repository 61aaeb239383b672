"""Films whose speech is known: espeak-ng's sentences in scenes, over noise, music or songs."""

from __future__ import annotations

import random
import wave
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tests.retiming.made_cues import Said, plan_scenes, spans_of
from tests.transcribing.speeches import SENTENCES, say
from tui.retiming.alignment import Span
from tui.transcribing.speech import RATE

Music = Literal["", "under", "songs"]
"""No music, music under all that is said, or that and songs besides, which no subtitle has."""
_VOICES = ("en-us", "en-us+f3", "de", "es", "en-gb+m3")
_LOUD = 9000
"""Peak of what is said."""
_SONG_MS = 150_000
_MINUTE = 60 * RATE


@dataclass(frozen=True)
class MadeFilm:
    """A film's plan: ``said`` are the spans of its sentences, each with its number, ``songs`` those of its songs."""

    seed: int
    length_ms: int
    music: Music
    said: tuple[Said, ...]
    songs: tuple[Span, ...]

    @property
    def spans(self) -> list[Span]:
        return spans_of(self.said)


def plan_film(seed: int, minutes: int, music: Music = "") -> MadeFilm:
    """Plan a film; see ``made_cues.plan_scenes``."""
    chance, length, songs = random.Random(seed), minutes * 60_000, list[Span]()
    for third in range(3 if music == "songs" else 0):
        begin = length * third // 3 + chance.randrange(length // 3 - _SONG_MS)
        songs.append((begin, begin + _SONG_MS))
    lengths = [len(_bank(number)) * 1000 // RATE for number in range(len(SENTENCES) * len(_VOICES))]
    return MadeFilm(seed, length, music, tuple(plan_scenes(seed, minutes, lengths, songs)), tuple(songs))


def write_film(film: MadeFilm, path: Path) -> Path:
    """Write a film's sound as a WAV."""
    with wave.open(str(path), "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(RATE)
        for samples in make_minutes(film):
            made.writeframes(samples)
    return path


def make_minutes(film: MadeFilm) -> Iterator[bytes]:
    """Make the sound of a film minute by minute: samples of 16 bits, ``RATE`` a second."""
    import numpy

    noise = numpy.random.default_rng(film.seed)
    for minute in range(film.length_ms // 60_000):
        begin = minute * _MINUTE
        mixed = noise.standard_normal(_MINUTE, dtype=numpy.float32) * 60
        if film.music:
            mixed += _music(film.seed)
        for start, _, number in film.said:
            _add(mixed, _bank(number), start * RATE // 1000 - begin)
        for start, end in film.songs:
            at = start * RATE // 1000
            for line, sung in enumerate(_songs() * 20):
                if at + len(sung) > end * RATE // 1000:
                    break
                _add(mixed, sung, at - begin)
                at += len(sung) + (RATE // 2 if line % 4 else 2 * RATE)
        yield numpy.clip(mixed, -32_768, 32_767).astype(numpy.int16).tobytes()


@cache
def _bank(number: int) -> Any:
    """A sentence, by its number."""
    import numpy

    text, voice = SENTENCES[number % len(SENTENCES)], _VOICES[number // len(SENTENCES)]
    samples = numpy.frombuffer(say(text, voice), numpy.int16).astype(numpy.float32)
    return samples * (_LOUD / numpy.abs(samples).max())


@cache
def _songs() -> list[Any]:
    """Lines that are sung: sentences drawn out to twice their length, each at a pitch of its own."""
    import numpy

    lines = []
    for number in range(0, 5 * len(SENTENCES), 3):
        spoken = _bank(number)
        slow = numpy.interp(numpy.arange(0, len(spoken), 0.7), numpy.arange(len(spoken)), spoken)
        vibrato = 1 + 0.3 * numpy.sin(2 * numpy.pi * 6 * numpy.arange(len(slow)) / RATE)
        lines.append((slow * vibrato * 0.9).astype(numpy.float32))
    return lines


@cache
def _music(seed: int) -> Any:
    """A minute of chords with a beat, a third as loud as what is said."""
    import numpy

    at = numpy.arange(_MINUTE) / RATE
    roots = numpy.array((220.0, 174.6, 261.6, 196.0, 164.8))[(at.astype(int) + seed) % 5]
    made = numpy.zeros(_MINUTE)
    for ratio in (0.5, 1, 1.25, 1.5, 2):
        made += numpy.sin(2 * numpy.pi * roots * ratio * at) + 0.4 * numpy.sin(4 * numpy.pi * roots * ratio * at)
    made *= 1 - (at * 2) % 1 * 0.8
    beat = numpy.random.default_rng(seed).standard_normal(_MINUTE) * (((at * 2) % 1) < 0.06) * 3
    made += beat
    return (made / numpy.abs(made).max() * _LOUD / 3).astype(numpy.float32)


def _add(mixed: Any, sound: Any, at: int) -> None:
    begin, end = max(0, at), min(len(mixed), at + len(sound))
    if begin < end:
        mixed[begin:end] += sound[begin - at : end - at]
