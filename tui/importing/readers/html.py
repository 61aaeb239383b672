"""Reader of HTML (.html, .htm, .xhtml): the article of a saved web page, a cue for each sentence."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape

from tui.importing.readers.cue_text import ANCHOR, SEPARATOR, TERMINATOR, unescape_text
from tui.importing.readers.documents import Block, cut_into_sentences
from tui.importing.readers.html_page import Page, read_page
from tui.importing.readers.trees import root_follows
from tui.records.transcripts import Cue

_ROOT = re.compile(r"<(?:!doctype\s{1,20}html|html|head|body)\b", re.IGNORECASE)
_HEAD_CHARACTERS = 100_000
_PROSE_CHARACTERS = 500_000
_VALUE = r"\s{0,10}=\s{0,10}[\"']?\s{0,10}([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3})\b"
_LANGUAGE = re.compile(rf"<(?:html|body)\s(?:[^<>]{{0,2000}}?\s)??(?:xml:)?lang{_VALUE}", re.IGNORECASE)
_LOCALE = re.compile(
    r"<meta\s[^<>]{0,500}?(?:og:locale|content-language)[\"'][^<>]{0,500}?\scontent" + _VALUE, re.IGNORECASE
)
_TITLE = re.compile(r"<title\b[^<>]{0,500}>([^<]{1,1000})", re.IGNORECASE)
_HEADING = re.compile(r"<h1\b[^<>]{0,1000}>(.{1,2000}?)</h1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_MAX_HEADINGS = 20


def is_html(text: str) -> bool:
    """Whether this begins as a page does."""
    return root_follows(text[:_HEAD_CHARACTERS], _ROOT)


def read_html(lines: Iterable[str], language: str | None) -> Iterator[Cue]:
    """The sentences of the article as cues in order, without times; raises ``Unreadable``."""
    return cut_into_sentences(find_article_blocks(lines), language)


def find_html_language(text: str) -> str | None:
    """The language that the page names."""
    head = text[:_HEAD_CHARACTERS]
    found = _LANGUAGE.search(head) or _LOCALE.search(head)
    return "-".join(found[1].replace("_", "-").split("-")[:3]) if found else None


def take_html_prose(text: str) -> str:
    """The text at the beginning of the page, without its markup."""
    return "\n".join(block.text for block in find_article(read_page([text[:_PROSE_CHARACTERS]])))


def find_html_title(text: str) -> str | None:
    """The title of the page, without the site's name where a heading says where it ends."""
    found = _TITLE.search(text[:_HEAD_CHARACTERS])
    title = _plain(found[1]) if found else ""
    for number, heading in enumerate(_HEADING.finditer(text)):
        if (shown := _plain(heading[1])) and (shown in title or not title):
            return shown
        if number == _MAX_HEADINGS:
            break
    return title or None


def _plain(raw: str) -> str:
    return " ".join(unescape_text(_TAG.sub("", raw)).split())


# The article of a web page: its text without what stands around it.
#
# Each container of the page is worth the characters of its text, less twice those that are links and something for each
# short line that is no sentence; the one that is worth the most is the article. On the 990 pages on which trafilatura
# is measured, the passages that belong to the articles are told from those that do not with an F1 of 0.87 (precision
# 0.84, recall 0.90), and with 0.92 by trafilatura, which is asked where it is installed (``lode[web]``): it weighs 60
# MB.

_SHORT = 60
"""Characters below which a block is more likely a button than a sentence."""
_COST_OF_SHORT, _COST_OF_LINKED = 15, 30
_ENDS_OF_SENTENCES = tuple('.!?…。！？"”»’」')
_LINKED_SHARE = 0.5
_LEAST_SHARE = 0.25
"""Share of a page's text that must be left without what stands beside it: else all of that was marked wrongly."""
_AS_GOOD = 0.98
_MAX_SIZE_FOR_TRAFILATURA, _MAX_TAGS_FOR_TRAFILATURA = 3_000_000, 1_000
"""Characters of a page, and elements in one paragraph of it: its time grows with the square of those, 26 s for 10 000.
"""
_LEAST_OF_TRAFILATURA = 0.2
"""Share of our own article below which it found something else: a poem, a dialogue, a page of a book."""
_PRINTABLE_MARKS = {ANCHOR: "\u2e22", SEPARATOR: "\u2e20", TERMINATOR: "\u2e23"}
"""Signs nobody uses in place of the marks of ruby, which trafilatura takes out as it does all that is not printable."""
_RUBY = re.compile(r"<ruby\b[^<>]{0,500}>(.{1,1000}?)</ruby\s*>", re.IGNORECASE | re.DOTALL)


