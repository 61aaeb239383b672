"""Streamed reading of JSON: the objects in its lists one by one, so that memory holds one of them and not the file.

``json.loads`` makes objects of ten to thirty times the size of a hostile text. Here the lists are walked, and only what
is in them is decoded. Where the JSON is broken, most often because a download was, what stands before is kept.
"""

import json
import re
from collections.abc import Iterable, Iterator

_DECODER = json.JSONDecoder(strict=False)
_BETWEEN = re.compile(r"[\s,:]*")
_PIECE_CHARACTERS = 65_536
_MAX_VALUE_LENGTH = 1_000_000
"""Maximum characters of one object in a list, with the words and their times that it may have."""
_MAX_DEPTH = 5
"""Maximum depth of the objects in which lists are looked for."""

Found = tuple[str, dict[str, object]]
"""The name of the list that an object is in, and the object."""


def read_objects(lines: Iterable[str]) -> Iterator[Found]:
    """The objects of a document, or of several one below the other, in file order.

    Those in lists come whole, with the name of their list ("" for one without). The plain values of an object that
    holds lists come as an object without a list, behind what is in them.
    """
    source = _Source(lines)
    try:
        while source.peek():
            yield from _inside(source, "", 0)
    except (_Ended, ValueError, RecursionError):  # ValueError: broken, or a number of thousands of digits
        return


class _Ended(Exception):
    """Raised where the text ends, or goes on with nothing that JSON has there."""


class _Source:
    """The text that has been read of the lines, and the place in it."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._text = ""
        self._at = 0

    def peek(self) -> str:
        """The next character that is no white space, comma or colon; "" at the end."""
        while True:
            found = _BETWEEN.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read_on():
                return ""

    def step(self) -> None:
        self._at += 1

    def value(self) -> object:
        """Decode the value here; one that is not whole yet is tried again with twice the text."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except ValueError:
                if len(self._text) - self._at > _MAX_VALUE_LENGTH or not self._read_on():
                    raise
                continue
            if end == len(self._text) and self._read_on():  # a number may go on
                continue
            self._at = end
            return value

    def _read_on(self) -> bool:
        """Append lines; their ends are left out, as no string of JSON has any and one may be cut anywhere."""
        rest, more, size = self._text[self._at :], list[str](), 0
        for line in self._lines:
            more.append(line)
            size += len(line)
            if size >= max(len(rest), _PIECE_CHARACTERS):
                break
        self._text, self._at = rest + "".join(more), 0
        return size > 0


def _inside(source: _Source, name: str, depth: int) -> Iterator[Found]:
    match source.peek():
        case "[":
            yield from _listed(source, name)
        case "{" if depth < _MAX_DEPTH:
            yield from _members(source, depth)
        case "]" | "}" | "":
            raise _Ended
        case _:
            source.value()


def _listed(source: _Source, name: str) -> Iterator[Found]:
    source.step()
    while (next_one := source.peek()) != "]":
        if not next_one:
            raise _Ended
        value = source.value()
        if isinstance(value, dict):
            yield name, value
    source.step()


def _members(source: _Source, depth: int) -> Iterator[Found]:
    source.step()
    plain: dict[str, object] = {}
    while (next_one := source.peek()) != "}":
        key = source.value() if next_one == '"' else None
        if not isinstance(key, str):
            raise _Ended
        if source.peek() in ("[", "{"):
            yield from _inside(source, key, depth + 1)
        elif source.peek() in ("]", "}", ""):
            raise _Ended
        elif len(plain) < 1000:
            plain[key] = source.value()
        else:
            source.value()
    source.step()
    if plain:
        yield "", plain
