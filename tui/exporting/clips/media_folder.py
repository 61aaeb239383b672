"""Folder beside a file of clips with their sounds and pictures: ``words.csv`` has ``words.media``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tui.errors import InvalidInput
from tui.records.clips import Clip

FOLDER_ENDING = ".media"


def with_files(
    clips: Iterable[Clip], path: Path, content: Callable[[str], bytes | None], name: Callable[[str, str], str]
) -> Iterator[Clip]:
    """Write the sounds and pictures of clips into the folder beside ``path``, and name them in the clips.

    The folder is made with the first of them. ``content`` gives the bytes by SHA-256, ``name`` a file's name by that
    and its ending. A clip then has paths from where the file lies, None for what there is no file of. Files that are
    there stay: their names say what is in them. Raises ``InvalidInput`` where they cannot be written.
    """
    folder = path.with_suffix(FOLDER_ENDING)
    for clip in clips:
        yield replace(
            clip,
            audio=_written(folder, clip.audio, "mp3", content, name),
            picture=_written(folder, clip.picture, "jpg", content, name),
        )


def _written(
    folder: Path,
    sha256: str | None,
    ending: str,
    content: Callable[[str], bytes | None],
    name: Callable[[str, str], str],
) -> str | None:
    data = content(sha256) if sha256 else None
    if sha256 is None or not data:
        return None
    target = folder / name(sha256, ending)
    try:
        if not target.is_file() or target.stat().st_size != len(data):
            folder.mkdir(exist_ok=True)
            target.write_bytes(data)
    except OSError as error:
        raise InvalidInput(
            f"{folder} cannot be written: {error.strerror or error}",
            hint="name another place, or move what is there away",
            code="target_exists",
        ) from error
    return f"{folder.name}/{target.name}"
