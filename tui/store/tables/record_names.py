"""Names of records: the ones that somebody means by a title, by the path of a file or by that of a film."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from tui.text.display import title_with_series

MAX_NAMED = 20
"""Records that one name gives at most: enough to choose from."""


def numbers_named(
    rows: Iterable[tuple[int, str, str, int | None, int | None, str | None, str | None]], name: str
) -> list[int]:
    """The numbers of the rows that ``name`` fits best; of these kinds, those of the first that there are:

    the whole title, alone or behind its series as lists show it; the path of the film; the name of the file, or a path
    that ends in it; a beginning of the title. Case is nothing, but in the paths of films.

    A row is its number, title, series, season, episode, the name of its file and the path of its film.
    """
    wanted, file_name = _folded(name), _folded(name.rsplit("/", 1)[-1])
    by_title: list[int] = []
    by_film: list[int] = []
    by_file: list[int] = []
    by_beginning: list[int] = []
    for number, title, series, season, episode, file, film in rows if wanted else ():
        titles = {_folded(title), _folded(title_with_series(title, series, season, episode))}
        if wanted in titles:
            by_title.append(number)
        elif film == name:
            by_film.append(number)
        elif file is not None and _folded(file) == file_name:
            by_file.append(number)
        elif any(each.startswith(wanted) for each in titles):
            by_beginning.append(number)
    return by_title or by_film or by_file or by_beginning


def _folded(text: str) -> str:
    """A name without its case, and composed: a keyboard and a disk may write the same letter in two ways."""
    return unicodedata.normalize("NFC", text.strip().casefold())
