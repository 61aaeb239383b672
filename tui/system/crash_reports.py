"""Reports of defects of Lode, as files in the data directory that can be sent to its developers.

A report says what broke and where: types of exceptions, modules, lines and functions, versions. It holds nothing of
the library or of its user: no message of an exception, no local value and no path, all of which may quote a sentence,
a prompt or a key.
"""

import platform
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from tui import __version__

DIRECTORY = "reports"
_MAX_REPORTS = 20
_MAX_FRAMES = 60
"""Of one exception; what recurses has thousands, and its ends tell all."""
_MAX_CHAINED = 10


def write(home: Path, error: BaseException, context: Sequence[str] = ()) -> Path | None:
    """Write a report below ``home``, deleting the oldest beyond twenty; None where it can't be written.

    ``context`` says what was being done, in words of the program only.
    """
    now = datetime.now(UTC)
    python = f"Python {platform.python_version()} · {sys.platform}"
    head = f"{now:%Y-%m-%d %H:%M:%S} UTC", f"Lode {__version__} · Textual {_version('textual')} · {python}"
    text = "\n".join((*head, *context, "", *describe(error), ""))
    directory = home / DIRECTORY
    path = directory / f"{now:%Y-%m-%dT%H-%M-%S.%f}Z.txt"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        for old in list_reports(home)[:-_MAX_REPORTS]:
            old.unlink(missing_ok=True)
    except OSError:
        return None
    return path


def list_reports(home: Path) -> list[Path]:
    """The reports that are there, the oldest first. Raises ``OSError`` where the directory can't be read."""
    directory = home / DIRECTORY
    return sorted(directory.glob("*.txt")) if directory.is_dir() else []


def describe(error: BaseException) -> Iterator[str]:
    """The exception and those behind it, the cause first, as a traceback without messages and source text."""
    chain: list[BaseException] = []
    behind: BaseException | None = error
    while behind is not None and behind not in chain and len(chain) < _MAX_CHAINED:
        chain.append(behind)
        behind = behind.__cause__ or (None if behind.__suppress_context__ else behind.__context__)
    for one in reversed(chain):
        yield from _frames(one.__traceback__)
        yield f"{type(one).__module__}.{type(one).__qualname__}"
        if isinstance(one, BaseExceptionGroup):
            for number, inner in enumerate(one.exceptions[:_MAX_CHAINED], 1):
                yield f"  of which {number}:"
                yield from (f"    {line}" for line in describe(inner))


def _frames(traceback: TracebackType | None) -> list[str]:
    lines = []
    while traceback is not None:
        frame = traceback.tb_frame
        # The module's name, not the file's: a path tells who installed Lode where.
        module = frame.f_globals.get("__name__", "?")
        lines.append(f"  {module}:{traceback.tb_lineno} in {frame.f_code.co_qualname}")
        traceback = traceback.tb_next
    if len(lines) > _MAX_FRAMES:
        half = _MAX_FRAMES // 2
        lines[half:-half] = [f"  … {len(lines) - 2 * half} more …"]
    return lines


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # imports thirty modules: not before the first frame

    try:
        return version(package)
    except PackageNotFoundError:
        return "?"
