"""Requests to the process that reads films: what of ``tui/media`` is to be done there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tui.records.media import AudioTrack, Cutting, MediaInfo, Span, SubtitleTrack


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """What is in a film; one result."""

    film: Path

    def results(self) -> Iterator[MediaInfo]:
        from tui.media.container import probe

        yield probe(self.film)


@dataclass(frozen=True, slots=True)
class CutRequest:
    """Sound and pictures of spans, as in ``media.cutting.cut``; a result for each."""

    film: Path
    spans: Sequence[Span]
    language: str = ""
    track: int = 0
    pictures: bool = True

    def results(self) -> Iterator[Cutting]:
        from tui.media.cutting import cut

        return cut(self.film, self.spans, language=self.language, track=self.track, pictures=self.pictures)


@dataclass(frozen=True, slots=True)
class WaveformRequest:
    """The peaks of a span, as in ``media.waveform.peaks``; one result."""

    film: Path
    span: Span
    language: str = ""
    track: int = 0

    def results(self) -> Iterator[bytes]:
        from tui.media.sound import measure_peaks

        yield measure_peaks(self.film, self.span, language=self.language, track=self.track)


@dataclass(frozen=True, slots=True)
class SubtitlesRequest:
    """The subtitles inside a film, as in ``media.subtitles.text_subtitles``.

    Results are the shares that are read, at last each track with its text.
    """

    film: Path
    numbers: Sequence[int] = ()

    def results(self) -> Iterator[float | tuple[SubtitleTrack, str]]:
        from tui.media.subtitles import read_text_subtitles

        return read_text_subtitles(self.film, self.numbers)


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """The speech of a film that is to be written, as in ``media.speech.write_speech``.

    Results are the shares that are done, at last the track and its milliseconds.
    """

    film: Path
    spans: Sequence[Span]
    out: Path
    language: str
    track: int

    def results(self) -> Iterator[float | tuple[AudioTrack, int]]:
        from tui.media.sound import write_speech

        return write_speech(self.film, self.spans, self.out, language=self.language, track=self.track)
