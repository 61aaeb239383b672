"""Subtitles in and beside films, and the sources of an import: files, addresses, and those in the place of films.

Addresses are fetched in the process of whoever named them, which no server ever is.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tui.errors import ImportRefused, MediaError
from tui.importing.formats import TIMED_ENDINGS, is_taken
from tui.language.tags import base_language
from tui.media.container import is_installed, probe, read_text_subtitles
from tui.media.films import find_film, find_subtitles, is_film, make_subtitle_name, may_have_subtitles
from tui.records.files import ProfileFile
from tui.records.settings import SavedSettings
from tui.service.media.media_process import MediaProcess, media_process
from tui.service.protocol.records import AddProgress, Records
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.importing.web import Download

_THREAD = "films"
"""Name of a thread that nothing waits for: a network that is gone holds whoever looks at its files."""


@dataclass(frozen=True, slots=True)
class FilmSubtitle:
    """A track of subtitles inside a film, as a file; ``language`` is None where the film does not say it."""

    film: Path
    name: str
    content: bytes
    language: str | None


_LOOKED_AT = 1000
"""Newest files of the profile whose languages are those that somebody learns."""


async def find_all(
    paths: Sequence[str | Path],
    files: Records[ProfileFile],
    settings: Callable[[], Awaitable[SavedSettings]],
    on_progress: AddProgress | None,
    language: str | None,
) -> tuple[Sequence[Path], list[tuple[str, Download]], list[FilmSubtitle]]:
    """Find what there is to import at these paths: files, what is at addresses, and the subtitles in films.

    Subtitles of a video are those in the language or, without one, in the languages of the profile's files. Raises
    ``ImportRefused`` where a path has nothing to import.
    """
    from tui.importing.sources import find
    from tui.importing.web import fetch, is_address

    def tell(place: str) -> None:
        if on_progress is not None:  # a folder that is searched or an address that is fetched is none of so many files
            on_progress(place, 0, 0)

    paths, inside = await _without_films(paths, settings, tell)
    found = await find([path for path in paths if not is_address(path)], tell)
    addresses = [str(path) for path in paths if is_address(path)]
    languages = [language] if language else []
    if addresses and not languages:
        page = await files.page(limit=_LOOKED_AT)
        languages = list(dict.fromkeys(file.language for file in page.items if file.language))
    fetched = [(address, file) for address in addresses for file in await fetch(address, languages, tell)]
    return found, fetched, inside


async def _without_films(
    paths: Sequence[str | Path], settings: Callable[[], Awaitable[SavedSettings]], tell: Callable[[str], None]
) -> tuple[list[str | Path], list[FilmSubtitle]]:
    """The paths with the subtitles beside films in the place of the films, and the subtitles that are inside them.

    Of a film in a directory that is given they are taken where none lie beside it, and only those in the languages that
    are learned by the ``settings``, where it has any: it may have dozens, and nobody named it. ``tell`` is called with
    each film that is read, which takes seconds for gigabytes. Raises ``ImportRefused`` for a film that was named and
    has no subtitles that are text, or cannot be read.
    """
    others: list[str | Path] = []
    inside: list[FilmSubtitle] = []
    for path in paths:
        place = named_path(path).absolute()
        kind = await in_daemon_thread(partial(_kind, place), name=_THREAD) if str(path).strip() else ""
        if kind == "directory":
            found = await _in_directory(place, settings, tell)
            inside += found
            if not found or await _holds_others(path):
                others.append(path)
        elif kind == "film":
            tell(one_line(str(path)))
            beside = await in_daemon_thread(partial(_beside, place), name=_THREAD)
            async with media_process() as process:
                try:
                    found = await asyncio.to_thread(_read, process, place, (), _share_teller(tell, path))
                except MediaError as error:
                    raise ImportRefused(error.message, hint=error.hint, code=error.code) from error
            if not beside and not found:
                raise ImportRefused(
                    f"{one_line(place.name)} has no subtitles that are text, and none lie beside it",
                    hint="transcribe it: lode transcribe FILM; or add its subtitles and lode files link ID FILM",
                    code="no_subtitles",
                )
            others += beside
            inside += found
        else:
            others.append(path)
    return others, inside


async def _in_directory(
    directory: Path, settings: Callable[[], Awaitable[SavedSettings]], tell: Callable[[str], None]
) -> list[FilmSubtitle]:
    """The subtitles inside the films below a directory; a film that cannot be read keeps back no other."""
    films = await in_daemon_thread(partial(_without_subtitles, directory), name=_THREAD) if is_installed() else []
    if not films:
        return []
    learned = {base_language(each.language) for each in (await settings()).learning}
    found: list[FilmSubtitle] = []
    async with media_process() as process:
        for film in films:
            tell(one_line(str(film)))
            with suppress(MediaError):
                found += await asyncio.to_thread(_learned_tracks, process, film, learned, _share_teller(tell, film))
    return found


def _learned_tracks(
    process: MediaProcess, film: Path, learned: set[str], share: Callable[[float], None]
) -> list[FilmSubtitle]:
    """Blocks; raises ``MediaError``."""
    tracks = [track for track in process.result(probe, film).subtitles if track.is_text]
    tracks = [track for track in tracks if base_language(track.language) in learned] or tracks
    return _read(process, film, [track.number for track in tracks], share) if tracks else []


def _read(
    process: MediaProcess, film: Path, numbers: Sequence[int], share: Callable[[float], None]
) -> list[FilmSubtitle]:
    """Read tracks of a film that have a line, all that are text where none are named. Blocks; raises ``MediaError``."""
    found: list[FilmSubtitle] = []
    for result in process.results(read_text_subtitles, film, numbers):
        if isinstance(result, float):
            share(result)
        elif "\nDialogue:" in result[1]:
            track, text = result
            name = make_subtitle_name(film.name, track.language, track.number)
            found.append(FilmSubtitle(film, name, text.encode(), track.language or None))
    return found


def _kind(path: Path) -> Literal["directory", "film", ""]:
    """Never raises: what is wrong with a path is told where it is imported."""
    if os.path.isdir(path):  # noqa: PTH112
        return "directory"
    return "film" if is_film(path.name) and os.path.isfile(path) else ""  # noqa: PTH113


def _without_subtitles(directory: Path) -> list[Path]:
    """The films below a directory that may have subtitles inside, and none beside them; hidden ones are passed over."""
    found = []
    for folder, folders, names in os.walk(directory):
        folders[:] = [name for name in folders if not name.startswith(".")]
        films = [name for name in names if may_have_subtitles(name) and not name.startswith(".")]
        timed = [name for name in names if name.lower().endswith(tuple(TIMED_ENDINGS))] if films else []
        with_subtitles = {Path(film).stem.casefold() for name in timed if (film := find_film(name, films)) is not None}
        found += [Path(folder, name) for name in films if Path(name).stem.casefold() not in with_subtitles]
    return sorted(path for path in found if path.is_file())


async def _holds_others(directory: str | Path) -> bool:
    """Whether a directory holds anything else to import."""
    from tui.importing.archive_member import NOTHING_TO_IMPORT
    from tui.importing.sources import find

    try:
        await find([directory], None)
    except ImportRefused as error:
        return error.code != NOTHING_TO_IMPORT
    return True


def _share_teller(tell: Callable[[str], None], film: str | Path) -> Callable[[float], None]:
    """Callback for another thread, which tells a film with the share of it that is read."""
    loop = asyncio.get_running_loop()

    def share(done: float) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, one_line(f"{film} {done:.0%}"))

    return share


def _beside(film: Path) -> list[Path]:
    names = filter(is_taken, os.listdir(film.parent))  # noqa: PTH208 - names
    return [film.with_name(name) for name in find_subtitles(film.name, names, TIMED_ENDINGS)]
