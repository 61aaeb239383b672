"""Names of films and of their subtitles: "Film.mkv" with "Film.srt", "Film.de.srt", "Film.de.forced.srt" beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path, PurePath

from tui.errors import MediaError
from tui.media.container import is_installed
from tui.media.fingerprint import fingerprint
from tui.records.media import NewLink

_WITH_SUBTITLES = (".mkv", ".mp4", ".m4v", ".mov", ".webm")
"""Endings of films that may have subtitles inside which are text."""
FILM_ENDINGS = (
    *_WITH_SUBTITLES,
    *(".avi", ".mpg", ".mpeg", ".ts", ".m2ts", ".wmv", ".flv", ".3gp", ".ogv"),
    *(".mp3", ".m4a", ".m4b", ".aac", ".flac", ".ogg", ".opus", ".wav", ".wma"),
)
_MOST_SUFFIXES = 3
"""Endings of a subtitle behind the name of its film: a language, what it is for, and its own."""


def is_film(name: str) -> bool:
    """Whether a name is that of a film or recording."""
    return name.lower().endswith(FILM_ENDINGS)


def may_have_subtitles(name: str) -> bool:
    """Whether a name is that of a film which may have subtitles inside that are text."""
    return name.lower().endswith(_WITH_SUBTITLES)


def film_of(subtitle: str, names: Iterable[str]) -> str | None:
    """The name of the film that a subtitle is of, among those beside it, None for none; films before recordings."""
    films = {name.casefold(): name for name in names if is_film(name)}
    stem = subtitle
    for _ in range(_MOST_SUFFIXES if films else 0):
        stem, _, suffix = stem.rpartition(".")
        if not stem or len(suffix) > 12:
            return None
        for ending in FILM_ENDINGS:
            if found := films.get((stem + ending).casefold()):
                return found
    return None


def subtitles_of(film: str, names: Iterable[str], endings: Iterable[str]) -> list[str]:
    """The names of the subtitles of a film among those beside it, sorted; ``endings`` are those of subtitles."""
    wanted = tuple(endings)
    return sorted(name for name in names if name.lower().endswith(wanted) and film_of(name, (film,)) == film)


def subtitle_name(film: str, language: str, number: int) -> str:
    """The name of a file with a track of subtitles that is inside a film."""
    return f"{PurePath(film).stem}.{language or f'track{number}'}.ass"


class FilmsBeside:
    """Finds the films of subtitles, of which most lie in the directory of the last one."""

    def __init__(self) -> None:
        self._directory: Path | None = None
        self._names: list[str] = []

    def of(self, subtitle: Path) -> NewLink | None:
        """The film of a subtitle, None where there is none, or none could be read. Blocks."""
        if not is_installed():
            return None
        try:
            if subtitle.parent != self._directory:
                self._names = os.listdir(subtitle.parent)  # noqa: PTH208 - names
                self._directory = subtitle.parent
            film = film_of(subtitle.name, self._names)
            return None if film is None else link_to(subtitle.with_name(film))
        except (OSError, MediaError):
            return None


def link_to(film: Path) -> NewLink:
    """A link to a film as it is now; raises ``MediaError``."""
    return NewLink(str(film), **asdict(fingerprint(film)))
