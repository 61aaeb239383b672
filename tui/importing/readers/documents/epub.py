"""Reader of EPUB (.epub): a transcript for each chapter, in the order in which the book is read.

Chapters are what the table of contents names, down to the second level; where one is spread over several files they are
one, and where a file has several they are apart. Cover, contents, notes and pages of nothing but links are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial

from tui.importing.readers.documents.blocks import Block
from tui.importing.readers.documents.document import Chapter, Document
from tui.importing.readers.documents.epub_package import Entry, read_package
from tui.importing.readers.documents.html_page import Page, read_page
from tui.importing.readers.documents.zip_parts import ZipParts

_KIND = b"application/epub+zip"
_DEEPEST = 2
_MOST_CHAPTERS = 1000
"""Maximum chapters; where the second level of the contents has more, the first has to do."""
_LINKED_SHARE = 0.6
_BLOCKS_OF_A_LEAF, _CHARACTERS_OF_A_LEAF = 2, 60


def is_epub(parts: ZipParts) -> bool:
    return parts.read("mimetype").strip() == _KIND or "META-INF/container.xml" in parts


def read_epub(parts: ZipParts) -> Document:
    """Open a book; raises ``Unreadable``, where it is locked too."""
    package = read_package(parts)
    entries = [entry for entry in package.entries if entry.depth <= _DEEPEST]
    if len(entries) > _MOST_CHAPTERS:
        entries = [entry for entry in entries if entry.depth == 1]
    by_part: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries[:_MOST_CHAPTERS]:
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
