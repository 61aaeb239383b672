"""Incremental decoding: the lines of a file, piece by piece, as the text of 64 MB can take 256 MB of memory."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator

from tui import bounds
from tui.errors import ImportRefused

_PIECE_BYTES = 65_536
_JUDGED_BYTES = 4_000_000
"""Bytes of a file that are decoded at once, to see what it is."""
MAX_LINE_LENGTH = bounds.TEXT.entry_bytes
"""Maximum characters of a line; a longer one is cut at white space, or anywhere where it has none."""


def take_first_part(data: bytes) -> bytes:
    """The beginning of the file up to the end of a line, all of it where it is short."""
    if len(data) <= _JUDGED_BYTES:
        return data
    width = 4 if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)) else 2 if b"\x00" in data[:4096] else 1
    end = _JUDGED_BYTES
    while (found := data.rfind(b"\n", _JUDGED_BYTES // 2, end)) >= 0:
        start = found - found % width
        if data[start : start + width].strip(b"\x00") == b"\n":
            return data[: start + width]
        end = found
    end = _JUDGED_BYTES
    while end > 4 and data[end] & 0xC0 == 0x80:  # inside a character, if it is UTF-8
        end -= 1
    return data[: end - end % width]


class Lines:
    """The lines of a file in this codec, without their ends, leading blank ones left out; each iteration reads it anew.

    ``report`` gets how much of the file has been read, from 0 to 1, several times a megabyte; what it raises ends
    the iteration. That raises ``ImportRefused`` naming ``name`` where the bytes do not fit the codec.
    """

    def __init__(self, data: bytes, codec: str, *, name: str, report: Callable[[float], None] | None = None) -> None:
        self._data = data
        self._codec = codec
        self._name = name
        self._report = report

    def __iter__(self) -> Iterator[str]:
        rest, begun = "", False
        for piece in self._pieces():
            *lines, rest = (rest + piece).split("\n")
            for line in lines:
                if begun or line:
                    begun = True
                    yield line
            while len(rest) > MAX_LINE_LENGTH:
                cut = rest.rfind(" ", MAX_LINE_LENGTH // 2, MAX_LINE_LENGTH) + 1 or MAX_LINE_LENGTH
                begun = True
                yield rest[:cut]
                rest = rest[cut:]
        if begun or rest:
            yield rest

    def _pieces(self) -> Iterator[str]:
        """The text with line feeds only; in CR CR LF, where a file has it throughout, one line end is meant."""
        held, doubled, is_first = "", False, True
        for raw in self._decoded():
            text = held + raw
            kept = text.rstrip("\r")
            held, text = text[len(kept) :], kept
            if is_first:
                text, is_first = text.removeprefix("\ufeff"), False
                doubled = has_doubled_ends(text)
            yield convert_line_ends(text, doubled=doubled)
        yield convert_line_ends(held, doubled=doubled)

    def _decoded(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder(self._codec)("strict")
        size = len(self._data)
        for start in range(0, size, _PIECE_BYTES):
            end = min(start + _PIECE_BYTES, size)
            try:
                text = decoder.decode(self._data[start:end], end == size)
            except ValueError as error:
                place = end - len(error.object) + error.start if isinstance(error, UnicodeDecodeError) else start
                line = self._data.count(b"\n", 0, place) + 1
                raise ImportRefused(
                    f"{self._name} is not in the encoding {self._codec} throughout (byte {place}, line {line})",
                    hint="check that it was downloaded whole, or name its encoding with --encoding",
                    code="unknown_encoding",
                ) from error
            if self._report is not None:
                self._report(end / size)
            yield text


def has_doubled_ends(text: str) -> bool:
    """Whether every line ends in CR CR LF: a text written twice over, in which one line end is meant."""
    feeds = text.count("\n")
    return feeds > 1 and text.count("\r\r\n") == feeds


def convert_line_ends(text: str, *, doubled: bool) -> str:
    """The text with LF for CRLF and CR, and for CR CR LF where its ends are doubled."""
    if "\r" not in text:
        return text
    if doubled:
        text = text.replace("\r\r\n", "\n")
    return text.replace("\r\n", "\n").replace("\r", "\n")
