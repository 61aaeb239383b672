"""dictd's two files in a ZIP file: as they are sent to a server, which takes one file for a dictionary."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tui import bounds
from tui.dictionaries.dictionary_file import Progress, refused, shown_name
from tui.dictionaries.readers.dictd import DEFINITIONS_ENDINGS, INDEX_ENDING, DictdFile
from tui.records.lookups import DictionaryRow
from tui.system import regular_file
from tui.system.temporary import TemporaryDirectory
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise

_PIECE = 1 << 20
_LONGEST_STEM = 60
_DAMAGED = "is damaged, or cannot be unpacked here"


def is_pair(names: Sequence[str]) -> bool:
    """Whether these are the two files of a dictionary, and nothing else."""
    index = next((name for name in names if name.lower().endswith(INDEX_ENDING)), "")
    stem = index[: -len(INDEX_ENDING)]
    others = [name for name in names if name != index]
    return (
        bool(stem)
        and not any(sign in stem for sign in "/\\")
        and len(others) == 1
        and others[0].startswith(stem)
        and others[0][len(stem) :].lower() in DEFINITIONS_ENDINGS
    )


def zipped_pair(parts: Sequence[Path], target: Path) -> None:
    """Write the two files of a dictionary into a ZIP file, the same each time. Blocks; raises ``OSError``."""
    with zipfile.ZipFile(target, "w") as archive:
        for part in parts:
            with (
                regular_file.open_file(part) as file,
                archive.open(zipfile.ZipInfo(shown_name(part.name)), "w") as member,
            ):
                while piece := regular_file.piece_of(file, _PIECE):
                    member.write(piece)


class ZippedDictdFile:
    """A dictd dictionary out of a ZIP file, unpacked as long as it is open; raises ``ImportRefused`` as it does."""

    def __init__(self, path: Path, shown: str) -> None:
        with _writing(shown):
            self._unpacked = TemporaryDirectory(Path(tempfile.gettempdir()))
        try:
            self._file = self._opened(path, shown)
        except BaseException:
            self._unpacked.remove()
            raise
        self.info = self._file.info

    @property
    def skipped(self) -> int:
        return self._file.skipped

    def rows(self, progress: Progress) -> Iterator[DictionaryRow]:
        return self._file.rows(progress)

    def close(self) -> None:
        self._file.close()
        self._unpacked.remove()

    def _opened(self, path: Path, shown: str) -> DictdFile:
        places: dict[bool, Path] = {}
        with regular_file.open_file(path) as raw:
            left = bounds.ZIPPED_DICTD.most_out(raw.seek(0, 2))
            try:
                with zipfile.ZipFile(raw) as archive:
                    for member in archive.infolist():
                        if member.flag_bits & IS_ENCRYPTED:
                            raise refused(shown, "is locked with a password", "save it without one and add that")
                        if is_packed_otherwise(member):
                            raise refused(shown, "is packed in a way that is not read", "pack both files again")
                        is_index = member.filename.lower().endswith(INDEX_ENDING)
                        stem = member.filename.split(".", 1)[0][:_LONGEST_STEM]
                        place = places[is_index] = self._unpacked.path / (
                            stem + (INDEX_ENDING if is_index else ".dict")
                        )
                        with archive.open(member) as file, _writing(shown), place.open("wb") as unpacked:
                            while piece := _piece(file, shown):
                                left -= len(piece)
                                if left < 0:
                                    raise refused(shown, "unpacks to many times its size", "pack both files again")
                                unpacked.write(piece)
            except ZIP_FAULTS as error:
                raise refused(shown, _DAMAGED) from error
        return DictdFile(places[True], places[False], shown)


def _piece(file: IO[bytes], shown: str) -> bytes:
    try:
        return file.read(_PIECE)
    except ZIP_FAULTS as error:
        raise refused(shown, _DAMAGED) from error


@contextmanager
def _writing(shown: str) -> Iterator[None]:
    """Tell of an ``OSError`` of the block that what is unpacked cannot be written: it is not of the file."""
    try:
        yield
    except OSError as error:
        place = tempfile.gettempdir()
        raise refused(
            shown,
            f"cannot be unpacked in {place}: {error.strerror or error}",
            f"make room in {place}, or name another place in TMPDIR",
        ) from error
