"""A dictionary's file that is open: its rows, what bounds them, and how its bytes become lines.

A row that is not as its format has it is skipped and counted; a file that is broken is refused, so that nothing half of
it is kept.
"""

import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from tui import bounds
from tui.errors import ImportRefused
from tui.records.dictionaries import DictionaryInfo, DictionaryRow
from tui.system import regular_file
from tui.text.sanitize import one_line

Progress = Callable[[float], None]
"""Called with the share of the file that is read (0 to 1), many times a second; what it raises ends the reading."""

ROWS_A_STEP = 250
"""Rows between two calls of ``Progress``."""
MAX_SENT_SIZE = bounds.DICTIONARY_SENT.bytes_in
"""Maximum bytes of a file that is sent to a server; English in Wiktionary, packed, has a third of that."""
_MAX_ROWS, _MAX_ROW_LENGTH = bounds.KAIKKI.entries, bounds.KAIKKI.entry_bytes
GZIP_SIGNATURE = b"\x1f\x8b"
_GZIP_FAULTS = (EOFError, OSError, zlib.error)
"""Exceptions that ``gzip`` raises for a file that is cut or damaged."""
_PIECE = 1 << 18


class DictionaryFile:
    """A dictionary's file that is open. All methods block; ``shown`` is its name as people see it.

    ``skipped`` counts the rows so far that could not be understood, or that say nothing.
    """

    info: DictionaryInfo
    without_rows: tuple[str, ...]
    """Message about a file without any row, and its next step where that differs from the usual one."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self.skipped = 0

    def rows(self, progress: Progress) -> Iterator[DictionaryRow]:
        """Read the rows, once, in the order of the file; raises ``ImportRefused`` for a file that is broken."""
        made = 0
        for row in self._read(progress):
            if row is None:
                self.skipped += 1
            else:
                made += 1
                yield row
        if not made:
            raise refused(self._shown, *self.without_rows)
        progress(1.0)

    def _read(self, progress: Progress) -> Iterator[DictionaryRow | None]:
        """The rows, None in the place of one that is skipped."""
        raise NotImplementedError

    def _lines_of(self, path: Path, progress: Progress) -> Iterator[bytes | None]:
        """The lines of a file that has a row in each, as ``UnpackedFile.lines`` gives them."""
        with open_unpacked(path, self._shown) as file:
            for at, line in enumerate(file.lines()):
                if at % ROWS_A_STEP == 0:
                    progress(file.fraction())
                if at >= _MAX_ROWS:
                    raise self._too_many_rows(_MAX_ROWS)
                yield line

    def _too_many_rows(self, most: int) -> ImportRefused:
        return refused(self._shown, f"holds more than {most:,} rows", "check that it is the dictionary you meant")

    def close(self) -> None:
        """Let go of what is held while it is open; the files that ``rows`` reads are closed at its end."""


def show_name(name: str) -> str:
    """The name of a file as it can be shown: bytes that are no text become U+FFFD."""
    return one_line(os.fsencode(name).decode("utf-8", "replace"))


def refused(shown: str, reason: str, hint: str = "check that it was downloaded whole") -> ImportRefused:
    """Error of a file that cannot be read as a dictionary; ``reason`` goes on where its name ended ("is damaged")."""
    return ImportRefused(f"{shown} {reason}", hint=hint)


# Lines of a text file, packed by gzip or not, in bounded memory however long they are.


class UnpackedFile:
    """A file to read from its beginning, unpacked where gzip packed it; raises ``ImportRefused`` for a bomb."""

    def __init__(self, raw: BinaryIO, shown: str) -> None:
        self._raw, self._shown = raw, shown
        self._size = os.fstat(raw.fileno()).st_size
        self._is_packed = raw.read(2) == GZIP_SIGNATURE
        raw.seek(0)
        buffered = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, raw), _PIECE))
        self._file = cast(BinaryIO, gzip.GzipFile(fileobj=buffered)) if self._is_packed else buffered
        self._left = bounds.KAIKKI.most_out(self._size)

    def read(self, most: int) -> bytes:
        """The next bytes, fewer than ``most`` at the end only."""
        return self._read_counted(self._file.read, most)

    def _line(self) -> bytes:
        """The next line with its end, or as much of it as a row may have; b"" at the end."""
        return self._read_counted(self._file.readline, _MAX_ROW_LENGTH)

    def lines(self) -> Iterator[bytes | None]:
        """The lines without their ends; None in the place of one that is longer than any row, which is read over."""
        while line := self._line():
            if line.endswith(b"\n") or len(line) < _MAX_ROW_LENGTH:
                yield line.rstrip(b"\r\n")
                continue
            while (more := self._line()) and not more.endswith(b"\n"):
                pass
            yield None

    def fraction(self) -> float:
        """Share of the file that was read, packed or not."""
        return min(self._raw.tell() / self._size, 1.0) if self._size else 1.0

    def _read_counted(self, read: Callable[[int], bytes], most: int) -> bytes:
        try:
            data = read(most)
        except _GZIP_FAULTS as error:
            raise refused(self._shown, "is damaged, or its end is missing") from error
        if self._is_packed:
            self._left -= len(data)
            if self._left < 0:
                raise refused(self._shown, "unpacks to a hundred times its size", "check that it is what you meant")
        return data


@contextmanager
def open_unpacked(path: Path, shown: str) -> Iterator[UnpackedFile]:
    """Open a file to be unpacked as it is read."""
    with regular_file.open_file(path) as raw:
        yield UnpackedFile(raw, shown)
