"""Streamed reading of XML that nobody vouches for: elements and their text, by names without namespaces.

No entity that a document declares is ever known, so that none can be fetched and none grows into a thousand others.
Depth, names and the length of a tag are bounded. HTML's entities and bare ampersands are read as what they stand for.
Where the XML is broken, most often because a download was, what stands before that place has been told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html.entities import html5
from typing import Protocol

from tui import bounds
from tui.importing.readers.cue_text import MAX_CUE_LENGTH
from tui.text.sanitize import without_controls

_AMPERSAND = re.compile(r"&(?!#|(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]{1,31};)?")
_PIECE_CHARACTERS = 65_536
"""Characters that the parser is given at once: it looks at an unfinished tag anew with every piece."""
_MAX_DEPTH = bounds.SUBTITLE_TREE.depth
_MAX_NAMES = 2000
"""Maximum names of elements and attributes, which the parser keeps; TTML has about two hundred."""


class Elements(Protocol):
    """Receiver of a document's elements; names are without prefixes."""

    def start(self, name: str, attributes: dict[str, str]) -> None: ...

    def end(self, name: str) -> None: ...

    def characters(self, text: str) -> None: ...


class _Unreadable(Exception):
    """Ends the reading of a document that is not gone on with."""


def read_xml(lines: Iterable[str], elements: Elements, *, allows_doctype: bool = False) -> Iterator[None]:
    """Tell ``elements`` of the document; yields now and then, so that what they found can be taken.

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
            yield
            if given - parser.CurrentByteIndex > MAX_CUE_LENGTH:  # one tag or comment without an end
                return
        parser.Parse(b"", True)
    except (expat.ExpatError, _Unreadable):
        pass
    yield


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
