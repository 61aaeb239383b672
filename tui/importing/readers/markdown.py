"""Reader of Markdown (.md): its text without marks, a cue for each sentence; a heading is one of its own.

markdown-it-py parses it (CommonMark with tables). Blocks of code and of HTML, images and addresses of links are left
out, and so is the front matter (``title``, ``lang``), which is read by the two lines that matter and not as YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tui.importing.readers.documents import LINE_BREAK, Block, cut_into_sentences, join_block_text
from tui.importing.readers.html_page import read_page
from tui.records.transcripts import Cue

if TYPE_CHECKING:
    from markdown_it.token import Token


_FRONT_MATTER = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\n(.{0,20000}?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|lang|language)[ \t]*[:=][ \t]*(.{1,500})$", re.IGNORECASE | re.MULTILINE)
_HEADING = re.compile(r"^#[ \t]+(.{1,300}?)[ \t#]*$", re.MULTILINE)
_HEAD_CHARACTERS = 20_000
_SECTION_CHARACTERS = 200_000
"""Characters parsed at once, up to the end of a paragraph: the parser makes objects of fifty times that size."""
_BRACKET_OR_END = re.compile(r"[\[\]]|\n[ \t]*\n")
_MAX_BRACKET_DEPTH = 100
"""Brackets that are open at once in a paragraph that has links: the parser looks for the end of each anew, which takes
a minute for ten thousand of them."""
_NOTE = re.compile(r"\[\^[^\]\n]{1,60}\](?::[ \t]*)?")


def read_markdown(lines: Iterable[str], language: str | None) -> Iterator[Cue]:
    """The sentences as cues in order, without times."""
    return cut_into_sentences(_Blocks(lines), language)


def find_markdown_language(text: str) -> str | None:
    """The language that the front matter names."""
    fields = _front_matter(text)
    return fields.get("lang") or fields.get("language")


def find_markdown_title(text: str) -> str | None:
    """The title that the front matter names, or the first heading of the first level."""
    if title := _front_matter(text).get("title"):
        return title
    heading = _HEADING.search(text[:_HEAD_CHARACTERS])
    return heading[1].strip("*_` ") if heading else None


def _front_matter(text: str) -> dict[str, str]:
    found = _FRONT_MATTER.match(text)
    return {name.lower(): value.strip().strip("\"'") for name, value in _FIELD.findall(found[2])} if found else {}


class _Blocks:
    """The blocks of the document, parsed anew in each iteration, a section of it at a time."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines

    def __iter__(self) -> Iterator[Block]:
        for number, section in enumerate(self._sections()):
            found = _FRONT_MATTER.match(section) if number == 0 else None
            yield from _blocks_of(section[found.end() :] if found else section)

    def _sections(self) -> Iterator[str]:
        kept: list[str] = []
        size = 0
        for line in self._lines:
            kept.append(line)
            size += len(line) + 1
            if size > _SECTION_CHARACTERS and (not line.strip() or size > 2 * _SECTION_CHARACTERS):
                yield "\n".join(kept)
                kept, size = [], 0
        yield "\n".join(kept)


def _blocks_of(text: str) -> Iterator[Block]:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 20}).enable(["table", "strikethrough"])
    if _bracket_depth(text) > _MAX_BRACKET_DEPTH:
        parser.disable(["link", "image"])
    heading = False
    for token in parser.parse(text):
        if token.type in ("heading_open", "heading_close"):
            heading = token.type == "heading_open"
        elif token.type == "inline" and (shown := _text(token)):
            yield Block(shown, heading)


def _bracket_depth(text: str) -> int:
    """The most brackets that are open at once, in any paragraph."""
    depth = deepest = 0
    for found in _BRACKET_OR_END.finditer(text):
        depth = {"[": depth + 1, "]": max(0, depth - 1)}.get(found[0], 0)
        deepest = max(deepest, depth)
    return deepest


def _text(inline: Token) -> str:
    """The text of a block; of HTML in it only ruby means anything."""
    pieces: list[str] = []
    has_html = False
    for token in inline.children or ():
        match token.type:
            case "text" | "code_inline":
                pieces.append(_NOTE.sub("", token.content))
            case "softbreak":
                pieces.append("\n")
            case "hardbreak":
                pieces.append(LINE_BREAK)
            case "html_inline":
                has_html = True
                pieces.append(token.content)
    if has_html:
        return "\n".join(block.text for block in read_page(["".join(pieces)], is_book=True).blocks)
    return join_block_text(pieces)
