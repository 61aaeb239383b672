"""Films on the disk: their names and their subtitles', what lies beside what, and what a film is known again by."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path, PurePath

from tui.errors import MediaError
from tui.media.container import is_installed, unreadable
from tui.records.media import NewLink
from tui.system import regular_file
from tui.text.sanitize import one_line

_WITH_SUBTITLES = (".mkv", ".mp4", ".m4v", ".mov", ".webm")
"""Endings of films that may have subtitles inside which are text."""
FILM_ENDINGS = (
    *_WITH_SUBTITLES,
    *(".avi", ".mpg", ".mpeg", ".ts", ".m2ts", ".wmv", ".flv", ".3gp", ".ogv"),
    *(".mp3", ".m4a", ".m4b", ".aac", ".flac", ".ogg", ".oga", ".opus", ".wav", ".wma", ".mka", ".aif", ".aiff"),
)
_MAX_SUFFIXES = 3
"""Endings of a subtitle behind the name of its film: a language, what it is for, and its own."""


def is_film(name: str) -> bool:
    """Whether a name is that of a film or recording."""
    return name.lower().endswith(FILM_ENDINGS)


def may_have_subtitles(name: str) -> bool:
    """Whether a name is that of a film which may have subtitles inside that are text."""
    return name.lower().endswith(_WITH_SUBTITLES)


def find_film(subtitle: str, names: Iterable[str]) -> str | None:
    """The name of the film that a subtitle is of, among those beside it, None for none; films before recordings."""
    films = {name.casefold(): name for name in names if is_film(name)}
    stem = subtitle
    for _ in range(_MAX_SUFFIXES if films else 0):
        stem, _, suffix = stem.rpartition(".")
        if not stem or len(suffix) > 12:
            return None
        for ending in FILM_ENDINGS:
            if found := films.get((stem + ending).casefold()):
                return found
    return None


def find_subtitles(film: str, names: Iterable[str], endings: Iterable[str]) -> list[str]:
    """The names of the subtitles of a film among those beside it, sorted; ``endings`` are those of subtitles."""
    return sorted(name for name in names if name.lower().endswith(tuple(endings)) and find_film(name, (film,)) == film)


def make_subtitle_name(film: str, language: str, number: int) -> str:
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
            film = find_film(subtitle.name, self._names)
            return None if film is None else make_link(subtitle.with_name(film))
        except (OSError, MediaError):
            return None


def make_link(film: Path) -> NewLink:
    """A link to a film as it is now; raises ``MediaError``."""
    return NewLink(str(film), **asdict(take_fingerprint(film)))


_PARTS = 3
_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Size in bytes, time of change in nanoseconds since 1970, and the SHA-256 of parts of a file."""

    size_bytes: int
    modified_ns: int
    parts_sha256: str


def take_fingerprint(path: Path, known: Fingerprint | None = None) -> Fingerprint:
    """Take the fingerprint of a file; nothing of it is read where size and time are those that are ``known``.

    The parts are its first quarter of a megabyte, one in its middle and its last, and its size. Raises ``MediaError``
    (``media_missing``, ``media_unreadable``).
    """
    shown = one_line(path.name)[:100]
    try:
        with regular_file.open_file(path) as file:
            status = os.fstat(file.fileno())
            size, modified = status.st_size, status.st_mtime_ns
            if known is not None and (known.size_bytes, known.modified_ns) == (size, modified):
                return known
            digest = hashlib.sha256(str(size).encode())
            for part in range(_PARTS):
                file.seek(max(0, size - _BYTES) * part // (_PARTS - 1))
                digest.update(regular_file.piece_of(file, _BYTES))
    except FileNotFoundError as error:
        raise MediaError(
            f"{shown} is not where it was",
            hint="say where it is now: lode files link TRANSCRIPT FILM",
            code="media_missing",
        ) from error
    except OSError as error:
        raise unreadable(shown, error) from error
    return Fingerprint(size, modified, digest.hexdigest())
