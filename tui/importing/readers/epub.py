"""Reader of EPUB (.epub): a transcript for each chapter, in the order in which the book is read.

Chapters are what the table of contents names, down to the second level; where one is spread over several files they are
one, and where a file has several they are apart. Cover, contents, notes and pages of nothing but links are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from tui import bounds
from tui.importing.readers.documents import Block, Chapter, Document, Unreadable, ZipParts, resolve_reference
from tui.importing.readers.html_page import Page, read_page
from tui.importing.readers.xml_elements import read_xml

_KIND = b"application/epub+zip"
_MAX_DEPTH = 2
_MAX_CHAPTERS = 1000
"""Maximum chapters; where the second level of the contents has more, the first has to do."""
_LINKED_SHARE = 0.6
_BLOCKS_OF_A_LEAF, _CHARACTERS_OF_A_LEAF = 2, 60


def is_epub(parts: ZipParts) -> bool:
    return parts.read("mimetype").strip() == _KIND or "META-INF/container.xml" in parts


def read_epub(parts: ZipParts) -> Document:
    """Open a book; raises ``Unreadable``, where it is locked too."""
    package = read_package(parts)
    entries = [entry for entry in package.entries if entry.depth <= _MAX_DEPTH]
    if len(entries) > _MAX_CHAPTERS:
        entries = [entry for entry in entries if entry.depth == 1]
    by_part: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries[:_MAX_CHAPTERS]:
        by_part[entry.part].append(entry)
    return Document(package.title, package.language, partial(_chapters, parts, package.spine, by_part))


def _chapters(
    parts: ZipParts, spine: list[str], by_part: dict[str, list[Entry]], report: Callable[[float], None]
) -> Iterator[Chapter]:
    """The chapters with text; a part that the contents do not name goes on with the one before, if they name that."""
    title, blocks, is_named = "", list[Block](), False
    following: str | None = None
    for at, name in enumerate(spine):
        lines = parts.text(name)
        size = len(spine) * (1 + sum(map(len, lines)) + len(lines))
        page = read_page(lines, is_book=True, report=partial(_report_page, report, at / len(spine), size))
        report((at + 1) / len(spine))
        begins = _begins(page, by_part.get(name, []))
        if not begins and not is_named:
            begins = {0: ""}
        for number, block in enumerate(() if _is_list_of_links(page) else page.blocks):
            following = begins.get(number, following)
            if block.is_aside:
                continue
            if following is not None:
                if blocks and not _is_leaf(blocks):
                    yield Chapter(title or _heading(blocks), blocks)
                    blocks = []
                title, is_named, following = following, bool(following), None
            blocks.append(block)
    if blocks:
        yield Chapter(title or _heading(blocks), blocks)


def _report_page(report: Callable[[float], None], begin: float, size: int, characters: int) -> None:
    report(min(1.0, begin + characters / size))


def _begins(page: Page, entries: list[Entry]) -> dict[int, str]:
    """The numbers of the blocks at which chapters begin, and their titles; of several at one place the last's."""
    begins: dict[int, str] = {}
    for entry in entries:
        begins[page.places.get(entry.fragment, 0) if entry.fragment else 0] = entry.label
    return begins


def _is_leaf(blocks: list[Block]) -> bool:
    """Whether this is no more than a leaf before a chapter, such as "Part One", which then begins with it."""
    return len(blocks) <= _BLOCKS_OF_A_LEAF and sum(len(block.text) for block in blocks) < _CHARACTERS_OF_A_LEAF


def _is_list_of_links(page: Page) -> bool:
    length = sum(len(block.text) for block in page.blocks)
    return sum(block.linked for block in page.blocks) > _LINKED_SHARE * length


def _heading(blocks: list[Block]) -> str:
    heading = next((block.text for block in blocks[:5] if block.is_heading), "")
    return " ".join(heading.split())


