"""Spans of a film: which are wanted, and their sound and pictures, cut out in one pass.

It is opened once for sound and once for pictures, and read forwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from tui.media.container import find_origin, find_video_stream, open_media, refuse_encrypted
from tui.media.sound import Sound, record
from tui.records.media import Cutting, Span

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream


BEFORE_MS, AFTER_MS = 250, 400
"""Milliseconds of sound before and after a sentence: subtitles come late and go early."""
_JOINED_MS = 500
"""A pause of at most this length stays: cutting it out would be heard, and saves nothing."""


def widen_sentence_span(
    start: int, end: int, *, previous_end: int | None = None, next_start: int | None = None
) -> Span:
    """The span of a sentence with the sound around it, but none of the neighbouring cues; all in milliseconds.

    A neighbour that overlaps the sentence itself cuts nothing off it.
    """
    begin, until = max(0, start - BEFORE_MS), end + AFTER_MS
    if previous_end is not None:
        begin = max(begin, min(previous_end, start))
    if next_start is not None:
        until = min(until, max(next_start, end))
    return Span(begin, until)


def join_speech_spans(cues: Iterable[tuple[int, int]]) -> list[Span]:
    """The spans in which somebody speaks, in order and apart from each other; cues are (start, end), in any order."""
    spans: list[Span] = []
    for start, end in sorted(cues):
        if end <= start:
            continue
        span = widen_sentence_span(start, end)
        if spans and span.start_ms - spans[-1].end_ms <= _JOINED_MS:
            spans[-1] = Span(spans[-1].start_ms, max(spans[-1].end_ms, span.end_ms))
        else:
            spans.append(span)
    return spans


def cut(
    film: Path, spans: Sequence[Span], *, language: str = "", track: int = 0, sound: bool = True, pictures: bool = True
) -> Iterator[Cutting]:
    """Cut each span's sound, and the picture in its middle, in the order of their times.

    ``track`` is the number of the track of sound, 0 for the one in the language, else the one that players take.
    Without pictures in the file there are none, and without tracks of sound a film has its pictures. Raises
    ``MediaError``: as ``open_media``, and ``no_audio``, ``no_such_track``, ``undecodable``, ``media_encrypted``.
    """
    with ExitStack() as stack:
        heard = seen = None
        container = stack.enter_context(open_media(film))
        if sound and (container.streams.audio or track or not (pictures and find_video_stream(container))):
            heard = Sound(container, language, track, film.name)
        if pictures:  # a container of its own: each is read from where it is needed next
            container = stack.enter_context(open_media(film))
            stream = find_video_stream(container)
            seen = Pictures(container, stream) if stream else None
        for index in sorted(range(len(spans)), key=lambda each: spans[each].start_ms):
            span = spans[index]
            written, milliseconds = BytesIO(), 0
            if heard:
                *_, milliseconds = record(written, heard, [span])
                heard.check_heard()
            picture = seen.at((span.start_ms + span.end_ms) / 2000) if seen else b""
            yield Cutting(index, written.getvalue() if milliseconds else b"", milliseconds, picture)


MAX_WIDTH = 640
"""Pixels."""
_QUALITY = 4
"""Of JPEG, as FFmpeg counts it: 36 kB for 640 by 360 pixels."""
_FAR = 2.0
"""Seconds from which on it is tried whether a key frame is nearer to the next picture than the last one."""
_FARTHEST_BACK = 64.0
"""Seconds before a picture in which its key frame is looked for: encoders write one every ten seconds or so."""
_TURNS = {90: ("transpose=cclock",), 180: ("hflip", "vflip"), 270: ("transpose=clock",)}
"""Filters that turn a picture upright, by the degrees against the clock that a file says."""


class Pictures:
    """Pictures of one track; asked for in the order of their times, each is decoded once."""

    def __init__(self, container: InputContainer, stream: VideoStream) -> None:
        stream.thread_type = "AUTO"
        self._container, self._stream = container, stream
        self._origin = find_origin(container)
        self._shown: VideoFrame | None = None
        self._next: VideoFrame | None = None
        self._frames: Iterator[VideoFrame] = iter(())

    def at(self, seconds: float) -> bytes:
        """The picture at a time of the film, b"" where it shows none then; going back costs a seek."""
        time = seconds + self._origin
        if self._shown is None or not 0 <= time - _time(self._shown) <= _FAR:
            self._seek(time)
        while self._next is None or _time(self._next) <= time:
            if self._next is not None:
                self._shown, self._next = self._next, None
            self._next = next(self._frames, None)
            if self._next is None:
                break
            if self._shown is None and _time(self._next) > time:
                self._shown = self._next  # the film begins with it, a little late
        if self._shown is None or (self._next is None and time - _time(self._shown) > _FAR):
            return b""
        return encode_jpeg(self._shown, self._stream.sample_aspect_ratio or 1)

    def _seek(self, time: float) -> None:
        """Go to a picture that is shown at a time or before, in the time of the container.

        A transport stream has no index of its key frames: FFmpeg goes to the time itself, and whatever is decoded there
        comes from the next key frame. So it is gone back, farther each time, until one lies before.
        """
        unit, back = self._stream.time_base or Fraction(1, 1000), 0.0
        while True:
            is_start = time - back <= self._origin  # what is shown first is decoded before that
            begin = self._origin - 1.0 if is_start else time - back
            self._container.seek(round(max(0.0, begin) / unit), stream=self._stream)
            self._frames = self._decode(from_key=not is_start)
            self._shown, self._next = None, next(self._frames, None)
            if is_start or back >= _FARTHEST_BACK or (self._next is not None and _time(self._next) <= time):
                return
            back = 2 * back or 1.0

    def _decode(self, *, from_key: bool) -> Iterator[VideoFrame]:
        """Decode on; ``from_key``: from the next key frame, before which some decoders make pictures of nothing."""
        from av.error import FFmpegError

        for packet in self._container.demux(self._stream):
            refuse_encrypted(self._container, packet)
            if from_key and not packet.is_keyframe:
                continue
            from_key = False
            with suppress(FFmpegError):  # a damaged picture is left out
                yield from (frame for frame in packet.decode() if frame.time is not None)


def encode_jpeg(frame: VideoFrame, pixel_ratio: Fraction | int = 1) -> bytes:
    """Encode a picture, upright, at most ``MAX_WIDTH`` wide; ``pixel_ratio`` is the width of a pixel by its height."""
    from av import CodecContext

    ratio = float(pixel_ratio)
    turned = _upright(frame)
    is_turned = turned.width != frame.width
    width = turned.width * (1 if is_turned else ratio)
    height = turned.height * (ratio if is_turned else 1)
    scale = min(1.0, MAX_WIDTH / width)
    picture = turned.reformat(_even(width * scale), _even(height * scale), "yuvj420p", dst_color_range="JPEG")
    encoder = CodecContext.create("mjpeg", "w")
    encoder.width, encoder.height, encoder.pix_fmt = picture.width, picture.height, "yuvj420p"
    encoder.time_base = Fraction(1, 25)
    encoder.qmin = encoder.qmax = _QUALITY
    picture.pts, picture.time_base = 0, encoder.time_base
    return b"".join(map(bytes, (*encoder.encode(picture), *encoder.encode(None))))


def _upright(frame: VideoFrame) -> VideoFrame:
    turns = _TURNS.get(frame.rotation % 360)
    if turns is None:
        return frame
    from av.filter import Graph

    graph = Graph()
    source = graph.add_buffer(
        width=frame.width, height=frame.height, format=frame.format, time_base=frame.time_base or Fraction(1, 1000)
    )
    graph.link_nodes(source, *(graph.add(*turn.split("=")) for turn in turns), graph.add("buffersink")).configure()
    graph.push(frame)
    return graph.pull()  # type: ignore[return-value]  # of pictures, a picture


def _time(frame: VideoFrame) -> float:
    return frame.time or 0.0


def _even(pixels: float) -> int:
    return max(2, int(pixels) // 2 * 2)
