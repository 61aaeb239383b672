"""Run of a program that speaks: within a time, into a file of a bounded size, its failures in plain words."""

from __future__ import annotations

import shutil
from pathlib import Path

from tui import bounds
from tui.errors import MediaError
from tui.system.child_process import Ended, run
from tui.text.sanitize import last_line, one_line

SECONDS = bounds.VOICE.seconds
"""Seconds for a sentence; loading a large model takes some of them."""
_MAX_PRINTED = bounds.PRINTED_BY_VOICE.bytes_in
_MAX_SOUND = bounds.VOICE.bytes_in
"""Bytes of a file of sound: ten minutes of what no program writes finer."""


def is_installed(program: str) -> bool:
    return shutil.which(program) is not None


async def run_program(program: str, *arguments: str, text: str = "", install: str) -> Ended:
    """Run a program with the text on its standard input; how it ended is for the caller.

    ``install`` says how to get it. Raises ``MediaError``: ``voice_missing`` where it is not installed, and
    ``voice_failed`` where it takes too long.
    """
    path = shutil.which(program)
    if path is None:
        raise MediaError(f"{program} is not installed", hint=install, code="voice_missing")
    try:
        return await run(
            (path, *arguments),
            stdin=f"{text}\n".encode("utf-8", "replace") if text else b"",
            seconds=SECONDS,
            most_bytes=_MAX_PRINTED,
            most_file_bytes=_MAX_SOUND,
        )
    except TimeoutError:
        raise voice_error(program, f"took longer than {SECONDS:g} s") from None
    except OSError as error:
        raise MediaError(
            f"{program} cannot be started: {one_line(error.strerror or str(error))}", hint=install, code="voice_missing"
        ) from error


def check_end(program: str, ended: Ended, file: Path) -> Path:
    """The file that a program has written; raises ``MediaError``, ``voice_failed``, where it failed or wrote none."""
    if ended.returncode:
        how = f"was ended by signal {-ended.returncode}" if ended.returncode < 0 else f"failed ({ended.returncode})"
        said = last_line(ended.errors)
        raise voice_error(program, f"{how}: {said}" if said else how)
    if not file.is_file():
        raise voice_error(program, "wrote no sound")
    return file


def voice_error(program: str, what: str, *, hint: str = "") -> MediaError:
    return MediaError(f"{program} {what}", hint=hint or "try it in a shell", code="voice_failed")
