"""Waveform of a film's sound, to be drawn: how loud it is at its loudest, ``PEAKS_A_SECOND`` times a second."""

from __future__ import annotations

from pathlib import Path

from tui.media.container import info, opened_media
from tui.media.sound import Sound, chosen_track
from tui.records.media import PEAKS_A_SECOND, Span

_RATE = 8_000
_SAMPLES = _RATE // PEAKS_A_SECOND


def peaks(film: Path, span: Span, *, language: str = "", track: int = 0) -> bytes:
    """The peaks of a span, a byte each: 0 is silence and 255 full scale; fewer where the film ends before the span.

    The track is chosen as in ``cutting.cut``, and the same errors are raised.
    """
    with opened_media(film) as container:
        from av import AudioResampler

        chosen = chosen_track(info(container).audio, language, track, film.name)
        sound = Sound(container, container.streams.audio[chosen.number - 1])
        begin, until = span.start_ms / 1000 + sound.origin, span.end_ms / 1000 + sound.origin
        resampler = AudioResampler("s16", "mono", _RATE)
        found = bytearray((span.end_ms - span.start_ms) * PEAKS_A_SECOND // 1000)
        first = at = None
        for frame in sound.frames(begin, until):
            if first is None:
                first = at = round(((frame.time or 0.0) - begin) * _RATE)
            for each in resampler.resample(frame):
                assert at is not None
                at = _mark(found, memoryview(each.planes[0])[: each.samples * 2].cast("h"), at)
        sound.check_heard(film.name)
    return bytes(found[: max(0, (at or 0) + _SAMPLES - 1) // _SAMPLES])


def _mark(found: bytearray, samples: memoryview, at: int) -> int:
    """Enter samples, of which the first is the ``at``-th of the span (negative before it); gives the next place."""
    done = max(0, -at)
    while done < len(samples) and (peak := (at + done) // _SAMPLES) < len(found):
        until = min(len(samples), (peak + 1) * _SAMPLES - at)
        part = samples[done:until]
        found[peak] = max(found[peak], min(255, max(max(part), -min(part)) >> 7))
        done = until
    return at + len(samples)
