"""Everything that the command writes: data to standard output, the rest to standard error.

Text is made safe for a terminal here (``tui.text.sanitize``); JSON keeps it exactly, with everything that a terminal
would obey written as ``\\uXXXX``. All of it works without a terminal, with a closed stream, and with a full disk
behind it.
"""

from __future__ import annotations

import io
import os
import re
import sys
import time
from collections.abc import AsyncIterable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from tui.errors import LodeError
from tui.text.sanitize import one_line, without_controls

if TYPE_CHECKING:
    from tui.cli.output.pager import Pager

_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Characters that ``json.dumps`` leaves as they are although a terminal or a line-wise reader would act on them."""
_STATUS_SECONDS = 0.1
_open_pager: list[Pager] = []
"""The pager that takes what is written, at most one."""
_HINTS = dict.fromkeys(("target_exists", "not_a_deck"), "name another file, or replace it with --force")
"""Code of an error → next step on the command line."""


class OutputError(LodeError):
    """Standard output cannot be written."""

    code = "output_error"


class ReaderGone(Exception):
    """Whoever read our standard output stopped, as ``head`` does."""


def prepare() -> None:
    """Make both streams take every text; raises ``OutputError`` when there is no standard output."""
    if sys.stdout is None:
        # Going on could let the database get the free descriptor 1, and what is printed would land in it.
        raise OutputError("standard output is closed", hint="send it to /dev/null if it is not wanted")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def release() -> bool:
    """Flush both streams for good; False when that failed for standard output.

    What is stuck in one is dropped, not complained about: Python would end with an exit code of its own for that.
    """
    _release(sys.stderr)
    return _release(sys.stdout)


def _release(stream: TextIO | None) -> bool:
    if stream is None:
        return True
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):  # ValueError: io.UnsupportedOperation, no descriptor behind it
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
        return False
    return True


def is_terminal() -> bool:
    """Whether a person reads standard output."""
    return sys.stdout.isatty()


def asks() -> bool:
    """Whether a person can be asked: they see standard error and type on standard input."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty()


def can_write(text: str) -> bool:
    """Whether the encoding of standard output has these characters."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def width() -> int:
    """The columns of the terminal, at least 20."""
    import shutil

    return max(20, shutil.get_terminal_size().columns)


def flush() -> None:
    _write("", flush=True)


def put(text: str = "", *, end: str = "\n", flush: bool = False) -> None:
    """Text for people, its line ends kept. Raises ``ReaderGone`` and ``OutputError``, as all of these do."""
    _write(without_controls(text) + end, flush=flush)


def put_styled(text: str) -> None:
    """Text of Lode's own with styles of a terminal."""
    _write(text)


@contextmanager
def paged(wanted: bool) -> Iterator[None]:
    """Let a terminal have all that is written here through its pager, where it is longer than the screen.

    To leave the pager is to have read enough: it ends the block, and nothing else.
    """
    if not (wanted and is_terminal()):
        yield
        return
    import shutil

    from tui.cli.output.pager import Pager, find_pager

    command = find_pager(os.environ)
    if not command:
        yield
        return
    pager = Pager(command, shutil.get_terminal_size().lines)
    _open_pager.append(pager)
    try:
        yield
    except ReaderGone:
        if not pager.has_begun:
            raise
    except (KeyboardInterrupt, SystemExit):
        pager.end()
        raise
    finally:
        _open_pager.remove(pager)
        try:
            with _writing():
                pager.close()
        except (KeyboardInterrupt, SystemExit):  # while it waits for the reader
            pager.end()
            raise


def put_bytes(data: bytes) -> None:
    """Data exactly as it is, whatever encoding the terminal is in; its controls have been taken out before."""
    with _writing():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def _write(text: str, *, flush: bool = False) -> None:
    with _writing():
        if _open_pager:
            _open_pager[0].write(text)
            return
        sys.stdout.write(text)
        if flush:
            sys.stdout.flush()


@contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise OutputError(
            f"standard output cannot be written: {cause}", hint="free some space, or send it elsewhere"
        ) from error


def to_text(value: Any, *, indent: int | None = None) -> str:
    """The JSON text of records and plain values: exact, in one line unless indented, and without anything that a
    terminal obeys.
    """
    import json

    from tui.records.pages import to_json

    latin = "utf" not in (getattr(sys.stdout, "encoding", "") or "utf-8").lower()
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(value, ensure_ascii=latin, indent=indent, separators=separators, default=to_json)
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def put_json(value: Any) -> None:
    """One JSON value: indented for people, in one line for programs."""
    _write(to_text(value, indent=2 if is_terminal() else None) + "\n")


def put_answer(answer: Any, told: str, *, as_json: bool) -> None:
    """Write the answer of a command: a record as JSON, or the lines that people are shown of it."""
    put_record(answer, lambda _: put(told), as_json=as_json)


def put_record(record: Any, put_shown: Callable[[Any], None], *, as_json: bool) -> None:
    """Write a record as JSON, or as ``put_shown`` shows it to people."""
    if as_json:
        put_json(record)
    else:
        put_shown(record)


def put_event(event: Any) -> None:
    """One JSON object in one line, at once."""
    _write(to_text(event) + "\n", flush=True)


def put_line_of_json(value: Any) -> None:
    """One JSON value in one line, as one of many."""
    _write(to_text(value) + "\n")


async def put_json_array(items: AsyncIterable[Any], *, head: Any = None, key: str = "") -> None:
    """A JSON array, written element by element as they come; with ``head`` it is that object's last member ``key``."""
    indent = 2 if is_terminal() else None
    inner, outer = ("\n" + "  " * (2 if head else 1), "\n" + "  " * (1 if head else 0)) if indent else ("\n", "\n")
    if head:
        opening = to_text(head, indent=indent).removesuffix("}").rstrip()
        _write(f"{opening},{outer if indent else ''}{to_text(key)}:{' ' if indent else ''}")
    _write("[")
    empty = True
    async for item in items:
        _write(("" if empty else ",") + inner + to_text(item, indent=indent).replace("\n", inner))
        empty = False
    _write(("" if empty else outer) + "]" + ("\n}" if head and indent else "}" if head else "") + "\n")


def tell(text: str) -> None:
    """A line about what happens, on standard error; a stream that can't be written is no reason to stop."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            sys.stderr.write(without_controls(text).rstrip("\n") + "\n")
            sys.stderr.flush()


def tell_error(message: str, hint: str = "") -> None:
    tell("error: " + one_line(message))
    if hint:
        tell("hint: " + one_line(hint))


def fail(error: LodeError) -> None:
    """Say what went wrong, after what was already printed."""
    with suppress(ReaderGone, OutputError):
        if sys.stdout is not None:
            flush()
    tell_error(error.message, hint_of(error))


def hint_of(error: LodeError) -> str:
    """The next step after an error, with the command's option where the app would ask."""
    return _HINTS.get(error.code, error.hint)


class StatusLine:
    """One line of standard error that comes and goes, on a terminal only; ``clear`` it before anything is printed.

    As a context it is cleared at the end, whatever happens.
    """

    def __init__(self) -> None:
        self._shown = False
        self._next = 0.0
        self._works = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, text: str, *, now: bool = False) -> None:
        """Show the text, at most ten times a second unless it must be ``now``."""
        if not self._works or (time.monotonic() < self._next and not now):
            return
        if _open_pager and _open_pager[0].has_begun:
            return  # the screen is the pager's
        from tui.text.cells import cut

        self._next = time.monotonic() + _STATUS_SECONDS
        self._shown = True
        with suppress(OSError):
            sys.stderr.write("\r\x1b[2K" + cut(one_line(text), width() - 1))
            sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            self._shown = False
            with suppress(OSError):
                sys.stderr.write("\r\x1b[2K")
                sys.stderr.flush()
