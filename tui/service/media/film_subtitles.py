"""Films among what is added: their subtitles are, those inside them and those that lie beside them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tui.errors import ImportRefused, MediaError
from tui.media.names import is_film, subtitle_name, subtitles_of
from tui.regular_file import named_path
from tui.text.sanitize import one_line


@dataclass(frozen=True, slots=True)
class FilmSubtitle:
    """A track of subtitles inside a film, as a file; ``language`` is None where the film does not say it."""

    film: Path
    name: str
    content: bytes
    language: str | None


async def without_films(
    paths: Sequence[str | Path], tell: Callable[[str], None] | None = None
) -> tuple[list[str | Path], list[FilmSubtitle]]:
    """The paths with the subtitles beside films in the place of the films, and the subtitles that are inside them.

    ``tell`` is called with each film that is read, which takes seconds for gigabytes. Raises ``ImportRefused`` for a
    film without any subtitles that are text, and for one that cannot be read.
    """
    others: list[str | Path] = []
    inside: list[FilmSubtitle] = []
    for path in paths:
        film = named_path(path).absolute()
        if not (is_film(film.name) and await asyncio.to_thread(film.is_file)):
            others.append(path)
            continue
        if tell is not None:
            tell(one_line(str(path)))
        beside = await asyncio.to_thread(_beside, film)
        found = await _inside(film)
        if not beside and not found:
            raise ImportRefused(
                f"{one_line(film.name)} has no subtitles that are text, and none lie beside it",
                hint="add its subtitles, then link it: lode files link ID FILM",
                code="no_subtitles",
            )
        others += beside
        inside += found
    return others, inside


def _beside(film: Path) -> list[Path]:
    from tui.importing.formats import TIMED_ENDINGS, is_taken

    names = filter(is_taken, os.listdir(film.parent))  # noqa: PTH208 - names
    return [film.with_name(name) for name in subtitles_of(film.name, names, TIMED_ENDINGS)]


async def _inside(film: Path) -> list[FilmSubtitle]:
    from tui.service.media.local_media import results_of
    from tui.service.media.requests import SubtitlesRequest

    try:
        tracks = await results_of(SubtitlesRequest(film))
    except MediaError as error:
        raise ImportRefused(error.message, hint=error.hint, code=error.code) from error
    return [
        FilmSubtitle(
            film, subtitle_name(film.name, track.language, track.number), text.encode(), track.language or None
        )
        for track, text in tracks
        if "\nDialogue:" in text
    ]
