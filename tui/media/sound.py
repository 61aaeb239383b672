"""Sound of a film, read forwards, span after span and exact to the sample: made equally loud, recorded, measured."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from io import BytesIO
from itertools import chain
from math import log10
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import MediaError
from tui.media.container import PLAY_IT, find_origin, list_tracks, open_media, refuse_encrypted
from tui.records.media import PEAKS_A_SECOND, AudioTrack, Span

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import InputContainer
    from av.filter import Graph


RATE, _BITS_A_SECOND = 44_100, 64_000
_FAR = 10.0
"""Seconds between two spans from which on it is quicker to go to the next than to read what lies between."""
_PRE_ROLL = 0.5
"""Seconds before a span from which sound is decoded: a codec needs some of it to give the right sound."""


def choose_track(tracks: Sequence[AudioTrack], language: str, number: int, name: str) -> AudioTrack:
    """Raises ``MediaError``: ``no_audio``, ``no_such_track``."""
    if not tracks:
        raise MediaError(f"{name} has no sound", hint="name a film or a recording that has", code="no_audio")
    if number:
        if number > len(tracks):
            there = ", ".join(" ".join(filter(None, (str(each.number), each.language, each.title))) for each in tracks)
            raise MediaError(f"{name} has no track {number}", hint=f"there are: {there}", code="no_such_track")
        return tracks[number - 1]
    base = language.partition("-")[0]
    spoken = [each for each in tracks if base and each.language.partition("-")[0] == base]
    return max(spoken or tracks, key=lambda each: each.is_default)


class Sound:
    """Sound of one track, read forwards."""

    def __init__(self, container: InputContainer, language: str, number: int, name: str) -> None:
        """Choose the track of a film of this name: that with the number, or for 0 the best one for a language."""
        self.track = choose_track(list_tracks(container).audio, language, number, name)
        self.stream: AudioStream = container.streams.audio[self.track.number - 1]
        self._container, self._name = container, name
        self._origin = find_origin(container)
        self._is_heard = self._is_damaged = False
        self._last: AudioFrame | None = None
        self._frames = self._decode()

    def find(self, span: Span) -> tuple[float, float]:
        """Start and end of a span of the film in the container's time."""
        return span.start_ms / 1000 + self._origin, span.end_ms / 1000 + self._origin

    def frames(self, start: float, end: float) -> Iterator[AudioFrame]:
        """Iterate over the frames that touch a span of the container's time; going back costs a seek."""
        if (last := self._last) is None or last.time is None or not 0 <= start - last.time <= _FAR:
            unit = self.stream.time_base or Fraction(1, self.stream.sample_rate)
            self._container.seek(round(max(0.0, start - _PRE_ROLL) / unit), stream=self.stream)
            self._frames = self._decode()
        elif _end(last) > start:
            yield last
            if _end(last) >= end:
                return
        for frame in self._frames:
            if frame.time is None:
                continue
            self._last = frame
            if _end(frame) > start:
                yield frame
            if _end(frame) >= end:
                return

    def _decode(self) -> Iterator[AudioFrame]:
        from av.error import FFmpegError

        for packet in self._container.demux(self.stream):
            refuse_encrypted(self._container, packet)
            try:
                for frame in packet.decode():
                    self._is_heard = True
                    yield frame
            except FFmpegError:  # a damaged part of a film is a silence in it
                self._is_damaged = True

    def check_heard(self) -> None:
        """Raise ``MediaError``, ``undecodable``, where nothing of what was read is sound."""
        if self._is_damaged and not self._is_heard:
            raise MediaError(
                f"nothing of the sound of {self._name} can be decoded: it is damaged", hint=PLAY_IT, code="undecodable"
            )


def _end(frame: AudioFrame) -> float:
    return (frame.time or 0.0) + frame.samples / frame.sample_rate


def _read_piece(sound: Sound, span: Span) -> Iterator[AudioFrame]:
    """Iterate over the frames of a span: mono, fltp, of ``RATE`` samples a second.

    Floating point may be louder than full scale: FFmpeg makes the speech of a 5.1 film, which is in its centre channel,
    a third as loud where whole numbers have to hold the sum of all channels.
    """
    from av.error import EOFError as Over
    from av.filter import Graph

    begin, until = sound.find(span)
    frames = sound.frames(begin, until)
    if (first := next(frames, None)) is None:
        return
    graph = Graph()
    nodes = [
        graph.add_abuffer(  # as it is decoded: of MP2 in a transport stream, the file says another format
            format=first.format.name, sample_rate=first.sample_rate, layout=first.layout.name, time_base=first.time_base
        ),
        graph.add("atrim", f"start={begin:.6f}:end={until:.6f}"),
        graph.add("asetpts", "PTS-STARTPTS"),
        graph.add("aformat", f"sample_fmts=fltp:sample_rates={RATE}:channel_layouts=mono"),
        graph.add("abuffersink"),
    ]
    graph.link_nodes(*nodes).configure()
    for frame in chain((first,), frames):
        try:
            graph.push(frame)
        except Over:
            break
        yield from pull_frames(graph)
    with suppress(Over):
        graph.push(None)
    yield from pull_frames(graph)


def pull_frames(graph: Graph) -> Iterator[AudioFrame]:
    """Iterate over the frames of sound that a graph of filters has finished so far."""
    from av.error import BlockingIOError as NeedsMore
    from av.error import EOFError as Over

    with suppress(NeedsMore, Over):
        while True:
            yield graph.pull()  # type: ignore[misc]  # of sound, a frame of sound


