"""Players of sound: the first of those that this machine has plays a part of a film, or a recording."""

import os
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tui.errors import MediaError
from tui.system.child_process import Child
from tui.system.temporary import TemporaryDirectory, make_in_thread
from tui.text.sanitize import last_line, one_line

GET_MPV = "install mpv (mpv.io, or your system's package mpv)"
_SOX_PATTERN = re.compile(r"([\\*?\[\]{}~])")

_NAME_BYTES = 22
"""Length of the name of a temporary directory, and what goes before it."""

Span = tuple[int, int]
"""Start and end in milliseconds."""


@dataclass(frozen=True, slots=True)
class Film:
    """A film or recording that is heard; ``track`` counts its tracks of sound from 1, 0 for the one in ``language``.

    ``language`` is a BCP 47 tag or "". Only mpv goes by it: the others play the track that they take for the best.
    """

    path: Path
    track: int = 0
    language: str = ""


def choose_mpv_track(film: Film) -> list[str]:
    """The option of mpv that chooses the track of sound."""
    if film.track:
        return [f"--aid={film.track}"]
    return [f"--alang={film.language}"] if film.language else []


def _mpv(film: Film, span: Span | None) -> list[str]:
    """Options of mpv's manual; whatever people have set for films, here one thing is heard once."""
    quiet = ["--no-video", "--msg-level=all=error", "--no-resume-playback", "--no-save-position-on-quit"]
    once = ["--loop-file=no", "--loop-playlist=no", "--keep-open=no", "--idle=no", "--force-window=no", "--pause=no"]
    part = [] if span is None else [f"--start={write_seconds(span[0])}", f"--end={write_seconds(span[1])}"]
    return ["mpv", *quiet, *once, *choose_mpv_track(film), *part, "--", _name(film)]


def _ffplay(film: Film, span: Span | None) -> list[str]:
    part = [] if span is None else ["-ss", write_seconds(span[0]), "-t", write_seconds(span[1] - span[0])]
    chosen = ["-ast", f"a:{film.track - 1}"] if film.track else []
    return ["ffplay", "-nodisp", "-vn", "-autoexit", "-loglevel", "error", *chosen, *part, "-i", _name(film)]


def _play(film: Film, span: Span | None) -> list[str]:
    """SoX, which takes the name of a file for a pattern, and knows recordings only."""
    part = [] if span is None else ["trim", write_seconds(span[0]), write_seconds(span[1] - span[0])]
    return ["play", "-q", _SOX_PATTERN.sub(r"\\\1", _name(film)), *part]


def _name(film: Film) -> str:
    """The name of a film on a command line: an absolute one is no option and no address for any player."""
    return str(film.path.absolute())


_PLAYERS: Sequence[Callable[[Film, Span | None], list[str]]] = (_mpv, _ffplay, _play)
"""Command lines, that of the best program first."""


def write_seconds(milliseconds: int) -> str:
    """Format a time as players read it, with a point in every locale: "83.250"."""
    return f"{max(0, milliseconds) / 1000:.3f}"


async def play_span(film: Film, start_ms: int, end_ms: int) -> None:
    """Play a span of a film's or recording's sound to its end; cancelling stops it.

    Raises ``MediaError``: ``no_player`` where this machine has none, ``player_failed`` where it could not play that.
    """
    await _play_film(film, (start_ms, end_ms))


async def play_bytes(sound: bytes) -> None:
    """Play an MP3 to its end; cancelling stops it. It lies in a private file meanwhile. Raises as ``play_span``."""
    async with make_private_directory() as place:
        file = place / "sound.mp3"
        try:
            file.write_bytes(sound)
        except OSError as error:
            raise _no_room(error) from error
        await _play_film(Film(file), None)


@asynccontextmanager
async def make_private_directory(most_bytes: int | None = None) -> AsyncIterator[Path]:
    """A temporary directory that only this user may enter, its path no longer than that where it can be.

    Raises ``MediaError`` where none can be made.
    """
    place = Path(tempfile.gettempdir())
    if most_bytes is not None and len(os.fsencode(place)) + _NAME_BYTES > most_bytes:
        place = Path("/tmp")
    try:
        made = await make_in_thread(lambda: TemporaryDirectory(place))
    except OSError as error:
        raise _no_room(error) from error
    try:
        yield made.path
    finally:
        made.remove()


def _no_room(error: OSError) -> MediaError:
    return MediaError(
        f"nothing can be written to the temporary directory: {error.strerror}",
        hint="make room there, or let TMPDIR name another one",
        code="no_temporary_directory",
    )


async def _play_film(film: Film, span: Span | None) -> None:
    command = next((line for each in _PLAYERS if shutil.which((line := each(film, span))[0])), None)
    if command is None:
        raise MediaError("no player of sound was found here", hint=GET_MPV, code="no_player")
    called = f"{command[0]} could not play {one_line(film.path.name)}"
    try:
        child = await Child.start(*command)
    except (OSError, ValueError) as error:  # it went in between, or the name has a zero byte
        raise MediaError(f"{called}: {error}", hint=GET_MPV, code="player_failed") from error
    try:
        status = await child.wait()
    finally:
        await child.end()
    if status:
        told = last_line(child.tail) or (f"signal {-status}" if status < 0 else f"exit status {status}")
        raise MediaError(f"{called}: {told}", hint=_hint(command[0]), code="player_failed")


def _hint(program: str) -> str:
    if os.environ.get("SSH_CONNECTION"):
        return "over SSH the sound is that of the machine where Lode runs, which may have none"
    return GET_MPV if program != "mpv" else ""
