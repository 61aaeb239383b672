"""Reader of HTML (.html, .htm, .xhtml): the article of a saved web page, a cue for each sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import unescaped
from tui.importing.readers.documents.article import article, article_blocks
from tui.importing.readers.documents.blocks import sentences_of
from tui.importing.readers.documents.html_page import read_page
from tui.importing.readers.xml_elements import root_follows
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
_MOST_HEADINGS = 20


def is_html(text: str) -> bool:
    """Whether this begins as a page does."""
    return root_follows(text[:_HEAD_CHARACTERS], _ROOT)


def read_html(lines: Iterable[str], language: str | None) -> Iterator[Cue]:
    """The sentences of the article as cues in order, without times; raises ``Unreadable``."""
    return sentences_of(article_blocks(lines), language)


def html_language(text: str) -> str | None:
    """The language that the page names."""
    head = text[:_HEAD_CHARACTERS]
    found = _LANGUAGE.search(head) or _LOCALE.search(head)
    return "-".join(found[1].replace("_", "-").split("-")[:3]) if found else None


def html_prose(text: str) -> str:
    """The text at the beginning of the page, without its markup."""
    return "\n".join(block.text for block in article(read_page([text[:_PROSE_CHARACTERS]])))


def html_title(text: str) -> str | None:
    """The title of the page, without the site's name where a heading says where it ends."""
    found = _TITLE.search(text[:_HEAD_CHARACTERS])
    title = _plain(found[1]) if found else ""
    for number, heading in enumerate(_HEADING.finditer(text)):
        if (shown := _plain(heading[1])) and (shown in title or not title):
            return shown
        if number == _MOST_HEADINGS:
            break
    return title or None


def _plain(raw: str) -> str:
    return " ".join(unescaped(_TAG.sub("", raw)).split())