def record(target: str | BytesIO, sound: Sound, spans: Sequence[Span]) -> Iterator[int]:
    """Write the sound of spans as an MP3, mono; gives the milliseconds so far before each span, and of the whole."""
    import av

    with av.open(target, "w", format="mp3") as container:
        encoder = container.add_stream("libmp3lame", rate=RATE)
        encoder.layout, encoder.format, encoder.bit_rate = "mono", "s16p", _BITS_A_SECOND
        samples = 0
        for span in spans:
            yield round(1000 * samples / RATE)
            for frame in even_out(_read_piece(sound, span)):
                samples += frame.samples
                frame.pts = None  # the encoder counts on
                container.mux(encoder.encode(frame))
        container.mux(encoder.encode(None))
    yield round(1000 * samples / RATE)


# Loudness of a piece of speech: one gain for all of it, by how loud it is, and short fades at its ends.
#
# A sentence is one to five seconds long. ``loudnorm`` measures in windows of three seconds and ``dynaudnorm`` in frames
# of half a second that are weighed over fifteen seconds: on so short a piece both change the loudness within a word.
# One gain changes nothing but the volume, and works for any length.

_FADE = 0.005
"""Seconds in which a piece begins and ends, so that no cut is heard as a click."""
_TARGET, _PEAK = -20.0, -1.5
"""Decibels below full scale: of the loud parts on average, and of the loudest sample."""
_MAX_GAIN = 20.0
"""Decibels by which a piece is changed at most: what is nearly silent is no speech that is to be heard."""
_BLOCK = 2205
"""Samples that are measured together: a twentieth of a second."""
_LOUD_SHARE = 0.1
"""Share of the power of the loudest block from which on a block counts; pauses say nothing about the voice."""


def even_out(frames: Iterable[AudioFrame]) -> Iterator[AudioFrame]:
    """Give a piece of sound (fltp, mono) the common loudness, with fades, as s16p; it is in memory until its end."""
    from av.filter import Graph

    if not (piece := list(frames)):
        return
    samples = array("f")
    for frame in piece:
        samples.frombytes(bytes(frame.planes[0])[: frame.samples * samples.itemsize])
    graph, end = Graph(), len(samples) / RATE
    nodes = [
        graph.add_abuffer(format="fltp", sample_rate=RATE, layout="mono", time_base=piece[0].time_base),
        graph.add("volume", f"{measure_gain(samples):.2f}dB"),
        graph.add("afade", f"t=in:d={_FADE}"),
        graph.add("afade", f"t=out:st={max(0.0, end - _FADE):.6f}:d={_FADE}"),
        graph.add("aformat", "sample_fmts=s16p:channel_layouts=mono"),
        graph.add("abuffersink"),
    ]
    graph.link_nodes(*nodes).configure()
    for each in (*piece, None):
        graph.push(each)
        yield from pull_frames(graph)


def measure_gain(samples: array[float]) -> float:
    """The decibels by which sound is to be made louder, of which full scale is 1; 0 for silence."""
    peak = max(max(samples), -min(samples))
    if not peak:
        return 0.0
    powers = []
    for at in range(0, len(samples), _BLOCK):
        block = samples[at : at + _BLOCK]
        powers.append(sum(map(mul, block, block)) / len(block))
    loud = [each for each in powers if each >= max(powers) * _LOUD_SHARE]
    wanted = _TARGET - 10 * log10(sum(loud) / len(loud))
    return max(-_MAX_GAIN, min(wanted, _PEAK - 20 * log10(peak), _MAX_GAIN))


_RATE = 8_000
_SAMPLES = _RATE // PEAKS_A_SECOND


def measure_peaks(film: Path, span: Span, *, language: str = "", track: int = 0) -> bytes:
    """The peaks of a span, a byte each: 0 is silence and 255 full scale; fewer where the film ends before the span.

    The track is chosen as in ``cutting.cut``, and the same errors are raised.
    """
    with open_media(film) as container:
        from av import AudioResampler

        sound = Sound(container, language, track, film.name)
        begin, until = sound.find(span)
        resampler = AudioResampler("s16", "mono", _RATE)
        found = bytearray((span.end_ms - span.start_ms) * PEAKS_A_SECOND // 1000)
        first = at = None
        for frame in sound.frames(begin, until):
            if first is None:
                first = at = round(((frame.time or 0.0) - begin) * _RATE)
            for each in resampler.resample(frame):
                assert at is not None
                at = _mark(found, memoryview(each.planes[0])[: each.samples * 2].cast("h"), at)
        sound.check_heard()
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


# Speech of a film as one recording: the spans in which somebody speaks, one after the other, without what is between.
#
# The film is read once from its first span on; where the next one is far away, it is gone to.


def write_speech(
    film: Path, spans: Sequence[Span], out: Path, *, language: str = "", track: int = 0
) -> Iterator[float | tuple[AudioTrack, int]]:
    """Write the spans of a film's sound to ``out`` as an MP3, mono, while it is iterated over.

    Yields the share that is done, at last the track that was taken, and milliseconds. ``track`` is its number, 0 for
    the one in the language, else the one that players take. Raises ``MediaError``: as ``open_media``, and
    ``no_audio``, ``no_such_track``, ``undecodable``, ``media_encrypted``, ``past_end`` where the film ends before
    the first span.
    """
    with open_media(film) as container:
        sound = Sound(container, language, track, film.name)
        recording = record(str(out), sound, spans)
        for done in range(len(spans)):
            next(recording)
            yield done / len(spans)
        *_, milliseconds = recording
        sound.check_heard()
    if not milliseconds:
        raise MediaError(
            f"{film.name} ends before anybody speaks in the transcript",
            hint="is it the film of this transcript?",
            code="past_end",
        )
    yield sound.track, milliseconds
