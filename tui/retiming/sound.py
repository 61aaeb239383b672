"""Speech of a film in some windows of it: what a transcript is brought to where there is no other one.

Half an hour of a film tells as much as all of it. Whether somebody speaks is asked of a model (``transcribing/
speech.py``): music is as loud as speech, and songs are told from it by what the windows agree on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

from tui.media.container import open_media
from tui.media.sound import Sound
from tui.records import media
from tui.retiming.alignment import Span
from tui.transcribing.pieces import read_samples
from tui.transcribing.speech import FRAME, RATE, SpeechDetector, find_spans

WINDOWS = 6
_WINDOW_MS = 5 * 60_000
_EARLY_MS = 15
"""Milliseconds by which a span of speech begins before its first word on average."""
_FRAME_BYTES = 2 * FRAME
_AT_ONCE = 256 * _FRAME_BYTES


@dataclass(frozen=True, slots=True)
class HeardWindow:
    """A window of a film that was heard, and the spans in it in which somebody speaks."""

    window: Span
    spans: tuple[Span, ...]


def spread_windows(length_ms: int) -> list[Span]:
    """The windows of a film of this length: one in the middle of each sixth, or all of it where it is short."""
    marks = [length_ms * part // WINDOWS for part in range(WINDOWS + 1)]
    windows = []
    for begin, end in pairwise(marks):
        spare = max(0, end - begin - _WINDOW_MS)
        windows.append((begin + spare // 2, end - (spare - spare // 2)))
    return windows


def hear_windows(film: Path, length_ms: int, language: str = "", track: int = 0) -> Iterator[HeardWindow]:
    """Hear the windows of a film one after the other. Blocks; raises ``MediaError`` as ``write_speech`` does.

    The track is chosen as there. A window behind the end of the film is given as far as there is sound.
    """
    detector = SpeechDetector()
    with open_media(film) as container:
        sound = Sound(container, language, track, film.name)
        for begin, end in spread_windows(length_ms):
            detector.reset()
            scores, left = list[float](), bytearray()
            for samples in chain(read_samples(sound, media.Span(begin, end)), (b"",)):
                left += samples
                if len(left) >= _AT_ONCE or not samples:
                    whole = len(left) // _FRAME_BYTES * _FRAME_BYTES
                    scores += detector.judge(memoryview(bytes(left[:whole])))
                    del left[:whole]
            heard = begin + len(scores) * FRAME * 1000 // RATE
            spans = ((begin + start + _EARLY_MS, begin + stop) for start, stop in find_spans(scores))
            yield HeardWindow((begin, heard), tuple(spans))
        sound.check_heard()
