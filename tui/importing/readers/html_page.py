"""Blocks of an HTML page, as browsers part them: with ruby, and without what nobody reads.

The parser is Python's, which is as tolerant as a browser. Scripts, fields, blocks of code, images and the numbers of
notes are left out. What belongs to navigation or advertising by its element, its role or its class is marked.
"""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from tui import bounds
from tui.importing.readers.cue_text import MAX_CUE_LENGTH, mark_reading, shorten_references
from tui.importing.readers.documents import LINE_BREAK, Block, Blocks, join_block_text
from tui.language.word_lists import read_lists

_PIECE_CHARACTERS = 65_536
_MAX_TAG_LENGTH = bounds.PAGE.entry_bytes
"""Characters behind which a tag or comment that has no end ends the page: the parser makes much of each attribute."""
_MAX_DEPTH = bounds.PAGE.depth
"""Elements that are open at once, as in browsers; what is opened in the last is taken for a part of it."""
_EMBEDDED = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{2000,}")
"""Pattern of what is embedded in attributes in base 64: images and fonts, tens of megabytes of them in a saved page."""
_MAX_PLACES = 100_000


def _names(kind: str) -> frozenset[str]:
    return frozenset(read_lists("html_names", __file__)["names"][kind].split())


_VOID, _UNREAD, _BLOCKS, _HEADINGS = map(_names, ("void", "unread", "blocks", "headings"))
_ASIDE, _ASIDE_ROLES, _ASIDE_CLASSES, _NOTES = map(_names, ("aside", "aside_roles", "aside_classes", "notes"))
_CLOSES = {
    "li": ("li",),
    "tr": ("td", "th", "tr"),
    **dict.fromkeys(("dt", "dd"), ("dt", "dd")),
    **dict.fromkeys(("td", "th"), ("td", "th")),
}
"""Elements that end those of their kind above them, the innermost first, which often have no end tag."""
_NOTE_NUMBER = re.compile(r"\s*(?:\[\s*[^\[\]]{1,12}\s*\]|\(?[0-9]{1,4}\)?|[*†‡§¶]{1,3})\s*")


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its blocks in order, and for each container of them the number of that around it (0: none).

    ``places`` has the number of the block behind each id of a book's page, ``most_tags`` how many elements and
    attributes stand between two borders of blocks at most, or characters in a tag without an end.
    """

    blocks: list[Block]
    parents: Sequence[int]
    places: dict[str, int]
    most_tags: int


def read_page(lines: Iterable[str], *, is_book: bool = False, report: Callable[[int], None] | None = None) -> Page:
    """Read a page; that of a book has no navigation around it but notes. Raises ``Unreadable``.

    ``report`` gets the characters read so far, now and then; what it raises ends the reading.
    """
    parser = _PageParser(is_book=is_book)
    pieces, size, read = list[str](), 0, 0
    for piece in _short_pieces(lines):
        pieces.append(piece)
        size += len(piece)
        if size > max(_PIECE_CHARACTERS, parser.unread):  # what is unfinished is looked at anew with every piece
            parser.take_in("".join(pieces))
            read += size
            pieces, size = [], 0
            if report is not None:
                report(read)
            if parser.is_lost:
                parser.most_tags = max(parser.most_tags, parser.unread)
                break
    else:
        parser.take_in("".join((*pieces, "<hr>")))  # lets go of the text behind the last tag; half a tag is dropped
    parser.end_block()
    return Page(parser.blocks, parser.parents, parser.places, parser.most_tags)


def _short_pieces(lines: Iterable[str]) -> Iterator[str]:
    """The text of the lines in order; the last line end is one too many."""
    for line in lines:
        for at in range(0, len(line), _PIECE_CHARACTERS):
            yield line[at : at + _PIECE_CHARACTERS]
        yield "\n"


@dataclass(frozen=True, slots=True)
class _Open:
    """An open element, with the properties that all that is in it inherits."""

    name: str
    is_unread: bool = False
    is_aside: bool = False
    is_heading: bool = False
    is_link: bool = False
    keeps_lines: bool = False
    container: int = 0


@dataclass(slots=True)
class _Note:
    """A link or raised text that may be the number of a note: where it begins, and what was seen in it."""

    tag: str
    at: int
    linked: int
    is_raised: bool = False


class _PageParser(HTMLParser):
    """The open elements, and the blocks found so far."""

    def __init__(self, *, is_book: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.unread = self.most_tags = self._tags = 0
        self.blocks = Blocks()
        self.parents = array("l", [0])
        self.places: dict[str, int] = {}
        self._is_book = is_book
        self._open = [_Open("")]
        self._count: Counter[str] = Counter()
        self._pieces: list[str] = []
        self._length = self._linked = self._told = 0
        self._ruby: RubyElement | None = None
        self._note: _Note | None = None

    def take_in(self, text: str) -> None:
        """Parse on; ``unread`` is then how many characters wait for the end of a tag or a comment."""
        before = self._told
        self.feed(_EMBEDDED.sub("", shorten_references(text)))
        self.unread = 0 if self._told > before else self.unread + len(text)

    @property
    def is_lost(self) -> bool:
        """Whether a tag or comment goes on for so long that it has no end; a script may."""
        return self.unread > _MAX_TAG_LENGTH and self._open[-1].name not in ("script", "style")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._told += 1
        self._tags = len(attrs) + (0 if tag in _BLOCKS else self._tags + 1)
        self.most_tags = max(self.most_tags, self._tags)
        if tag == "br":
            self._add(LINE_BREAK)
        if tag in _BLOCKS:
            self.end_block()
            for name in ("head", "p"):
                if self._count[name]:
                    self._close(name)
        if tag in _VOID:
            return
        for name in _CLOSES.get(tag, ()):
            if self._open[-1].name == name:
                self._close(name)
        if len(self._open) == _MAX_DEPTH:
            return
        element = self._opened(tag, dict(attrs))
        if self._is_book and (place := dict(attrs).get("id")) and len(self.places) < _MAX_PLACES:
            self.places.setdefault(place, len(self.blocks))
        self._open.append(element)
        self._count[tag] += 1
        if tag == "ruby" and not element.is_unread:
            self._flush_ruby()
            self._ruby = RubyElement()
        elif self._ruby is not None and tag in ("rb", "rt", "rtc"):
            self._ruby.open(tag)
        elif tag in ("sup", "a"):
            self._note = self._note or _Note(tag, len(self._pieces), self._linked)
            self._note.is_raised = self._note.is_raised or tag == "sup"

    def handle_endtag(self, tag: str) -> None:
        self._told += 1
        if tag in _BLOCKS:
            self.end_block()
        elif tag in ("rb", "rt", "rtc") and self._ruby is not None:
            self._ruby.close()
        elif tag == "ruby":
            self._flush_ruby()
        elif tag in ("sup", "a"):
            self._drop_note_number(tag)
        if self._count[tag]:
            self._close(tag)

    def handle_comment(self, data: str) -> None:
        self._told += 1

    def handle_data(self, data: str) -> None:
        self._told += 1
        element = self._open[-1]
        if element.is_unread:
            return
        if element.keeps_lines:
            data = data.replace("\r\n", "\n").replace("\n", LINE_BREAK)
        if self._ruby is not None:
            self._ruby.add(data)
            return
        if element.is_link:
            self._linked += len(data)
        self._add(data)

    def end_block(self) -> None:
        """Tell the text that has been gathered as a block."""
        self._flush_ruby()
        self._note = None
        if self._length and (text := join_block_text(self._pieces)):
            element = self._open[-1]
            linked = min(self._linked, len(text))
            self.blocks.append(Block(text, element.is_heading, element.is_aside, linked, element.container))
        self._pieces, self._length, self._linked = [], 0, 0

    def _opened(self, tag: str, attributes: dict[str, str | None]) -> _Open:
        above, container = self._open[-1], self._open[-1].container
        if tag in _BLOCKS:
            self.parents.append(container)
            container = len(self.parents) - 1
        return _Open(
            tag,
            above.is_unread or tag in _UNREAD or "hidden" in attributes or (tag == "code" and above.keeps_lines),
            above.is_aside or self._stands_aside(tag, attributes),
            above.is_heading or tag in _HEADINGS,
            above.is_link or (tag == "a" and "href" in attributes),
            above.keeps_lines or tag == "pre",
            container,
        )

    def _stands_aside(self, tag: str, attributes: dict[str, str | None]) -> bool:
        role = (attributes.get("role") or "").split()
        kinds = {*(attributes.get("epub:type") or "").split(), *role}
        if self._is_book:
            return tag == "nav" or not kinds.isdisjoint(_NOTES)
        classes = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"[:1000].lower().split()
        is_whole = tag in ("html", "body", "main", "article")
        return (
            tag in _ASIDE or not _ASIDE_ROLES.isdisjoint(role) or not (is_whole or _ASIDE_CLASSES.isdisjoint(classes))
        )

    def _close(self, tag: str) -> None:
        """Close the last open element of this name, and all that are in it."""
        name = ""
        while name != tag:
            name = self._open.pop().name
            self._count[name] -= 1
            if not self._count[name]:
                del self._count[name]  # names are as many as a page makes up

    def _add(self, text: str) -> None:
        if self._open[-1].is_unread:
            return
        if self._length + len(text) > MAX_CUE_LENGTH:
            self.end_block()
        self._length += len(text)
        self._pieces.append(text)

    def _flush_ruby(self) -> None:
        if self._ruby is not None:
            text, self._ruby = self._ruby.text(), None
            self._add(text)

    def _drop_note_number(self, tag: str) -> None:
        """Take the number of a note out of the text: what stands in a raised link, or in brackets in either."""
        note = self._note
        if note is None or note.tag != tag:
            return
        self._note = None
        text = "".join(self._pieces[note.at :])
        is_sure = text.lstrip().startswith("[") or (note.is_raised and self._linked > note.linked)
        if is_sure and _NOTE_NUMBER.fullmatch(text):
            del self._pieces[note.at :]


# The ``ruby`` element of HTML: bases and their readings, in whichever of its two orders, as text with marks.
#
# Source: html.spec.whatwg.org, 4.5.10, and the older model of bases first ("rb rb rt rt"). Readings in parentheses for
# browsers without ruby stand in ``rp`` and are not given to this.


class RubyElement:
    """The parts of an open ``ruby`` element."""

    def __init__(self) -> None:
        self._groups: list[tuple[list[list[str]], list[list[str]]]] = [([[]], [])]
        self._is_reading = False

    def open(self, tag: str) -> None:
        """Begin a base (``rb``) or a reading (``rt``, ``rtc``)."""
        bases, readings = self._groups[-1]
        self._is_reading = tag != "rb"
        if self._is_reading:
            readings.append([])
        elif readings:
            self._groups.append(([[]], []))
        elif bases[-1]:
            bases.append([])

    def close(self) -> None:
        """End a base or a reading: what follows a reading is the next base."""
        self._is_reading = self._is_reading and not any(self._groups[-1][1])

    def add(self, text: str) -> None:
        bases, readings = self._groups[-1]
        if self._is_reading:
            readings[-1].append(text)
        elif readings and text.strip():
            self._groups.append(([[text]], []))
        elif not readings:
            bases[-1].append(text)

    def text(self) -> str:
        """All bases, with marks for their readings; several bases with as many readings each have their own."""
        parts: list[str] = []
        for bases, readings in self._groups:
            texts, read = ([text for each in part if (text := "".join(each).strip())] for part in (bases, readings))
            if len(texts) == len(read):
                parts += map(mark_reading, texts, read)
            else:
                parts.append(mark_reading("".join(texts), "".join(read)))
        return "".join(parts)
