"""Reader of EPUB (.epub): a transcript for each chapter, in the order in which the book is read.

Chapters are what the table of contents names, down to the second level; where one is spread over several files they are
one, and where a file has several they are apart. Cover, contents, notes and pages of nothing but links are left out.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from tui import bounds
from tui.importing.readers.cue_text import Unreadable
from tui.importing.readers.documents import Block, Chapter, Document, ZipParts, resolve_reference
from tui.importing.readers.html_page import Page, read_page
from tui.importing.readers.trees import Element, gather_elements

_KIND = b"application/epub+zip"
_MAX_DEPTH = 2
_MAX_CHAPTERS = 1000
"""Maximum chapters; where the second level of the contents has more, the first has to do."""
_LINKED_SHARE = 0.6
_BLOCKS_OF_A_LEAF, _CHARACTERS_OF_A_LEAF = 2, 60


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the table of contents: its label, the part and the place in it, and how deep it stands (from 1)."""

    label: str
    part: str
    fragment: str
    depth: int


def is_epub(parts: ZipParts) -> bool:
    return parts.read("mimetype").strip() == _KIND or "META-INF/container.xml" in parts


def _chapters(
    parts: ZipParts, spine: list[str], by_part: dict[str, list[Entry]], report: Callable[[float], None]
) -> Iterator[Chapter]:
    """The chapters with text; a part that the contents do not name goes on with the one before, if they name that."""

    def report_page(begin: float, size: int, characters: int) -> None:
        report(min(1.0, begin + characters / size))

    title, blocks, is_named = "", list[Block](), False
    following: str | None = None
    for at, name in enumerate(spine):
        lines = parts.text(name)
        size = len(spine) * (1 + sum(map(len, lines)) + len(lines))
        page = read_page(lines, is_book=True, report=partial(report_page, at / len(spine), size))
        report((at + 1) / len(spine))
        # The numbers of the blocks at which chapters begin; of several titles at one place the last counts.
        entries = by_part.get(name, ())
        begins = {page.places.get(each.fragment, 0) if each.fragment else 0: each.label for each in entries}
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


def read_epub(parts: ZipParts) -> Document:
    """Open a book by what it says of itself; raises ``Unreadable``, where it is locked too."""
    roots = (each.attributes.get("full-path") for each in _gather(parts, _CONTAINER, "rootfile"))
    opf = next((path for path in roots if path is not None), "")
    if opf not in parts:
        raise Unreadable("is damaged: it does not say what is in it", "check that it was downloaded whole")
    found: dict[str, list[Element]] = defaultdict(list)
    for each in _gather(parts, opf, "item", "itemref", "spine", "reference", "title", "language"):
        found[each.name].append(each)
    if max(len(found["item"]), len(found["itemref"])) > _MAX_PARTS:
        raise Unreadable(f"names more than {_MAX_PARTS:,} parts", "check that it is the document you meant")
    encrypted = _find_encrypted(parts)
    manifest = [item.attributes for item in found["item"]]
    items = {item["id"]: item for item in manifest if "id" in item and "href" in item}
    guide = {
        resolve_reference(opf, each.attributes["href"])[0]
        for each in found["reference"]
        if each.attributes.get("type", "").lower() in _NO_CHAPTERS and "href" in each.attributes
    }
    spine: dict[str, None] = {}  # in order, each part once: a book may name one as often as it likes
    for reference in found["itemref"]:
        item = items.get(reference.attributes.get("idref", ""))
        if item is None or reference.attributes.get("linear") == "no" or "nav" in item.get("properties", "").split():
            continue
        name = resolve_reference(opf, item["href"])[0]
        if name in encrypted:
            raise _LOCKED
        if item.get("media-type", "") in _PAGES and name in parts and name not in guide:
            spine[name] = None
    if "META-INF/rights.xml" in parts and encrypted:
        raise _LOCKED
    title, language = (
        next((text for each in found[name] if (text := _text(each))), None) for name in ("title", "language")
    )
    toc = found["spine"][-1].attributes.get("toc", "") if found["spine"] else ""
    return Document(title, language, partial(_chapters, parts, list(spine), _entries(parts, opf, items, toc)))


def _gather(parts: ZipParts, name: str, *names: str) -> list[Element]:
    """The elements of these names in a part; their number of each is bounded."""
    return list(gather_elements(parts.text(name), *names, allows_doctype=True))


def _text(element: Element) -> str:
    return " ".join(element.text.split())


def _entries(parts: ZipParts, opf: str, items: dict[str, dict[str, str]], toc: str) -> dict[str, list[Entry]]:
    """The entries of the table of contents by their parts, down to the deepest level that is taken for chapters."""
    nav = next((item for item in items.values() if "nav" in item.get("properties", "").split()), None)
    ncx = items.get(toc) or next(
        (item for item in items.values() if item.get("media-type") == "application/x-dtbncx+xml"), None
    )
    by_part: dict[str, list[Entry]] = defaultdict(list)
    for item, read_table in ((nav, _read_nav), (ncx, _read_ncx)):
        name = resolve_reference(opf, item["href"])[0] if item is not None else ""
        if name and (found := list(islice(read_table(parts, name), _MAX_ENTRIES))):
            entries = [Entry(label, *resolve_reference(name, link), depth) for label, link, depth in found if link]
            are_many = sum(entry.depth <= _MAX_DEPTH for entry in entries) > _MAX_CHAPTERS
            chapters = (entry for entry in entries if entry.depth <= (1 if are_many else _MAX_DEPTH))
            for entry in islice(chapters, _MAX_CHAPTERS):
                by_part[entry.part].append(entry)
            break
    return by_part


def _read_nav(parts: ZipParts, name: str) -> Iterator[tuple[str, str, int]]:
    """The links of EPUB 3's table of contents, which is the ``nav`` of that type: label, address and depth."""
    for each in _gather(parts, name, "nav", "ol", "a"):
        around = each.above
        while around is not None and around.name != "nav":
            around = around.above
        if each.name == "a" and around is not None and "toc" in around.attributes.get("type", "").split():
            yield _text(each), each.attributes.get("href", ""), each.count_above("ol")


def _read_ncx(parts: ZipParts, name: str) -> Iterator[tuple[str, str, int]]:
    """The same of EPUB 2's table of contents."""
    label = ""
    for each in _gather(parts, name, "navPoint", "text", "content"):
        depth = each.count_above("navPoint")
        if each.name == "navPoint":
            label = ""
        elif each.name == "text" and depth:
            label = _text(each)
        elif depth:
            yield label, each.attributes.get("src", ""), depth


def _find_encrypted(parts: ZipParts) -> set[str]:
    """The parts that are encrypted, but for fonts that are only made unreadable for others."""
    encrypted: set[str] = set()
    algorithm = ""
    for each in _gather(parts, _ENCRYPTION, "EncryptedData", "EncryptionMethod", "CipherReference"):
        if each.name == "EncryptedData":
            algorithm = ""
        elif each.name == "EncryptionMethod":
            algorithm = algorithm or each.attributes.get("Algorithm", "")
        elif algorithm not in _OBFUSCATED_FONTS:
            encrypted.add(resolve_reference("", each.attributes.get("URI", ""))[0])
    return encrypted
