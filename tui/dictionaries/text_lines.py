"""Lines of a text file, packed by gzip or not, in bounded memory however long they are."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, cast

from tui import bounds
from tui.dictionaries.dictionary_file import MAX_ROW_LENGTH, MAX_ROWS, ROWS_A_STEP, Progress, refused, too_many_rows
from tui.system import regular_file

GZIP_SIGNATURE = b"\x1f\x8b"
GZIP_FAULTS = (EOFError, OSError, zlib.error)
"""Exceptions that ``gzip`` raises for a file that is cut or damaged."""
_PIECE = 1 << 18


class UnpackedFile:
    """A file to read from its beginning, unpacked where gzip packed it; raises ``ImportRefused`` for a bomb."""

    def __init__(self, path: Path, shown: str) -> None:
        self._shown = shown
        with ExitStack() as stack:
            raw = stack.enter_context(regular_file.open_file(path))
            self._raw = raw
            self.size = os.fstat(raw.fileno()).st_size
            self.is_packed = raw.read(2) == GZIP_SIGNATURE
            raw.seek(0)
            buffered = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, raw), _PIECE))
            self._file = cast(BinaryIO, gzip.GzipFile(fileobj=buffered)) if self.is_packed else buffered
            self._stack = stack.pop_all()
        self._left = bounds.KAIKKI.most_out(self.size)

    def read(self, most: int) -> bytes:
        """The next bytes, fewer than ``most`` at the end only."""
        try:
            return self._counted(self._file.read(most))
        except GZIP_FAULTS as error:
            raise refused(self._shown, "is damaged, or its end is missing") from error

    def line(self, most: int) -> bytes:
        """The next line with its end, or as much of it as ``most``; b"" at the end."""
        try:
            return self._counted(self._file.readline(most))
        except GZIP_FAULTS as error:
            raise refused(self._shown, "is damaged, or its end is missing") from error

    def fraction(self) -> float:
        """Share of the file that was read, packed or not."""
        return min(self._raw.tell() / self.size, 1.0) if self.size else 1.0

    def close(self) -> None:
        self._stack.close()

    def _counted(self, data: bytes) -> bytes:
        if self.is_packed:
            self._left -= len(data)
            if self._left < 0:
                raise refused(self._shown, "unpacks to a hundred times its size", "check that it is what you meant")
        return data


def read_rows(file: UnpackedFile, shown: str, progress: Progress) -> Iterator[bytes | None]:
    """The lines of a file that has a row in each, as ``read_lines`` gives them, with progress; raises for too many."""
    for at, line in enumerate(read_lines(file)):
        if at % ROWS_A_STEP == 0:
            progress(file.fraction())
        if at >= MAX_ROWS:
            raise too_many_rows(shown)
        yield line
    progress(1.0)


def read_lines(file: UnpackedFile) -> Iterator[bytes | None]:
    """The lines without their ends; None in the place of one that is longer than any row, which is read over."""
    while line := file.line(MAX_ROW_LENGTH):
        if line.endswith(b"\n") or len(line) < MAX_ROW_LENGTH:
            yield line.rstrip(b"\r\n")
            continue
        while (more := file.line(MAX_ROW_LENGTH)) and not more.endswith(b"\n"):
            pass
        yield None
