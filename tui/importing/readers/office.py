"""Readers of the documents of Word (.docx) and LibreOffice (.odt): the paragraphs of the text."""

from collections import Counter

from tui.importing.readers.cue_text import ANCHOR, SEPARATOR, TERMINATOR, mark_reading
from tui.importing.readers.documents import LINE_BREAK, Block, Blocks, Chapter, Document, ZipParts, join_block_text
from tui.importing.readers.trees import Elements, gather_elements, read_xml

# Reader of Word's documents (.docx): the paragraphs of the text, its tables' too, as they are with all changes taken.
#
# Source: ECMA-376, part 1, chapter 17 (WordprocessingML). Left out are deletions that are tracked, fields' codes,
# notes, tables of contents, hidden text, and what stands twice for older programs.

_MAIN = "word/document.xml"
_DOCX_UNREAD = frozenset(("del", "moveFrom", "Fallback", "instrText", "delText", "pict"))
_DOCX_CHARACTERS = {"tab": " ", "br": LINE_BREAK, "cr": LINE_BREAK, "noBreakHyphen": "\u2011"}


def is_docx(parts: ZipParts) -> bool:
    return _MAIN in parts


def read_docx(parts: ZipParts) -> Document:
    """Open a document; raises ``Unreadable``."""
    text = _DocxText()
    blocks = Blocks(read_xml(parts.text(_MAIN), text))
    # The first language of the styles is that of everything that names none.
    styled = (each.attributes.get("val") for each in gather_elements(parts.text("word/styles.xml"), "lang"))
    usual = next((language for language in styled if language is not None), None)
    language = text.languages.most_common(1)[0][0] if text.languages else usual
    return Document(None, language, lambda _: iter((Chapter("", blocks),)))


class _DocxText(Elements[Block]):
    """The blocks of the main part; a paragraph may have a text box with paragraphs of its own in it."""

    def __init__(self) -> None:
        super().__init__()
        self.languages: Counter[str] = Counter()
        self._unread = 0
        self._paragraphs: list[list[str]] = []
        self._is_text = False
        self._language = ""
        self._is_hidden = False
        self._is_contents = False
        self._ruby: tuple[list[str], list[str]] | None = None
        self._is_reading = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._unread or name in _DOCX_UNREAD:
            self._unread += 1
            return
        match name:
            case "p":
                self._paragraphs.append([])
                self._is_contents = False
            case "pStyle":
                self._is_contents = attributes.get("val", "").upper().startswith("TOC")
            case "r":
                self._language, self._is_hidden = "", False
            case "lang":
                self._language = attributes.get("val", "")
            case "vanish":
                self._is_hidden = attributes.get("val") not in ("0", "false")
            case "t":
                self._is_text = True
            case "ruby":
                self._ruby = [], []
            case "rt" | "rubyBase":
                self._is_reading = name == "rt"
            case _ if name in _DOCX_CHARACTERS and not (name == "br" and attributes.get("type") in ("page", "column")):
                self._add(_DOCX_CHARACTERS[name])

    def end(self, name: str) -> None:
        if self._unread:
            self._unread -= 1
            return
        match name:
            case "t":
                self._is_text = False
            case "ruby" if self._ruby is not None:
                (bases, readings), self._ruby = self._ruby, None
                self._add(mark_reading("".join(bases), "".join(readings)))
            case "p" if self._paragraphs:
                text = join_block_text(self._paragraphs.pop())
                if text and not self._is_contents:
                    self.found.append(Block(text))

    def characters(self, text: str) -> None:
        if self._is_text and not self._unread and not self._is_hidden:
            if self._language and len(self.languages) < 100:
                self.languages[self._language] += len(text)
            self._add(text)

    def _add(self, text: str) -> None:
        if self._ruby is not None:
            self._ruby[self._is_reading].append(text)
        elif self._paragraphs:
            self._paragraphs[-1].append(text)


# Reader of OpenDocument texts (.odt), as LibreOffice saves them: the paragraphs and headings of the text.
#
# Source: OASIS OpenDocument 1.3, part 3. Left out are notes, comments, tables of contents and what was deleted while
# changes were tracked.

_KIND = b"application/vnd.oasis.opendocument.text"
_ODT_UNREAD = frozenset(
    ("note", "annotation", "tracked-changes", "table-of-content", "sequence-decls", "forms", "script")
)
_ODT_CHARACTERS = {"tab": " ", "s": " ", "line-break": LINE_BREAK, "ruby-base": ANCHOR, "ruby-text": SEPARATOR}


def is_odt(parts: ZipParts) -> bool:
    return parts.read("mimetype").strip().startswith(_KIND) and "content.xml" in parts


def read_odt(parts: ZipParts) -> Document:
    """Open a document; raises ``Unreadable``."""
    text, styles = _OdtText(), _OdtText()
    blocks = Blocks(read_xml(parts.text("content.xml"), text))
    Blocks(read_xml(parts.text("styles.xml"), styles))
    return Document(None, styles.language or text.language, lambda _: iter((Chapter("", blocks),)))


class _OdtText(Elements[Block]):
    """The blocks of the content, and the first language that a style names."""

    def __init__(self) -> None:
        super().__init__()
        self.language: str | None = None
        self._unread = 0
        self._paragraphs: list[list[str]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._unread or name in _ODT_UNREAD:
            self._unread += 1
        elif name in ("p", "h"):
            self._paragraphs.append([])
        elif name == "text-properties" and self.language is None and attributes.get("language", "none") != "none":
            self.language = "-".join(filter(None, (attributes["language"], attributes.get("country"))))
        elif name in _ODT_CHARACTERS:
            self._add(_ODT_CHARACTERS[name])

    def end(self, name: str) -> None:
        if self._unread:
            self._unread -= 1
        elif name in ("p", "h") and self._paragraphs:
            if text := join_block_text(self._paragraphs.pop()):
                self.found.append(Block(text, name == "h"))
        elif name == "ruby-text":
            self._add(TERMINATOR)

    def characters(self, text: str) -> None:
        if not self._unread:
            self._add(text)

    def _add(self, text: str) -> None:
        if self._paragraphs:
            self._paragraphs[-1].append(text)
