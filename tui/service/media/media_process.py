"""Process that reads films, and its requests: what of ``tui/media`` is to be done there, and the errors of it.

What is in films is never trusted, so it has limits of memory and time, and dies alone. It answers each result as it
comes, then the end or an error. It stays for the next request, and ends when none comes for a while.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tui import bounds
from tui.errors import LodeError, MediaError
from tui.records.media import AudioTrack, Cutting, MediaInfo, Span, SubtitleTrack
from tui.system.python_process import PythonProcess, serve_requests
from tui.text.sanitize import one_line

_MAX_BYTES = bounds.FILM.entry_bytes
"""Addresses that the process may have: a film of 4K takes one of them, of which little is memory."""
_MAX_SECONDS = round(bounds.FILM.seconds)
"""Seconds of a processor for a request: decoding the sound of ten hours takes some minutes."""
_IDLE_SECONDS = 60.0

T_co = TypeVar("T_co", covariant=True)


class MediaRequest(Protocol[T_co]):
    """A request, which is done in the process: ``results`` are sent one by one."""

    @property
    def film(self) -> Path: ...

    def results(self) -> Iterator[T_co]: ...


class _End:
    """Follows the last result."""


class MediaProcess:
    """A process that reads films, started when it is first needed and anew when it has ended; a request at a time."""

    def __init__(self) -> None:
        self._process: PythonProcess | None = None
        self._lock = threading.Lock()

    def results(self, request: MediaRequest[T_co]) -> Iterator[T_co]:
        """Iterate over the results of a request; closing the iterator ends the work. Blocks; raises ``MediaError``.

        Its code is ``media_crashed`` where the film was too much for the process, or it was ended, ``media_too_slow``
        where it took too long, ``media_too_large`` where memory did not suffice.
        """
        with self._lock:
            is_done = False
            try:
                process = self._ask(request)
                while not isinstance(answer := self._answer(process, request), _End):
                    if isinstance(answer, LodeError):
                        is_done = True
                        raise answer
                    yield answer
                is_done = True
            finally:
                if not is_done:  # what it goes on sending is nobody's
                    self.end()

    def _ask(self, request: MediaRequest[Any]) -> PythonProcess:
        """Hand the request over and give the process; one that was idle may just have ended, and is replaced."""
        if self._process is not None:
            with suppress(OSError):
                return _hand_over(self._process, request)
            self.end()
        try:
            self._process = PythonProcess(__name__)
            return _hand_over(self._process, request)
        except OSError as error:
            raise MediaError(f"no process could be started for {request.film.name}", code="media_crashed") from error

    @staticmethod
    def _answer(process: PythonProcess, request: MediaRequest[Any]) -> Any:
        try:
            return process.read()
        except OSError as error:
            is_slow = process.popen.wait() == -getattr(signal, "SIGXCPU", 0)
            raise MediaError(
                f"{request.film.name} could not be read: the process that reads it "
                + ("took too long" if is_slow else "ended"),
                hint="play it: if that works, convert it to .mkv, .mp4 or .mp3",
                code="media_too_slow" if is_slow else "media_crashed",
            ) from error

    def end(self) -> None:
        """End the process, whatever it is at, from any thread. Blocks for a moment."""
        process, self._process = self._process, None
        if process is not None:
            process.end()


def _hand_over(process: PythonProcess, request: MediaRequest[Any]) -> PythonProcess:
    process.send(request)
    process.read()  # that it has come
    return process


def serve() -> None:
    """Answer the requests on standard input until its end; the work of the process."""
    _limit_memory()
    for request, answer in serve_requests(_IDLE_SECONDS):
        _limit_time()
        answer(None)
        _answer(request, answer)


def _answer(request: MediaRequest[object], answer: Callable[[object], None]) -> None:
    try:
        for result in request.results():
            answer(result)
        answer(_End())
    except LodeError as error:
        answer(error)
    except MemoryError:
        answer(MediaError(f"{request.film.name} takes more memory than a film may", code="media_too_large"))


def _limit_memory() -> None:
    """Take on the limit of memory, where the system has such."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time() -> None:
    """Take on the limit of time for the next request."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (round(time.process_time()) + _MAX_SECONDS, hard))


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
    """The measure_peaks of a span, as in ``media.waveform.peaks``; one result."""

    film: Path
    span: Span
    language: str = ""
    track: int = 0

    def results(self) -> Iterator[bytes]:
        from tui.media.sound import measure_peaks

        yield measure_peaks(self.film, self.span, language=self.language, track=self.track)


@dataclass(frozen=True, slots=True)
class SubtitlesRequest:
    """The subtitles inside a film, as in ``media.container.read_text_subtitles``.

    Results are the shares that are read, at last each track with its text.
    """

    film: Path
    numbers: Sequence[int] = ()

    def results(self) -> Iterator[float | tuple[SubtitleTrack, str]]:
        from tui.media.container import read_text_subtitles

        return read_text_subtitles(self.film, self.numbers)


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """The speech of a film that is to be written, as in ``media.sound.write_speech``.

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


_MAX_TITLE = 80


def no_media(title: str) -> MediaError:
    """The error of a transcript without a film."""
    return MediaError(
        f"{one_line(title)[:_MAX_TITLE]} has no film or recording",
        hint="name it: lode files link TRANSCRIPT FILM",
        code="no_media",
    )


def no_times(title: str = "a text") -> MediaError:
    """The error of a transcript without times, "a text" where it has no title."""
    return MediaError(
        f"{one_line(title)[:_MAX_TITLE]} has no times: nobody knows where its sentences are spoken",
        hint="take a transcript of subtitles",
        code="no_times",
    )
