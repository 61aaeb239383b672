"""Streamed reading of XML and JSON that nobody vouches for: memory holds an element or an object, never the file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from html.entities import html5
from typing import Generic, TypeVar

from tui import bounds
from tui.importing.readers.cue_text import MAX_CUE_LENGTH
from tui.text.sanitize import without_controls

# Streamed reading of XML that nobody vouches for: elements and their text, by names without namespaces.
#
# No entity that a document declares is ever known, so that none can be fetched and none grows into a thousand others.
# Depth, names and the length of a tag are bounded. HTML's entities and bare ampersands are read as what they stand for.
# Where the XML is broken, most often because a download was, what stands before that place has been told.

_AMPERSAND = re.compile(r"&(?!#|(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31};)?")
_PIECE_CHARACTERS = 65_536
"""Characters that the parser is given at once: it looks at an unfinished tag anew with every piece."""
_MAX_DEPTH = bounds.SUBTITLE_TREE.depth
_MAX_NAMES = 2000
"""Maximum names of elements and attributes, which the parser keeps; TTML has about two hundred."""
_MAX_GATHERED = bounds.DOCUMENT.entries + 1
"""Maximum elements of one name that are gathered: one too many, so that whoever wants no more can tell."""
_MAX_TEXT_LENGTH = 1000
"""Characters of a gathered element's text beyond which no more of it is taken: it is a title."""

T = TypeVar("T")


class Elements(Generic[T]):
    """Receiver of a document's elements, and what it has ``found`` of them; names are without prefixes."""

    def __init__(self) -> None:
        self.found: list[T] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """The element that was begun last ends."""

    def characters(self, text: str) -> None:
        """A part of a text, between any two of these."""


class _Unreadable(Exception):
    """Ends the reading of a document that is not gone on with."""


def read_xml(lines: Iterable[str], elements: Elements[T], *, allows_doctype: bool = False) -> Iterator[T]:
    """Tell ``elements`` of the document, and take from them what they find.

    A DOCTYPE ends the reading; where they are ordinary, one that declares nothing itself is allowed.
    """
    from xml.parsers import expat

    names: dict[str, str] = {}
    depth = 0

    def doctype(name: str, system_id: str | None, public_id: str | None, declares: bool | int) -> None:
        if declares or not allows_doctype:
            raise _Unreadable

    def start(tag: str, given: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH or len(names) > _MAX_NAMES:
            raise _Unreadable
        elements.start(_local(tag), {_local(key): value for key, value in given.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        elements.end(_local(tag))

    parser = expat.ParserCreate("utf-8", None, names)
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = elements.characters
    parser.StartDoctypeDeclHandler = doctype
    given = 0  # bytes
    try:
        for piece in _pieces(lines):
            text = _clean(piece)
            data = (text if given else text.lstrip()).encode("utf-8", "replace")  # the XML declaration comes first
            parser.Parse(data, False)
            given += len(data)
            yield from elements.found
            elements.found.clear()
            if given - parser.CurrentByteIndex > MAX_CUE_LENGTH:  # one tag or comment without an end
                return
        parser.Parse(b"", True)
    except (expat.ExpatError, _Unreadable):
        pass
    yield from elements.found


@dataclass(slots=True)
class Element:
    """An element with the text right in it; ``above`` is that of those gathered which it stands in."""

    name: str
    attributes: dict[str, str]
    above: Element | None
    text: str = ""

    def count_above(self, name: str) -> int:
        """Count the elements of this name that it stands in."""
        return 0 if self.above is None else (self.above.name == name) + self.above.count_above(name)


def gather_elements(lines: Iterable[str], *names: str, allows_doctype: bool = False) -> Iterator[Element]:
    """The elements of these names, in the order in which they begin; texts are whole once all have been taken."""
    return read_xml(lines, _Gathered(names), allows_doctype=allows_doctype)


class _Gathered(Elements[Element]):
    def __init__(self, names: Collection[str]) -> None:
        super().__init__()
        self._names = names
        self._open: list[Element] = []
        self._counts: Counter[str] = Counter()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in self._names:
            self._open.append(Element(name, attributes, self._open[-1] if self._open else None))
            self._counts[name] += 1
            if self._counts[name] <= _MAX_GATHERED:
                self.found.append(self._open[-1])

    def end(self, name: str) -> None:
        if name in self._names:
            self._open.pop()

    def characters(self, text: str) -> None:
        if self._open and len(self._open[-1].text) < _MAX_TEXT_LENGTH:
            self._open[-1].text += text


def root_follows(text: str, root: re.Pattern[str]) -> bool:
    """Whether the pattern matches behind the declaration and the comments with which an XML document begins."""
    rest = text.lstrip()
    while rest.startswith(("<?", "<!--")):
        rest = rest.partition("?>" if rest.startswith("<?") else "-->")[2].lstrip()
    return root.match(rest) is not None


def _pieces(lines: Iterable[str]) -> Iterator[str]:
    kept: list[str] = []
    size = 0
    for line in lines:
        kept.append(line)
        size += len(line) + 1
        if size > _PIECE_CHARACTERS:
            yield "\n".join((*kept, ""))
            kept, size = [], 0
    yield "\n".join(kept)


def _clean(piece: str) -> str:
    """The piece without characters that XML does not allow; HTML's entities and bare ampersands as XML writes them."""
    return _AMPERSAND.sub(_reference, without_controls(piece).replace("\ufffe", "").replace("\uffff", ""))


def _reference(found: re.Match[str]) -> str:
    name = found[1] or ""
    if (text := html5.get(name)) is not None:
        return "".join(f"&#{ord(character)};" for character in text)
    return f"&amp;{name}"


def _local(name: str) -> str:
    return name.rpartition(":")[2]


# Streamed reading of JSON: the objects in its lists one by one, so that memory holds one of them and not the file.
#
# ``json.loads`` makes objects of ten to thirty times the size of a hostile text. Here the lists are walked, and only
# what is in them is decoded. Where the JSON is broken, most often because a download was, what stands before is kept.

_DECODER = json.JSONDecoder(strict=False)
_BETWEEN = re.compile(r"[\s,:]*")
_MAX_VALUE_LENGTH = 1_000_000
"""Maximum characters of one object in a list, with the words and their times that it may have."""
_MAX_OBJECT_DEPTH = 5
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
        case "{" if depth < _MAX_OBJECT_DEPTH:
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
