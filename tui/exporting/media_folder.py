"""Folder beside a file of clips with their sounds and pictures: ``words.csv`` has ``words.media``.

Where the file is to go elsewhere, both travel in one ZIP file.
"""

import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copyfileobj
from typing import IO

from tui.errors import InvalidInput
from tui.records.clips import Clip

FOLDER_ENDING = ".media"
_NAME = re.compile(r"[\w-]+\.(mp3|jpg)", re.ASCII)


def find_media_folder(path: Path) -> Path:
    """The folder of the sounds and pictures of a file of clips."""
    return path.with_suffix(FOLDER_ENDING)


def write_files(
    clips: Iterable[Clip],
    folder: Path,
    content: Callable[[str], bytes | None],
    name: Callable[[str, str], str],
    called: str = "",
) -> Iterator[Clip]:
    """Write the sounds and pictures of clips into a folder, and name them in the clips.

    The folder is made with the first of them. ``content`` gives the bytes by SHA-256, ``name`` a file's name by that
    and its ending. A clip then has paths from where the folder lies, in which it is ``called`` as it will be once it
    is there; None for what there is no file of. Raises ``InvalidInput`` where they cannot be written.
    """
    called = called or folder.name

    def written(sha256: str | None, ending: str) -> str | None:
        data = content(sha256) if sha256 else None
        if sha256 is None or not data:
            return None
        target = folder / name(sha256, ending)
        _write(target, data)
        return f"{called}/{target.name}"

    for clip in clips:
        yield replace(clip, audio=written(clip.audio, "mp3"), picture=written(clip.picture, "jpg"))


def pack(file: Path, packed: Path) -> None:
    """Write a file and what its folder has into a ZIP file. Raises ``OSError``."""
    folder = find_media_folder(file)
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(file, file.name, zipfile.ZIP_DEFLATED)
        for each in sorted(folder.iterdir()) if folder.is_dir() else ():
            archive.write(each, f"{folder.name}/{each.name}")


def unpack(packed: Path, file: IO[bytes], folder: Path) -> None:
    """Read what ``pack`` wrote: into an open file, and into a folder, whatever they are called in there.

    Raises ``ZIP_FAULTS`` for what is none, or not of ``pack``, and ``InvalidInput`` where the folder cannot be written.
    """
    with zipfile.ZipFile(packed) as archive:
        for entry in archive.infolist():
            if "/" in entry.filename:
                name = entry.filename.rpartition("/")[2]
                if entry.compress_type != zipfile.ZIP_STORED or not _NAME.fullmatch(name):
                    raise zipfile.BadZipFile(f"{name[:80]!r} is no sound or picture of a clip")
                _write(folder / name, archive.read(entry))
            else:
                with archive.open(entry) as text:
                    copyfileobj(text, file)


def _write(target: Path, data: bytes) -> None:
    """Write a file unless it is there: its name says what is in it."""
    folder = target.parent
    try:
        if not target.is_file() or target.stat().st_size != len(data):
            folder.mkdir(exist_ok=True)
            try:
                target.write_bytes(data)
            except OSError:
                target.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise InvalidInput(
            f"{folder} cannot be written: {error.strerror or error}",
            hint="name another place, or move what is there away",
            code="target_exists",
        ) from error
