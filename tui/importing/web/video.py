"""Subtitles of videos by their addresses, with yt-dlp where that is installed (https://github.com/yt-dlp/yt-dlp).

It runs as a process of its own that is stopped after a time. What people made is taken first, else what was recognised
of the language that is spoken; captions that a machine translated are none to learn from.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from tui import bounds
from tui.errors import ImportRefused
from tui.importing.web.download import Download, shown_address
from tui.language.tags import base_language
from tui.system import regular_file
from tui.system.net import host_of
from tui.text.sanitize import one_line

_HOSTS = (
    *("youtube.com", "youtu.be", "youtube-nocookie.com", "vimeo.com", "dailymotion.com", "ted.com", "bilibili.com"),
    *("nicovideo.jp", "arte.tv", "zdf.de", "ardmediathek.de", "rtve.es", "france.tv", "raiplay.it", "svtplay.se"),
    *("tv.nrk.no", "npo.nl", "viki.com", "rutube.ru", "tiktok.com", "twitch.tv"),
)
"""Hosts whose pages are videos; other pages say themselves whether they are one."""
_SECONDS = bounds.VIDEO_SUBTITLES.seconds
_MOST_OUTPUT = 100_000
_MOST_FILES = bounds.VIDEO_SUBTITLES.entries
"""More subtitles of one video than anyone learns from: a language has to be named."""
_OPTIONS = (
    *("--ignore-config", "--no-cache-dir", "--no-exec", "--no-warnings", "--no-progress", "--no-playlist"),
    *("--socket-timeout", "20", "--retries", "2", "--playlist-end", "1"),
    *("--skip-download", "--convert-subs", "none", "--output", "%(title).120B.%(ext)s"),
)
_HINT = "install it, with: pipx install yt-dlp; or save the subtitles and add the file"


def is_video_host(address: str) -> bool:
    """Whether the pages of the address's host are videos."""
    host = host_of(address)
    return any(host == each or host.endswith(f".{each}") for each in _HOSTS)


def yt_dlp() -> list[str] | None:
    """The command that runs yt-dlp, None where it is not installed."""
    if (program := shutil.which("yt-dlp")) is not None:
        return [program]
    return [sys.executable, "-m", "yt_dlp"] if find_spec("yt_dlp") is not None else None


async def video_subtitles(
    address: str, languages: Sequence[str], tell: Callable[[str], None] = lambda done: None
) -> tuple[Download, ...]:
    """Fetch the subtitles of a video in these languages, in all that it has where none is named.

    Raises ``ImportRefused`` where yt-dlp is missing, fails or finds none.
    """
    shown = shown_address(address)
    program = yt_dlp()
    if program is None:
        raise ImportRefused(f"the subtitles of {shown} need yt-dlp, which is not installed", hint=_HINT)
    wanted = list(dict.fromkeys(base_language(each) for each in languages))
    made = ",".join(f"{each},{each}-[A-Za-z]+" for each in wanted) or "all,-live_chat"
    heard = ",".join(f"{each}-orig" for each in wanted) or ".*-orig"
    tell(shown)
    # It goes with all that is in it, however this ends.
    with tempfile.TemporaryDirectory(prefix="lode-") as place:
        for options in (("--write-subs", "--sub-langs", made), ("--write-auto-subs", "--sub-langs", heard)):
            await _run([*program, *_OPTIONS, *options, "--", address], place, shown)
            if found := await asyncio.to_thread(_found, Path(place), shown):
                return found
    named = f" in {', '.join(wanted)}" if wanted else ""
    raise ImportRefused(
        f"{shown} has no subtitles{named}", hint="name another language with --language, or add a subtitle file"
    )


async def _run(command: Sequence[str], place: str, shown: str) -> None:
    """Run yt-dlp in the directory; raises ``ImportRefused`` with the last line that it wrote where it fails."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=place,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    said = b""
    try:
        async with asyncio.timeout(_SECONDS):
            while process.stderr is not None and (piece := await process.stderr.read(4096)):
                said = (said + piece)[-_MOST_OUTPUT:]
            code = await process.wait()
    except TimeoutError as error:
        raise ImportRefused(
            f"yt-dlp did not get the subtitles of {shown} within {_SECONDS:g} seconds", hint="try it again"
        ) from error
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                _end(process)
            await process.wait()
    if code != 0:
        lines = [line for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
        reason = re.sub(r"^ERROR: ", "", one_line(lines[-1])) if lines else f"it ended with {code}"
        raise ImportRefused(
            f"yt-dlp cannot read {shown}: {reason[:300]}",
            hint="update it: sites change often; or save the subtitles and add the file",
            code="yt_dlp_failed",
        )


def _end(process: asyncio.subprocess.Process) -> None:
    """Kill it with those that it has started."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _found(place: Path, shown: str) -> tuple[Download, ...]:
    from tui.importing.parse import MAX_BYTES

    paths = sorted(path for path in place.iterdir() if path.is_file() and not path.is_symlink())
    if len(paths) > _MOST_FILES:
        languages = [path.suffixes[-2][1:] for path in paths if len(path.suffixes) > 1]
        raise ImportRefused(
            f"{shown} has subtitles in {len(paths)} languages ({', '.join(languages)[:200]})",
            hint="name the one to import with --language",
        )
    try:
        return tuple(Download(path.name, regular_file.read(path, MAX_BYTES)) for path in paths)
    except OSError as error:
        raise ImportRefused(
            f"the subtitles of {shown} cannot be read: {error.strerror or error}", hint="try it again"
        ) from error
