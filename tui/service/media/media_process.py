"""Process that reads films: functions of ``tui/media`` are called there; and the errors of what is no film.

What is in films is never trusted, so it has limits of memory and time, and dies alone. It answers each result as it
comes, then the end or an error. It stays for the next call, and ends when none comes for a while.
"""

import asyncio
import os
import signal
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from tui import bounds
from tui.errors import LodeError, MediaError
from tui.system.python_process import PythonProcess, serve_requests
from tui.text.sanitize import one_line

_IDLE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the process: bytes of all its addresses, seconds of a processor for a request, and its niceness."""

    bytes: int
    seconds: int
    niceness: int = 0


READING = Limits(bounds.FILM.entry_bytes, round(bounds.FILM.seconds))
"""Of what reads films: one of 4K takes as many addresses; decoding the sound of ten hours takes some minutes."""
HEARING = Limits(bounds.HEARD_FILM.entry_bytes, round(bounds.HEARD_FILM.seconds), niceness=10)
"""Of what listens to them for hours, and has to leave the processor to whoever reads meanwhile."""

P = ParamSpec("P")
T = TypeVar("T")
Request = tuple[Callable[..., Any], Path, tuple[Any, ...], dict[str, Any], Limits]
"""A function, the film that is its first argument, the others, and the limits of the process."""


class _End:
    """Follows the last result."""


class MediaProcess:
    """A process that reads films, started when it is first needed and anew when it has ended; a call at a time."""

    def __init__(self, limits: Limits = READING) -> None:
        self._limits = limits
        self._process: PythonProcess | None = None
        self._lock = threading.Lock()

    def result(self, work: Callable[Concatenate[Path, P], T], film: Path, *args: P.args, **named: P.kwargs) -> T:
        """The result of a function, called there. Blocks; raises ``MediaError`` as ``results`` does."""
        found: T
        (found,) = self._results((work, film, args, named, self._limits))
        return found

    def results(
        self, work: Callable[Concatenate[Path, P], Iterator[T]], film: Path, *args: P.args, **named: P.kwargs
    ) -> Iterator[T]:
        """Iterate over the results of a generator there; closing the iterator ends it. Blocks; raises ``MediaError``.

        Its code is ``media_crashed`` where the film was too much for the process, or it was ended, ``media_too_slow``
        where it took too long, ``media_too_large`` where memory did not suffice.
        """
        return self._results((work, film, args, named, self._limits))

    def _results(self, request: Request) -> Iterator[Any]:
        with self._lock:
            is_done = False
            try:
                process = self._ask(request)
                while not isinstance(answer := _read_answer(process, request), _End):
                    if isinstance(answer, LodeError):
                        is_done = True
                        raise answer
                    yield answer
                is_done = True
            finally:
                if not is_done:  # what it goes on sending is nobody's
                    self.end()

    def _ask(self, request: Request) -> PythonProcess:
        """Hand the request over and give the process; one that was idle may just have ended, and is replaced."""
        if self._process is not None:
            with suppress(OSError):
                return _hand_over(self._process, request)
            self.end()
        try:
            self._process = PythonProcess(__name__)
            return _hand_over(self._process, request)
        except OSError as error:
            raise MediaError(f"no process could be started for {request[1].name}", code="media_crashed") from error

    def end(self) -> None:
        """End the process, whatever it is at, from any thread. Blocks for a moment."""
        process, self._process = self._process, None
        if process is not None:
            process.end()


@asynccontextmanager
async def media_process(limits: Limits = READING) -> AsyncGenerator[MediaProcess, None]:
    """A process for a block, with which it ends, whatever it is at."""
    process = MediaProcess(limits)
    try:
        yield process
    finally:
        await asyncio.shield(asyncio.to_thread(process.end))


def _hand_over(process: PythonProcess, request: Request) -> PythonProcess:
    process.send(request)
    process.read()  # that it has come
    return process


def _read_answer(process: PythonProcess, request: Request) -> Any:
    try:
        return process.read()
    except OSError as error:
        is_slow = process.popen.wait() == -getattr(signal, "SIGXCPU", 0)
        raise MediaError(
            f"{request[1].name} could not be read: the process that reads it "
            + ("took too long" if is_slow else "ended"),
            hint="play it: if that works, convert it to .mkv, .mp4 or .mp3",
            code="media_too_slow" if is_slow else "media_crashed",
        ) from error


def serve() -> None:
    """Answer the requests on standard input until its end; the work of the process."""
    for request, answer in serve_requests(_IDLE_SECONDS):
        _take_on(request[-1])
        answer(None)
        _answer(request, answer)


def _take_on(limits: Limits) -> None:
    """Take on the limits for the next request, as far as the system has such."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (limits.bytes, limits.bytes))
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (round(time.process_time()) + limits.seconds, hard))
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, 0, limits.niceness)


def _answer(request: Request, answer: Callable[[object], None]) -> None:
    work, film, args, named, _ = request
    try:
        found = work(film, *args, **named)
        for result in found if isinstance(found, Iterator) else (found,):
            answer(result)
        answer(_End())
    except LodeError as error:
        answer(error)
    except MemoryError:
        answer(MediaError(f"{film.name} takes more memory than a film may", code="media_too_large"))


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