# The package of an EPUB: what its OPF, its table of contents and its encryption say of the book.
#
# Source: EPUB 3.3 (www.w3.org/TR/epub-33, chapters 5 and 7, and 4.2.6 on META-INF), and EPUB 2's NCX and guide.

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_OBFUSCATED_FONTS = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
_PAGES = frozenset(("application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document"))
_NO_CHAPTERS = frozenset(("cover", "toc", "title-page", "copyright-page", "index", "loi", "lot", "notes"))
"""Pages of EPUB 2's guide that are no chapters."""
_MAX_ENTRIES = 5000
_MAX_PARTS = bounds.DOCUMENT.entries
"""Maximum items of the manifest, and pages of the spine: a book with one more is refused, for none is left out."""
_LOCKED = Unreadable("is locked by its seller (DRM)", "only the seller's programs open it: ask for a copy without DRM")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the table of contents: its label, the part and the place in it, and how deep it stands (from 1)."""

    label: str
    part: str
    fragment: str
    depth: int


@dataclass(slots=True)
class Package:
    """A book: its spine as names of parts in reading order, less those that are no chapters."""

    title: str | None = None
    language: str | None = None
    spine: list[str] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


def read_package(parts: ZipParts) -> Package:
    """Read what the book says of itself; raises ``Unreadable``, where it is locked too."""
    container = _Gathered("rootfile")
    _told(parts, _CONTAINER, container)
    opf = next((found["full-path"] for found in container.found if "full-path" in found), "")
    if opf not in parts:
        raise Unreadable("is damaged: it does not say what is in it", "check that it was downloaded whole")
    package = _Opf()
    _told(parts, opf, package)
    encrypted = _encrypted(parts)
    items = {item["id"]: item for item in package.found if "id" in item and "href" in item}
    guide = {
        resolve_reference(opf, found["href"])[0]
        for found in package.references
        if found.get("type", "").lower() in _NO_CHAPTERS and "href" in found
    }
    spine: dict[str, None] = {}  # in order, each part once: a book may name one as often as it likes
    for reference in package.itemrefs:
        item = items.get(reference.get("idref", ""))
        if item is None or reference.get("linear") == "no" or "nav" in item.get("properties", "").split():
            continue
        name = resolve_reference(opf, item["href"])[0]
        if name in encrypted:
            raise _LOCKED
        if item.get("media-type", "") in _PAGES and name in parts and name not in guide:
            spine[name] = None
    if "META-INF/rights.xml" in parts and encrypted:
        raise _LOCKED
    entries = _entries(parts, opf, items, package.toc)
    return Package(package.title or None, package.language or None, list(spine), entries)


class _Gathered:
    """The attributes of all elements of one name."""

    def __init__(self, name: str) -> None:
        self.found: list[dict[str, str]] = []
        self._name = name

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == self._name:
            _append(self.found, attributes)

    def end(self, name: str) -> None:
        pass

    def characters(self, text: str) -> None:
        pass


def _append(found: list[dict[str, str]], attributes: dict[str, str]) -> None:
    if len(found) == _MAX_PARTS:
        raise Unreadable(f"names more than {_MAX_PARTS:,} parts", "check that it is the document you meant")
    found.append(attributes)


class _Opf(_Gathered):
    """The manifest's items, the spine, the guide, and the first title and language."""

    def __init__(self) -> None:
        super().__init__("item")
        self.itemrefs: list[dict[str, str]] = []
        self.references: list[dict[str, str]] = []
        self.title = self.language = self.toc = ""
        self._texts: list[str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        super().start(name, attributes)
        if name == "spine":
            self.toc = attributes.get("toc", "")
        elif name == "itemref":
            _append(self.itemrefs, attributes)
        elif name == "reference" and len(self.references) < _MAX_ENTRIES:
            self.references.append(attributes)
        elif name in ("title", "language"):
            self._texts = []

    def end(self, name: str) -> None:
        if self._texts is None:
            return
        text, self._texts = " ".join("".join(self._texts).split()), None
        if name == "title":
            self.title = self.title or text
        elif name == "language":
            self.language = self.language or text

    def characters(self, text: str) -> None:
        if self._texts is not None:
            self._texts.append(text)


class _Ncx:
    """The labels of EPUB 2's table of contents and where they lead."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str, int]] = []
        self._depth = 0
        self._label = ""
        self._texts: list[str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "navPoint":
            self._depth, self._label = self._depth + 1, ""
        elif name == "text" and self._depth:
            self._texts = []
        elif name == "content" and self._depth and len(self.found) < _MAX_ENTRIES:
            self.found.append((self._label, attributes.get("src", ""), self._depth))

    def end(self, name: str) -> None:
        if name == "navPoint":
            self._depth -= 1
        elif name == "text" and self._texts is not None:
            self._label, self._texts = " ".join("".join(self._texts).split()), None

    def characters(self, text: str) -> None:
        if self._texts is not None:
            self._texts.append(text)


class _Nav:
    """The links of EPUB 3's table of contents, which is the ``nav`` of that type."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str, int]] = []
        self._navs: list[bool] = []
        self._depth = 0
        self._link: str | None = None
        self._texts: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "nav":
            self._navs.append("toc" in attributes.get("type", "").split())
        elif name == "ol":
            self._depth += 1
        elif name == "a" and self._navs and self._navs[-1]:
            self._link, self._texts = attributes.get("href", ""), []

    def end(self, name: str) -> None:
        if name == "nav" and self._navs:
            self._navs.pop()
        elif name == "ol":
            self._depth -= 1
        elif name == "a" and self._link is not None:
            if len(self.found) < _MAX_ENTRIES:
                self.found.append((" ".join("".join(self._texts).split()), self._link, self._depth))
            self._link = None

    def characters(self, text: str) -> None:
        if self._link is not None:
            self._texts.append(text)


def _entries(parts: ZipParts, opf: str, items: dict[str, dict[str, str]], toc: str) -> list[Entry]:
    nav = next((item for item in items.values() if "nav" in item.get("properties", "").split()), None)
    ncx = items.get(toc) or next(
        (item for item in items.values() if item.get("media-type") == "application/x-dtbncx+xml"), None
    )
    for item, table in ((nav, _Nav()), (ncx, _Ncx())):
        if item is not None:
            name = resolve_reference(opf, item["href"])[0]
            _told(parts, name, table)
            if table.found:
                return [
                    Entry(label, *resolve_reference(name, link), depth) for label, link, depth in table.found if link
                ]
    return []


def _encrypted(parts: ZipParts) -> frozenset[str]:
    """The parts that are encrypted, but for fonts that are only made unreadable for others."""
    document = _Encryption()
    _told(parts, _ENCRYPTION, document)
    return frozenset(resolve_reference("", link)[0] for link in document.found)


class _Encryption:
    """The references to encrypted parts."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._algorithm = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "EncryptedData":
            self._algorithm = ""
        elif name == "EncryptionMethod":
            self._algorithm = self._algorithm or attributes.get("Algorithm", "")
        elif name == "CipherReference" and self._algorithm not in _OBFUSCATED_FONTS and len(self.found) < _MAX_ENTRIES:
            self.found.append(attributes.get("URI", ""))

    def end(self, name: str) -> None:
        pass

    def characters(self, text: str) -> None:
        pass


def _told(parts: ZipParts, name: str, elements: _Gathered | _Ncx | _Nav | _Encryption) -> None:
    for _ in read_xml(parts.text(name), elements, allows_doctype=True):
        pass
