"""Reader of OpenDocument texts (.odt), as LibreOffice saves them: the paragraphs and headings of the text.

Source: OASIS OpenDocument 1.3, part 3. Left out are notes, comments, tables of contents and what was deleted while
changes were tracked.
"""

from __future__ import annotations

from tui.importing.readers.documents.blocks import LINE_BREAK, Block, Blocks, block_text
from tui.importing.readers.documents.document import Chapter, Document
from tui.importing.readers.documents.zip_parts import ZipParts
from tui.importing.readers.ruby import ANCHOR, SEPARATOR, TERMINATOR
from tui.importing.readers.xml_elements import read_xml

_KIND = b"application/vnd.oasis.opendocument.text"
_UNREAD = frozenset(("note", "annotation", "tracked-changes", "table-of-content", "sequence-decls", "forms", "script"))
_CHARACTERS = {
    "tab": " ",
    "s": " ",
    "line-break": LINE_BREAK,
    "ruby-base": ANCHOR,
    "ruby-text": SEPARATOR,
}


def is_odt(parts: ZipParts) -> bool:
    return parts.read("mimetype").strip().startswith(_KIND) and "content.xml" in parts


def read_odt(parts: ZipParts) -> Document:
    """Open a document; raises ``Unreadable``."""
    text, styles = _Text(), _Text()
    for _ in read_xml(parts.text("content.xml"), text):
        pass
    if "styles.xml" in parts:
        for _ in read_xml(parts.text("styles.xml"), styles):
            pass
    return Document(None, styles.language or text.language, lambda _: iter((Chapter("", text.blocks),)))


class _Text:
    """The blocks of the content, and the first language that a style names."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        self.language: str | None = None
        self._unread = 0
        self._paragraphs: list[list[str]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._unread or name in _UNREAD:
            self._unread += 1
        elif name in ("p", "h"):
            self._paragraphs.append([])
        elif name == "text-properties" and self.language is None and attributes.get("language", "none") != "none":
            self.language = "-".join(filter(None, (attributes["language"], attributes.get("country"))))
        elif name in _CHARACTERS:
            self._add(_CHARACTERS[name])

    def end(self, name: str) -> None:
        if self._unread:
            self._unread -= 1
        elif name in ("p", "h") and self._paragraphs:
            if text := block_text(self._paragraphs.pop()):
                self.blocks.append(Block(text, name == "h"))
        elif name == "ruby-text":
            self._add(TERMINATOR)

    def characters(self, text: str) -> None:
        if not self._unread:
            self._add(text)

    def _add(self, text: str) -> None:
        if self._paragraphs:
            self._paragraphs[-1].append(text)
