"""Films among what is added: their subtitles are, those inside them and those that lie beside them."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from tui.errors import ImportRefused, MediaError
from tui.importing.formats import TIMED_ENDINGS, is_taken
from tui.language.tags import base_language
from tui.media.container import is_installed, probe, read_text_subtitles
from tui.media.films import find_film, find_subtitles, is_film, make_subtitle_name, may_have_subtitles
from tui.records.settings import SavedSettings
from tui.service.media.media_process import MediaProcess, media_process
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FilmSubtitle:
    """A track of subtitles inside a film, as a file; ``language`` is None where the film does not say it."""

    film: Path
    name: str
    content: bytes
    language: str | None


async def without_films(
    paths: Sequence[str | Path],
    settings: Callable[[], Awaitable[SavedSettings]],
    tell: Callable[[str], None] | None = None,
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
        kind = await _in_thread(partial(_kind, place)) if str(path).strip() else ""
        if kind == "directory":
            found = await _in_directory(place, settings, tell)
            inside += found
            if not found or await _holds_others(path):
                others.append(path)
        elif kind == "film":
            _tell(tell, path)
            beside = await _in_thread(partial(_beside, place))
            async with media_process() as process:
                try:
                    found = await asyncio.to_thread(_read, process, place, (), _share_teller(tell, path))
                except MediaError as error:
                    raise ImportRefused(error.message, hint=error.hint, code=error.code) from error
            if not beside and not found:
                raise ImportRefused(
                    f"{one_line(place.name)} has no subtitles that are text, and none lie beside it",
                    hint="add its subtitles, then link it: lode files link ID FILM",
                    code="no_subtitles",
                )
            others += beside
            inside += found
        else:
            others.append(path)
    return others, inside


async def _in_directory(
    directory: Path, settings: Callable[[], Awaitable[SavedSettings]], tell: Callable[[str], None] | None
) -> list[FilmSubtitle]:
    """The subtitles inside the films below a directory; a film that cannot be read keeps back no other."""
    films = await _in_thread(partial(_without_subtitles, directory)) if is_installed() else []
    if not films:
        return []
    learned = {base_language(each.language) for each in (await settings()).learning}
    found: list[FilmSubtitle] = []
    async with media_process() as process:
        for film in films:
            _tell(tell, film)
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


def _share_teller(tell: Callable[[str], None] | None, film: str | Path) -> Callable[[float], None]:
    """Callback for another thread, which tells a film with the share of it that is read."""
    loop = asyncio.get_running_loop()

    def share(done: float) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_tell, tell, f"{film} {done:.0%}")

    return share


async def _in_thread(look: Callable[[], T]) -> T:
    """Look at files in a thread that nothing waits for: a network that is gone holds whoever does."""
    return await in_daemon_thread(look, name="films")


def _tell(tell: Callable[[str], None] | None, path: str | Path) -> None:
    if tell is not None:
        tell(one_line(str(path)))


def _beside(film: Path) -> list[Path]:
    names = filter(is_taken, os.listdir(film.parent))  # noqa: PTH208 - names
    return [film.with_name(name) for name in find_subtitles(film.name, names, TIMED_ENDINGS)]
