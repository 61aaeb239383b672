"""Pieces of a recording, cut where nobody speaks: read once from front to back, judged and encoded as it comes.

Whether somebody speaks is asked of a model (``speech.py``), as music is as loud as speech. Without it the quietest
place is taken. A piece in which nobody speaks is given without its sound: nothing is to be asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from tui.media.container import open_media
from tui.media.sound import Sound
from tui.records.media import Span
from tui.transcribing.speech import FRAME, RATE, SpeechDetector, find_spans

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.resampler import AudioResampler
    from av.audio.stream import AudioStream

SoundFormat = Literal["mp3", "wav", "samples"]
"""Format of a piece's sound, 16 kHz mono; ``samples`` are bare ones of 16 bits, for a model in the same process."""
_CODECS = {"mp3": "libmp3lame", "wav": "pcm_s16le"}
_FRAME_BYTES = 2 * FRAME
_BITS_A_SECOND = 32_000
_QUIET_FRAMES = 10
"""Frames over which the quietest place is looked for, a third of a second."""
_LOOKED_BACK = 0.2
"""Share of a piece before its limit in which its end is looked for, and ``_MOST_LOOKED_BACK`` seconds at most."""
_MOST_LOOKED_BACK = 60
_BEFORE_MS, _AFTER_MS = 200, 300
"""Sound that is left before the first word of a piece and after its last."""
_GAP_SECONDS = 0.1
"""A part that a recording lacks, from which on it is a silence in it."""
_LONGEST_GAP = 12 * 3600
"""Seconds of such a part from which on the clock of the recording is wrong: it ends there."""
_SILENCE = 10 * RATE
"""Samples of silence that are made at once."""
_FOR_EVER = 1 << 40
_LEAST_MS = 100


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of a recording between two cuts, and the spans in which somebody speaks, None where nobody knows."""

    span: Span
    speech: tuple[Span, ...] | None = None

    @property
    def sounding(self) -> Span | None:
        """Span to transcribe: from its first word to its last; None where nobody speaks."""
        if self.speech is None:
            return self.span
        if not self.speech:
            return None
        start = max(self.span.start_ms, self.speech[0].start_ms - _BEFORE_MS)
        return Span(start, min(self.span.end_ms, self.speech[-1].end_ms + _AFTER_MS))


@dataclass(frozen=True, slots=True)
class Piece:
    """A cut with the ``sound`` of what of it is to be heard, b"" where nobody speaks."""

    cut: Cut
    sound: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """Request to cut a recording: the span that is wanted, the track (``media/sound.py``), and the longest piece.

    ``known`` are cuts that were made before: those are taken as they are, without what is in ``done`` of them, and the
    recording is cut from the end of the last one on.
    """

    span: Span
    limit_ms: int
    by_speech: bool
    format: SoundFormat
    language: str = ""
    track: int = 0
    known: tuple[Cut, ...] = ()
    done: frozenset[int] = frozenset()


def cut_pieces(media: Path, request: Request) -> Generator[Piece, None, None]:
    """Cut a recording into pieces, one after the other. Raises ``MediaError`` as ``media.sound.write_speech`` does."""
    with open_media(media) as container:
        sound = Sound(container, request.language, request.track, media.name)
        for number, cut in enumerate(request.known):
            if number not in request.done:
                yield Piece(cut, _read_again(sound, cut, request.format))
        begin = request.known[-1].span.end_ms if request.known else request.span.start_ms
        if begin < request.span.end_ms:
            yield from _cut(sound, Span(begin, request.span.end_ms), request)
        sound.check_heard()


def _read_again(sound: Sound, cut: Cut, format: SoundFormat) -> bytes:
    wanted = cut.sounding
    return b"" if wanted is None else encode(b"".join(read_samples(sound, wanted)), format)


def _cut(sound: Sound, span: Span, request: Request) -> Iterator[Piece]:
    window = _Window(span.start_ms, SpeechDetector() if request.by_speech else None)
    limit = max(2 * _QUIET_FRAMES, request.limit_ms * RATE // 1000 // FRAME)
    for samples in read_samples(sound, span):
        window.add(samples)
        while len(window.scores) > limit:
            yield window.take(_find_end(window.scores, limit), request.format)
    if window.milliseconds >= _LEAST_MS:
        yield window.take(None, request.format)


class _Window:
    """Sound from the last cut on, and what is judged of it: how much it is speech, or how loud, frame by frame."""

    def __init__(self, start_ms: int, detector: SpeechDetector | None) -> None:
        self._start_ms = start_ms
        self._taken = 0
        """Frames that were taken since then."""
        self._samples = bytearray()
        self._detector = detector
        self._judge: Callable[[memoryview], Sequence[float]] = _measure_loudness if detector is None else detector.judge
        self.scores: list[float] = []

    @property
    def milliseconds(self) -> int:
        return len(self._samples) // 2 * 1000 // RATE

    def add(self, samples: bytes) -> None:
        self._samples += samples
        begin, end = len(self.scores) * _FRAME_BYTES, len(self._samples) // _FRAME_BYTES * _FRAME_BYTES
        if end > begin:
            self.scores += self._judge(memoryview(bytes(self._samples[begin:end])))

    def take(self, frames: int | None, format: SoundFormat) -> Piece:
        """Take the first so many frames, or all that there is, as a piece."""
        size = len(self._samples) if frames is None else frames * _FRAME_BYTES
        count = len(self.scores) if frames is None else frames
        start = self._moment(0)
        span = Span(start, start + self.milliseconds if frames is None else self._moment(frames))
        speech = None
        if self._detector is not None:
            found = find_spans(self.scores[:count])
            speech = tuple(Span(start + one, min(start + other, span.end_ms)) for one, other in found)
        cut, sound = Cut(span, speech), b""
        if (wanted := cut.sounding) is not None:
            first, last = ((each - start) * RATE // 1000 * 2 for each in (wanted.start_ms, wanted.end_ms))
            sound = encode(bytes(self._samples[first : min(last, size)]), format)
        del self._samples[:size]
        self._taken += count
        self._judge_anew()
        return Piece(cut, sound)

    def _judge_anew(self) -> None:
        """Judge what is left as if the recording began here: work that is taken up again here comes to the same."""
        self.scores.clear()
        if self._detector is not None:
            self._detector.reset()
        self.add(b"")

    def _moment(self, frames: int) -> int:
        return self._start_ms + (self._taken + frames) * FRAME * 1000 // RATE


def _find_end(scores: Sequence[float], limit: int) -> int:
    """The frame at which a piece of at most ``limit`` frames ends best: in the middle of the quietest place."""
    back = min(round(limit * _LOOKED_BACK), _MOST_LOOKED_BACK * RATE // FRAME)
    first = max(_QUIET_FRAMES, limit - back)
    total = sum(scores[first - _QUIET_FRAMES : first])
    best, at = total, first
    for frame in range(first + 1, limit + 1):
        total += scores[frame - 1] - scores[frame - 1 - _QUIET_FRAMES]
        if total <= best:  # of silences that are alike the last one: the pieces are fewer
            best, at = total, frame
    return at - _QUIET_FRAMES // 2


def _measure_loudness(samples: memoryview) -> list[float]:
    values = samples.cast("h")
    frames = (values[at : at + FRAME] for at in range(0, len(values), FRAME))
    return [float(max(max(frame), -min(frame))) for frame in frames]


def read_samples(sound: Sound, span: Span) -> Iterator[bytes]:
    """Read the sound of a span as it comes: samples of 16 bits, ``RATE`` a second; less where the film ends before."""
    from av import AudioResampler

    begin, until = sound.find(span)
    wanted = (span.end_ms - span.start_ms) * RATE // 1000 if span.end_ms < _FOR_EVER else _FOR_EVER
    resampler, given, form = AudioResampler("s16", "mono", RATE), 0, None
    for frame in sound.frames(begin, until):
        at = (frame.time or 0.0) - begin
        if (gap := at - given / RATE) > _LONGEST_GAP:
            return
        lacking = min(round(gap * RATE), wanted - given) if gap > _GAP_SECONDS else 0
        for done in range(0, lacking, _SILENCE):
            yield bytes(min(_SILENCE, lacking - done) * 2)
        given += max(0, lacking)
        if form != (form := (frame.format.name, frame.layout.name, frame.sample_rate)):
            resampler = AudioResampler("s16", "mono", RATE)  # of one form of sound each
        for samples in _resample(resampler, frame):
            if not given and at < 0:
                skipped = min(len(samples), -round(at * RATE) * 2)
                samples, at = samples[skipped:], at + skipped / 2 / RATE
            samples = samples[: (wanted - given) * 2]
            given += len(samples) // 2
            if samples:
                yield samples


def _resample(resampler: AudioResampler, frame: AudioFrame) -> Iterator[bytes]:
    for each in resampler.resample(frame):
        yield bytes(memoryview(each.planes[0])[: each.samples * 2])


def encode(samples: bytes, format: SoundFormat) -> bytes:
    """Encode samples of 16 bits, ``RATE`` a second, as a file of a format."""
    if format == "samples":
        return samples
    import av
    from av import AudioFrame

    target = BytesIO()
    with av.open(target, "w", format=format) as container:
        stream = cast("AudioStream", container.add_stream(_CODECS[format], rate=RATE))
        layout = "s16p" if format == "mp3" else "s16"
        stream.layout, stream.format = "mono", layout
        if format == "mp3":
            stream.bit_rate = _BITS_A_SECOND
        step = 10 * RATE * 2
        for at in range(0, len(samples), step):
            part = samples[at : at + step]
            frame = AudioFrame(format=layout, layout="mono", samples=len(part) // 2)
            frame.planes[0].update(part + bytes(frame.planes[0].buffer_size - len(part)))
            frame.sample_rate, frame.pts = RATE, None
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return target.getvalue()
