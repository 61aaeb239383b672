"""HTML of fields as text: what a reader would see, in lines, without styles, scripts and readings above characters.

The fields are anybody's, and a million characters of them are read in a second whatever they are, which Python's own
parser does not promise: a comment that never ends takes it a minute. No tree is needed, so each character is looked at
once, from tag to tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from tui.text.sanitize import laid_out, one_line

_HIDDEN = frozenset(("style", "script", "template", "title", "head"))
_READINGS = frozenset(("ruby", "rt", "rp"))
_BLOCKS = frozenset(
    (
        *("address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "hr", "li", "ol"),
        *("p", "pre", "section", "table", "td", "th", "tr", "ul"),
    )
)
_BOLD = frozenset(("b", "strong"))
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]{0,40})")
_QUOTE_OR_END = re.compile("[\"'>]")
_COMMENT, _COMMENT_END = "<!--", "-->"
_MEDIA = re.compile(r"\[sound:[^\]\[]*\]")
_CLOZE = re.compile(r"\{\{c\d{1,3}::([^{}]{0,2000}?)(?:::[^{}]{0,200})?\}\}")


def lines_of(html: str) -> list[str]:
    """The lines that a field shows, none of them empty."""
    text, _ = _read(html)
    return [line for each in laid_out(text).split("\n") if (line := one_line(each).strip())]


def text_of(html: str) -> str:
    """The text that a field shows, in one line."""
    return " ".join(lines_of(html))


def bold_in(html: str) -> str:
    """The words that a field shows in bold, with … between them; "" for none, and where all of it is bold."""
    text, bold = _read(html)
    words = [word for each in bold if (word := one_line(each).strip())]
    return "" if "".join("".join(words).split()) == "".join(one_line(text).split()) else " … ".join(words)


def _read(html: str) -> tuple[str, list[str]]:
    """The visible text, with a line end at each edge of a block, and what of it is bold."""
    pieces, bold, hidden, in_bold = list[str](), list[str](), list[str](), 0
    for kind, value, _ in _tokens(html):
        if kind == "text":
            if not hidden:
                pieces.append(text := unescape(value).replace("\n", " ").replace("\r", " "))
                if in_bold:
                    bold[-1] += text
        elif value in _READINGS:  # neither has to be closed before the next one, or before its ruby is
            hidden = [each for each in hidden if each not in _READINGS]
            hidden += [value] if kind == "begin" and value != "ruby" else []
        elif value in _HIDDEN:
            if kind == "begin":
                hidden.append(value)
            elif value in hidden[-1:]:
                hidden.pop()
        elif value in _BLOCKS:
            pieces.append("\n")
        elif value in _BOLD and kind == "begin":
            bold += [] if in_bold else [""]
            in_bold += 1
        elif value in _BOLD:
            in_bold = max(0, in_bold - 1)
    return _CLOZE.sub(r"\1", _MEDIA.sub("", "".join(pieces))), bold


def iterate_tags(html: str) -> Iterator[tuple[str, str]]:
    """Iterate over the names of the tags that begin something, in small letters, and their attributes as they stand."""
    return ((name, attributes) for kind, name, attributes in _tokens(html) if kind == "begin")


def _tokens(html: str) -> Iterator[tuple[str, str, str]]:
    """Iterate over the text and the names of the tags that ("begin") or ("end"), with their attributes, in order."""
    at = 0
    while (start := html.find("<", at)) >= 0:
        yield "text", html[at:start], ""
        if html.startswith(_COMMENT, start):
            end = html.find(_COMMENT_END, start + len(_COMMENT))
            at = len(html) if end < 0 else end + len(_COMMENT_END)
            continue
        tag = _TAG.match(html, start)
        if tag is None:
            yield "text", "<", ""
            at = start + 1
            continue
        end = _find_end(html, tag.end())
        if end < 0:  # it is never closed, and nor is any behind it
            at = start
            break
        yield ("end" if tag[1] else "begin"), tag[2].lower(), html[tag.end() : end]
        at = end + 1
    yield "text", html[at:], ""


def _find_end(html: str, at: int) -> int:
    """The place where a tag is closed, -1 for nowhere: a sign in quotation marks does not close it."""
    while (found := _QUOTE_OR_END.search(html, at)) is not None:
        if found[0] == ">":
            return found.start()
        closed = html.find(found[0], found.end())
        if closed < 0:
            return html.find(">", found.end())
        at = closed + 1
    return -1
