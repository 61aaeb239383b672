"""Addresses among what is added: fetched in the process of whoever named them, which no server ever is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tui.records.files import ProfileFile
from tui.service.protocol.records import AddProgress, Records

if TYPE_CHECKING:
    from tui.importing.web import Download

_LOOKED_AT = 1000
"""Newest files of the profile whose languages are those that somebody learns."""


async def fetched(
    paths: Sequence[str | Path], files: Records[ProfileFile], language: str | None, tell: Callable[[str], None] | None
) -> list[tuple[str, Download]]:
    """What is at the addresses among the paths, each with its address.

    Subtitles of a video are those in the language or, without one, in the languages of the profile's files. Raises
    ``ImportRefused`` where one of the addresses has nothing to import.
    """
    from tui.importing.web import fetch, is_address

    addresses = [str(path) for path in paths if is_address(path)]
    if not addresses:
        return []
    languages = [language] if language else await _languages(files)
    return [
        (address, file)
        for address in addresses
        for file in await fetch(address, languages, tell or (lambda done: None))
    ]


def searching(on_progress: AddProgress | None) -> Callable[[str], None] | None:
    """Callback with a folder that is searched or an address that is fetched, of one for the progress of ``add``."""
    return None if on_progress is None else lambda place: on_progress(place, 0, 0)


async def _languages(files: Records[ProfileFile]) -> list[str]:
    page = await files.page(limit=_LOOKED_AT)
    return list(dict.fromkeys(file.language for file in page.items if file.language))
