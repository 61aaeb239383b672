"""Sound of a film, read forwards: spans of one track after the other, exact to the sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from tui.errors import MediaError
from tui.media.container import PLAY_IT, origin_seconds, refuse_encrypted
from tui.records.media import AudioTrack

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import InputContainer, OutputContainer
    from av.filter import Graph

RATE, _BITS_A_SECOND = 44_100, 64_000
_FAR = 10.0
"""Seconds between two spans from which on it is quicker to go to the next than to read what lies between."""
_PRE_ROLL = 0.5
"""Seconds before a span from which sound is decoded: a codec needs some of it to give the right sound."""


def chosen_track(tracks: Sequence[AudioTrack], language: str, number: int, name: str) -> AudioTrack:
    """Choose the track with this number, or for 0 the best one for a language.

    Raises ``MediaError``: ``no_audio``, ``no_such_track``.
    """
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

    def __init__(self, container: InputContainer, stream: AudioStream) -> None:
        self._container = container
        self.stream = stream
        self.origin = origin_seconds(container)
        self._is_heard = self._is_damaged = False
        self._last: AudioFrame | None = None
        self._frames = self._decoded()

    def frames(self, start: float, end: float) -> Iterator[AudioFrame]:
        """Iterate over the frames that touch a span of the container's time; going back costs a seek."""
        last = self._last
        if last is None or last.time is None or not 0 <= start - last.time <= _FAR:
            unit = self.stream.time_base or Fraction(1, self.stream.sample_rate)
            self._container.seek(round(max(0.0, start - _PRE_ROLL) / unit), stream=self.stream)
            self._frames = self._decoded()
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

    def _decoded(self) -> Iterator[AudioFrame]:
        from av.error import FFmpegError

        for packet in self._container.demux(self.stream):
            refuse_encrypted(self._container, packet)
            try:
                for frame in packet.decode():
                    self._is_heard = True
                    yield frame
            except FFmpegError:  # a damaged part of a film is a silence in it
                self._is_damaged = True

    def check_heard(self, name: str) -> None:
        """Raise ``MediaError``, ``undecodable``, where nothing of what was read is sound."""
        if self._is_damaged and not self._is_heard:
            raise MediaError(
                f"nothing of the sound of {name} can be decoded: it is damaged",
                hint=PLAY_IT,
                code="undecodable",
            )


def _end(frame: AudioFrame) -> float:
    return (frame.time or 0.0) + frame.samples / frame.sample_rate


def piece(sound: Sound, start: float, end: float) -> Iterator[AudioFrame]:
    """Iterate over the frames of a span, in seconds of the film: mono, fltp, of ``RATE`` samples a second.

    Floating point may be louder than full scale: FFmpeg makes the speech of a 5.1 film, which is in its centre channel,
    a third as loud where whole numbers have to hold the sum of all channels.
    """
    from av.error import EOFError as Over
    from av.filter import Graph

    begin, until = start + sound.origin, end + sound.origin
    frames = sound.frames(begin, until)
    if (first := next(frames, None)) is None:
        return
    graph = Graph()
    nodes = [
        graph.add_abuffer(  # as it is decoded: of MP2 in a transport stream, the file says another format
            format=first.format.name,
            sample_rate=first.sample_rate,
            layout=first.layout.name,
            time_base=first.time_base,
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
        yield from pulled(graph)
    with suppress(Over):
        graph.push(None)
    yield from pulled(graph)


def pulled(graph: Graph) -> Iterator[AudioFrame]:
    """Iterate over the frames of sound that a graph of filters has finished so far."""
    from av.error import BlockingIOError as NeedsMore
    from av.error import EOFError as Over

    with suppress(NeedsMore, Over):
        while True:
            yield graph.pull()  # type: ignore[misc]  # of sound, a frame of sound


class Recording:
    """An MP3, mono, that is written to a container."""

    def __init__(self, container: OutputContainer) -> None:
        self._container = container
        self._encoder = container.add_stream("libmp3lame", rate=RATE)
        self._encoder.layout, self._encoder.format, self._encoder.bit_rate = "mono", "s16p", _BITS_A_SECOND
        self.samples = 0

    def write(self, frame: AudioFrame) -> None:
        self.samples += frame.samples
        frame.pts = None  # the encoder counts on
        self._container.mux(self._encoder.encode(frame))

    def finish(self) -> int:
        """Write what the encoder has left; gives the milliseconds of the whole."""
        self._container.mux(self._encoder.encode(None))
        return round(1000 * self.samples / RATE)
