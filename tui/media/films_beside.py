"""Films that lie beside their subtitles."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

from tui.errors import MediaError
from tui.media.container import is_installed
from tui.media.fingerprint import fingerprint
from tui.media.names import film_of
from tui.records.media import NewLink


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
