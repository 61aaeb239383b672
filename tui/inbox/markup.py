"""HTML of fields as text: what a reader would see, in lines, without styles, scripts and readings above characters."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from tui.text.sanitize import laid_out, one_line

_HIDDEN = frozenset(("style", "script", "rt", "rp", "template", "title", "head"))
_LINES = frozenset(
    ("address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "h1", "h2", "h3", "hr", "li", "ol")
)
_MORE_LINES = frozenset(("p", "pre", "section", "table", "td", "th", "tr", "ul"))
_BOLD = frozenset(("b", "strong"))
_MEDIA = re.compile(r"\[sound:[^\]\[]*\]")
_CLOZE = re.compile(r"\{\{c\d+::(.*?)(?:::[^{}]*)?\}\}", re.DOTALL)


class _Text(HTMLParser):
    """The visible text, with a line end at each edge of a block, and what of it is bold."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.bold: list[str] = []
        self._hidden = 0
        self._in_bold = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag in _LINES or tag in _MORE_LINES:
            self.pieces.append("\n")
        elif tag in _BOLD:
            if not self._in_bold:
                self.bold.append("")
            self._in_bold += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _LINES or tag in _MORE_LINES:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _LINES or tag in _MORE_LINES:
            self.pieces.append("\n")
        elif tag in _BOLD:
            self._in_bold = max(0, self._in_bold - 1)

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        data = data.replace("\n", " ").replace("\r", " ")
        self.pieces.append(data)
        if self._in_bold:
            self.bold[-1] += data


def _read(html: str) -> tuple[str, list[str]]:
    if "<" not in html and "&" not in html:
        text, bold = html, list[str]()
    else:
        parser = _Text()
        parser.feed(html)
        parser.close()
        text, bold = "".join(parser.pieces), parser.bold
    return _CLOZE.sub(r"\1", _MEDIA.sub("", text)), bold


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
