"""Addresses among the paths to import: an article, a subtitle, an archive, or the subtitles of a video."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import ImportRefused

if TYPE_CHECKING:
    from tui.importing.web.download import Download

_SCHEMES = ("http://", "https://")


def is_address(path: str | Path) -> bool:
    """Whether what was given as a path is an address; no other scheme than HTTP's is one."""
    return isinstance(path, str) and path.strip().lower().startswith(_SCHEMES)


async def fetch(
    address: str, languages: Sequence[str], tell: Callable[[str], None] = lambda done: None
) -> tuple[Download, ...]:
    """Fetch what is at the address, which on the page of a video is its subtitles in these languages.

    Raises ``ImportRefused``, which names the address, where there is nothing to import.
    """
    from tui.importing.web.download import download
    from tui.importing.web.video import is_video_host, video_subtitles

    address = address.strip()
    if is_video_host(address):
        return await video_subtitles(address, languages, tell)
    found = await download(address, tell)
    if found.is_video:
        try:
            return await video_subtitles(address, languages, tell)
        except ImportRefused as error:
            if error.code != "yt_dlp_failed":
                raise
    return (found,)
