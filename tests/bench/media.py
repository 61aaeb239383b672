"""Media: clips of a film against decoding it once from start to end. The film is made once and kept in ``.bench``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from statistics import median

import av

from tests.bench.rows import Measured
from tui.media.cutting import cut as cut_out
from tui.records.media import Span
from tui.service.media.media_process import MediaProcess

MINUTES, CLIPS, SINGLE = 90, 1000, 15
_RATE, _PICTURES_A_SECOND, _KEY_FRAME_SECONDS = 44_100, 24, 5
_WIDTH, _HEIGHT = 1280, 720


def measure(minutes: int = MINUTES, clips: int = CLIPS) -> list[Measured]:
    path = _film(minutes)
    begun = time.perf_counter()
    _decode(path)
    decoded = time.perf_counter() - begun
    step = minutes * 60_000 // clips
    spans = [Span(at * step + 500, at * step + 3500) for at in range(clips)]
    process = MediaProcess()
    try:
        begun = time.perf_counter()
        cuttings = list(process.results(cut_out, path, spans))
        cut = time.perf_counter() - begun
        assert len(cuttings) == clips and all(each.sound and each.picture for each in cuttings[:-1])
        singles = []
        for at in range(SINGLE):
            begun = time.perf_counter()
            list(process.results(cut_out, path, [spans[(at * 7 + 3) % clips]]))
            singles.append((time.perf_counter() - begun) * 1000)
    finally:
        process.end()
    return [Measured(cut, decoded, {"clips": clips, "minutes": minutes}), Measured(median(singles))]


def _decode(path: Path) -> None:
    """Decode sound and pictures from start to end."""
    with av.open(str(path)) as film:
        film.streams.video[0].thread_type = "AUTO"
        for _ in film.decode(film.streams.video[0], film.streams.audio[0]):
            pass


def _film(minutes: int) -> Path:
    """A film of 720p with a key frame every five seconds: a picture that moves a little, and a changing tone."""
    path = Path(".bench") / f"film-{minutes}.mkv"
    if path.exists():
        return path
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_suffix(".part.mkv")
    with av.open(str(unfinished), "w") as film:
        picture = film.add_stream(
            "libx264",
            rate=_PICTURES_A_SECOND,
            options={"preset": "ultrafast", "g": str(_KEY_FRAME_SECONDS * _PICTURES_A_SECOND), "sc_threshold": "0"},
        )
        picture.width, picture.height, picture.pix_fmt = _WIDTH, _HEIGHT, "yuv420p"
        sound = film.add_stream("aac", rate=_RATE)
        sound.layout = "mono"
        for second, (frames, tone) in enumerate(zip(_pictures(minutes * 60), _tones(minutes * 60), strict=True)):
            for number, frame in enumerate(frames):
                frame.pts = second * _PICTURES_A_SECOND + number
                frame.time_base = Fraction(1, _PICTURES_A_SECOND)
                film.mux(picture.encode(frame))
            tone.pts, tone.time_base = second * _RATE, Fraction(1, _RATE)
            film.mux(sound.encode(tone))
        film.mux(picture.encode(None))
        film.mux(sound.encode(None))
    unfinished.replace(path)
    return path


def _pictures(seconds: int) -> Iterator[list[av.VideoFrame]]:
    """The pictures of each second: FFmpeg's test picture, which moves."""
    graph = av.filter.Graph()
    source = graph.add("testsrc2", f"size={_WIDTH}x{_HEIGHT}:rate={_PICTURES_A_SECOND}:duration={seconds}")
    graph.link_nodes(source, graph.add("format", "yuv420p"), graph.add("buffersink")).configure()
    for _ in range(seconds):
        frames = [graph.pull() for _ in range(_PICTURES_A_SECOND)]
        yield [each for each in frames if isinstance(each, av.VideoFrame)]


def _tones(seconds: int) -> Iterator[av.AudioFrame]:
    """The sound of each second."""
    graph = av.filter.Graph()
    source = graph.add("aevalsrc", f"0.4*sin(2*PI*t*(300+mod(t\\,60))):s={_RATE}:d={seconds}:n={_RATE}")
    graph.link_nodes(source, graph.add("aformat", "sample_fmts=fltp"), graph.add("abuffersink")).configure()
    for _ in range(seconds):
        frame = graph.pull()
        assert isinstance(frame, av.AudioFrame)
        yield frame