def find_article_blocks(lines: Iterable[str]) -> list[Block]:
    """The blocks of the page's article in order; the lines are iterated over twice."""
    page = read_page(lines)
    own = find_article(page)
    if extracted := _extracted(lines, page):
        least = _LEAST_OF_TRAFILATURA * sum(len(block.text) for block in own)
        if sum(len(block.text) for block in extracted) >= least:
            return extracted
    return own


def find_article(page: Page) -> list[Block]:
    """The blocks of a page that are its article."""
    shown = [block for block in page.blocks if not block.is_aside]
    if _unlinked(shown) < _LEAST_SHARE * _unlinked(page.blocks):
        shown = page.blocks
    worth: Counter[int] = Counter()
    for block in shown:
        worth[block.container] += _worth(block)
    for container in range(len(page.parents) - 1, 0, -1):  # a container is opened behind those around it
        worth[page.parents[container]] += worth[container]
    most = max(worth.values(), default=0)
    if most <= 0:
        return shown
    best = max(container for container, its in worth.items() if its >= _AS_GOOD * most)
    inside = bytearray(len(page.parents))
    inside[best] = 1
    for container in range(best + 1, len(page.parents)):
        inside[container] = inside[page.parents[container]]
    if not best:
        inside = bytearray(b"\x01") * len(page.parents)
    return [block for block in shown if inside[block.container] and block.linked <= _LINKED_SHARE * len(block.text)]


def _unlinked(blocks: list[Block]) -> int:
    return sum(len(block.text) - block.linked for block in blocks)


def _worth(block: Block) -> int:
    worth = len(block.text) - 2 * block.linked
    if len(block.text) < _SHORT and not block.is_heading and not block.text.endswith(_ENDS_OF_SENTENCES):
        worth = min(worth, 0) - _COST_OF_SHORT
    if block.linked > _LINKED_SHARE * len(block.text):
        worth = min(worth, -_COST_OF_LINKED) - _COST_OF_LINKED
    return worth


def _extracted(lines: Iterable[str], page: Page) -> list[Block]:
    """Blocks of the article as trafilatura finds them; none without it, or where the page is too much for it."""
    if page.most_tags > _MAX_TAGS_FOR_TRAFILATURA:
        return []
    try:
        from trafilatura import extract
    except ImportError:
        return []
    log = logging.getLogger("trafilatura")
    log.propagate = False  # what it has to say of a page would be written over the app
    log.addHandler(logging.NullHandler())
    html = _joined(lines)
    marks = _PRINTABLE_MARKS if any(ANCHOR in block.text for block in page.blocks) else {}
    if marks:
        html = _with_marks(html, marks)
    text = (html and extract(html, include_comments=False, include_tables=False)) or ""
    for mark, sign in marks.items():
        text = text.replace(sign, mark)
    return [Block(line.removeprefix("- ")) for line in text.split("\n") if line.strip()]


def _joined(lines: Iterable[str]) -> str:
    kept: list[str] = []
    left = _MAX_SIZE_FOR_TRAFILATURA
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            return ""
        kept.append(line)
    return "\n".join(kept)


def _with_marks(html: str, marks: dict[str, str]) -> str:
    """The page with signs for its ruby elements."""

    def signs(found: re.Match[str]) -> str:
        text = "".join(block.text for block in read_page([found.group()]).blocks)
        return escape(text.translate({ord(mark): sign for mark, sign in marks.items()}))

    return _RUBY.sub(signs, html)
