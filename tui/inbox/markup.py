"""HTML of fields as text: what a reader would see, in lines, without styles, scripts and readings above characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from tui.text.sanitize import laid_out, one_line

_HIDDEN = frozenset(("style", "script", "rt", "rp", "template", "title", "head"))
_LINES = frozenset(
    (
        *("address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "h1", "h2", "h3", "hr", "li", "ol"),
        *("p", "pre", "section", "table", "td", "th", "tr", "ul"),
    )
)
_BOLD = frozenset(("b", "strong"))
_MEDIA = re.compile(r"\[sound:[^\]\[]*\]")
_CLOZE = re.compile(r"\{\{c\d{1,3}::([^{}]*)\}\}")
_TAG_NAME = re.compile(r"<([/!?]?[a-zA-Z][^\s/>]{0,40})")
_QUOTE_OR_END = re.compile("[\"'>]")
_UNREAD = {name: re.compile(rf"</{name}", re.I) for name in ("style", "script")}
"""Elements in which < is only a sign, up to their own end."""


def iter_tags(html: str) -> Iterator[tuple[str, str, str]]:
    """Iterate over the tags of a text: each one's name ("/b" for an end, "" for comments and the end of the text), what
    stands in it behind its name, and the text before it, in which references to characters are still written out.

    Each character is looked at once: what clients send may be long, and made to keep a parser busy that looks again.
    """
    done = at = 0
    while (at := html.find("<", at)) >= 0:
        if html.startswith("<!--", at):
            name, first, end = "", at, html.find("-->", at + 4)
            end = len(html) if end < 0 else end + 3
        elif found := _TAG_NAME.match(html, at):
            name, first = found[1].lower(), found.end()
            if (end := _find_tag_end(html, first)) < 0:
                break  # as "a <b" in a text that is none of HTML
        else:
            at += 1
            continue
        yield name, html[first:end], html[done:at]
        done = at = end
        if name in _UNREAD:
            closing = _UNREAD[name].search(html, at)
            done = at = len(html) if closing is None else closing.start()
    yield "", "", html[done:]


def _find_tag_end(html: str, at: int) -> int:
    """Where a tag ends, behind its >, of which those in quotes are none; -1 where it does not end."""
    while (found := _QUOTE_OR_END.search(html, at)) is not None:
        if found[0] == ">":
            return found.end()
        at = html.find(found[0], found.end()) + 1
        if not at:
            return -1
    return -1


def _read(html: str) -> tuple[str, list[str]]:
    """The visible text, with a line end at each edge of a block, and what of it is bold."""
    pieces, bold = list[str](), list[str]()
    hidden = in_bold = 0
    if "<" not in html and "&" not in html:
        pieces.append(html)
        html = ""
    for name, rest, before in iter_tags(html):
        if before and not hidden:
            text = unescape(before).replace("\n", " ").replace("\r", " ")
            pieces.append(text)
            if in_bold:
                bold[-1] += text
        tag = name.removeprefix("/")
        if tag in _LINES:
            pieces.append("\n")
        elif tag in _HIDDEN and not rest.endswith("/>"):
            hidden = max(0, hidden + (1 if tag == name else -1))
        elif tag in _BOLD:
            if tag == name and not in_bold:
                bold.append("")
            in_bold = max(0, in_bold + (1 if tag == name else -1))
    return _CLOZE.sub(lambda found: found[1].partition("::")[0], _MEDIA.sub("", "".join(pieces))), bold


def lines_of(html: str) -> list[str]:
    """The lines that a field shows, none of them empty."""
    text, _ = _read(html)
    return [line for each in laid_out(text).split("\n") if (line := one_line(each).strip())]


def text_of(html: str) -> str:
    """What a field shows, in one line."""
    return " ".join(lines_of(html))


def bold_in(html: str) -> str:
    """The words that a field shows in bold, with … between them; "" for none, and where all of it is bold."""
    text, bold = _read(html)
    words = [word for each in bold if (word := one_line(each).strip())]
    return "" if "".join("".join(words).split()) == "".join(one_line(text).split()) else " … ".join(words)
