"""Yomitan's structured content: the senses and examples in it as text, and its HTML for a card.

The content is a text, a list, or an object with ``tag``, ``content``, ``lang`` and ``data``, whose ``data.content``
names the part that it is (yomitan's ext/data/schemas/dictionary-term-bank-v3-schema.json). The names known here are
those of wty, made from Wiktionary, and of Jitendex, made from JMdict; the content without any is one sense.
Nothing of it reaches the HTML but the tags of a list, text that is escaped, and language tags.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tui.dictionaries import fields
from tui.records.dictionaries import Example, Sense
from tui.text.sanitize import without_controls

_MAX_DEPTH = 60
"""Maximum levels of content; what is below is left out. Tables within list items of Jitendex have fifteen."""
_MAX_NODES = 20_000
_MAX_HTML_LENGTH = 200_000
"""Maximum characters of an entry's HTML; the longest of Jitendex have 30 000."""
_MAX_NAME_LENGTH = 60
"""Longest title of a label that can stand for it; a longer one explains it."""
_INLINE = frozenset(("span", "ruby", "rt", "rp", "td", "th", "br"))
_BLOCKS = frozenset(("div", "ol", "ul", "li", "table", "thead", "tbody", "tfoot", "tr", "details", "summary"))
SAFE_TAGS = _INLINE | _BLOCKS | {"i"}
"""Tags of the HTML; ``i`` is a label's, the others the content's own. Links become their text, pictures nothing."""
_SENSES = "glosses"
_LISTS = frozenset((_SENSES, "glossary"))
"""Lists of senses and of glosses. Items of lists within those of senses, as wty writes them, are senses too."""
_LABELS = frozenset(("tags", "tag", "part-of-speech-info", "misc-info", "field-info", "dialect-info"))
_ASIDE = frozenset(
    ("attribution", "attribution-footnote", "backlink", "forms", "preamble", "xref", "antonym", "graphic")
)
"""Parts that are no meaning: sources, etymology, tables of forms, references."""
_FOLDED = "details-entry"
"""Beginning of the names of what wty folds away: of it, examples are taken and all else left out."""
_REDIRECT = "redirect-glossary"
_UNREAD = ("rt", "rp", "img")
_LANG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}\Z")
_BREAK = "\n"
_NEXT_GLOSS = "\x1e"
"""Mark between the glosses of a sense while its text is gathered; no text has it, as they are sanitised."""


class StructuredContent:
    """Gatherer of an entry's glossary: feed it the items one after the other, then take what it has.

    ``lemmas`` are terms that the content redirects to.
    """

    def __init__(self) -> None:
        self.senses: list[Sense] = []
        self.lemmas: list[str] = []
        self._has_markup = False
        self._html: list[str] = []
        self._text: list[str] = []
        self._tags: list[str] = []
        self._examples: list[Example] = []
        self._senses_open = 0
        self._splits_items = False
        self._left = _MAX_NODES

    def add(self, content: object) -> None:
        """Add an item: a sense, or as many as structured content is divided into; a text is one of its own."""
        if self._html:
            self._html.append("<br>")
        self._walk(content, 0)
        self._end_sense()

    def html(self) -> str:
        """The HTML of all items so far, "" where it has no markup or is more than a card can show."""
        html = "".join(self._html) if self._has_markup else ""
        return html if len(html) <= _MAX_HTML_LENGTH else ""

    def _say(self, text: str) -> None:
        if not text.isprintable():
            text = without_controls(text)
        self._text.append(text)
        self._html.append(_escaped(text))

    def _walk(self, node: Any, depth: int) -> None:
        kind = type(node)
        if kind is str:
            self._say(node)
            return
        if depth > _MAX_DEPTH:
            return
        if kind is list:
            for each in node:
                self._left -= 1
                if self._left < 0:
                    return
                self._walk(each, depth + 1)
        elif kind is dict:
            self._left -= 1
            part = _name_of(node)
            if not part or not self._takes_part(node, part, depth):
                self._element(node, depth)

    def _takes_part(self, node: dict[str, Any], part: str, depth: int) -> bool:
        """Take a part by its name; False for one that is like any other element."""
        content = node.get("content")
        if part in _LISTS:
            outer, self._splits_items = self._splits_items, part == _SENSES and not self._senses_open
            self._gloss_list(node, depth)
            self._splits_items = outer
        elif part == "sense":
            self._end_sense()
            self._senses_open += 1
            self._element(node, depth)
            self._senses_open -= 1
            self._end_sense()
        elif part in _LABELS:
            labels = _leaves(node, titles=True)
            self._tags += labels
            if labels:
                self._markup(f"<i>{_escaped(', '.join(labels))}</i> ")
        elif part == "example-sentence":
            self._example(content)
        elif part == _REDIRECT:
            if term := fields.clean_term(" ".join(_leaves(content)).strip("⟶→ ")):
                self.lemmas.append(term)
        elif part.startswith(_FOLDED):
            for example in _parts_named("example-sentence", content):
                self._example(example.get("content"))
        else:
            return part in _ASIDE
        return True

    def _gloss_list(self, node: dict[str, Any], depth: int) -> None:
        """A list whose items are the glosses of a sense, or the senses where none is open."""
        items = node.get("content")
        opened, closed = ("<ul>", "</ul>") if node.get("tag") == "ul" else ("<ol>", "</ol>")
        self._markup(opened)
        for item in items if type(items) is list else [items]:
            if self._senses_open:
                self._text.append(_NEXT_GLOSS)
            else:
                self._end_sense()
            self._senses_open += 1
            if type(item) is dict and item.get("tag") == "li":
                self._html.append("<li>")
                self._walk(item.get("content"), depth + 1)
                self._html.append("</li>")
            else:
                self._walk(item, depth + 1)
            self._senses_open -= 1
        if not self._senses_open:
            self._end_sense()
        self._html.append(closed)

    def _element(self, node: dict[str, Any], depth: int) -> None:
        tag, content = node.get("tag"), node.get("content")
        lang = node.get("lang")
        attribute = f' lang="{lang}"' if type(lang) is str and _LANG.match(lang) else ""
        if tag == "span" and attribute:
            self._markup(f"<span{attribute}>")
            self._walk(content, depth + 1)
            self._html.append("</span>")
        elif tag == "span" or type(tag) is not str or tag not in SAFE_TAGS:
            if tag != "img":
                self._walk(content, depth + 1)
        elif tag == "br":
            self._text.append(_BREAK)
            self._markup("<br>")
        elif tag in ("rt", "rp"):
            self._markup(f"<{tag}>{_escaped(' '.join(_leaves(content)))}</{tag}>")
        else:
            is_block = tag in _BLOCKS
            self._text.append(_BREAK if is_block else "" if tag == "ruby" else " ")
            if splits := tag == "li" and self._splits_items:
                self._end_sense()
            had_markup = self._has_markup
            self._markup(f"<{tag}{attribute}>")
            opened = len(self._html)
            self._walk(content, depth + 1)
            if len(self._html) > opened:
                self._html.append(f"</{tag}>")
            else:  # nothing was in it but what is left out
                self._html.pop()
                self._has_markup = had_markup
            if is_block:
                self._text.append(_BREAK)
            if splits:
                self._end_sense()

    def _markup(self, tag: str) -> None:
        self._has_markup = True
        self._html.append(tag)

    def _example(self, content: object) -> None:
        texts = ["\n".join(map(_plain, _parts_named(f"example-sentence-{each}", content))) for each in "ab"]
        if not texts[0]:
            texts = _plain(content).split("\n", 1)
        if (example := fields.make_example(*texts)) and len(self._examples) < fields.MAX_EXAMPLES:
            self._examples.append(example)
            shown = f"{example.text}\n{example.translation}" if example.translation else example.text
            self._markup("<div>" + _escaped(shown).replace("\n", "<br>") + "</div>")

    def _end_sense(self) -> None:
        text = "".join(self._text)
        self._text.clear()
        parts = text.split(_NEXT_GLOSS) if _NEXT_GLOSS in text else (text,)
        glosses = tuple(filter(None, map(_lines, parts)))
        if glosses:
            if len(self.senses) < fields.MAX_SENSES:
                tags = fields.drop_repetitions(self._tags)
                self.senses.append(Sense(glosses, tags, tuple(self._examples)))
            self._tags.clear()
            self._examples.clear()
        elif self._examples and self.senses:  # they stand behind the list of the senses
            last = self.senses[-1]
            examples = (*last.examples, *self._examples)[: fields.MAX_EXAMPLES]
            self.senses[-1] = replace(last, examples=examples)
            self._examples.clear()


def _lines(text: str) -> str:
    """The lines of a text without blank ones and without space around them."""
    if _BREAK not in text:
        return text.strip()[: fields.MAX_TEXT_LENGTH]
    return "\n".join(line for each in text.split(_BREAK) if (line := each.strip()))[: fields.MAX_TEXT_LENGTH]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _walk_part(content: object, waiting: list[object]) -> Iterator[str | dict[str, Any]]:
    """Iterate over the texts and elements of a part; whoever takes them puts what is in an element into ``waiting``."""
    waiting.append(content)
    for _ in range(_MAX_NODES):
        if not waiting:
            return
        node = waiting.pop()
        if isinstance(node, list):
            waiting += reversed(node[:_MAX_NODES])
        elif isinstance(node, str | dict):
            yield node


def _plain(content: object) -> str:
    """All text of a part, whatever parts it has itself, without readings, in lines as its elements break it."""
    pieces: list[str] = []
    waiting: list[object] = []
    for node in _walk_part(content, waiting):
        if isinstance(node, str):
            pieces.append(node)
        elif (tag := node.get("tag")) not in _UNREAD and _name_of(node) not in _ASIDE:
            if tag in ("td", "th"):
                pieces.append(" ")
            elif tag == "br" or (isinstance(tag, str) and tag in _BLOCKS):
                pieces.append(_BREAK)
                waiting.append(_BREAK)
            waiting.append(node.get("content"))
    return fields.clean_text(_lines("".join(pieces)))


def _name_of(node: dict[str, Any]) -> str:
    """The name of the part that an element is, "" for none."""
    data = node.get("data")
    part = data.get("content") if type(data) is dict else None
    return part if type(part) is str else ""


def _leaves(content: object, *, titles: bool = False) -> list[str]:
    """The texts in a part, each cleaned to a line; ``titles`` takes what explains a text ("vt") in its place."""
    found: list[str] = []
    waiting: list[object] = []
    for node in _walk_part(content, waiting):
        if isinstance(node, str):
            if (text := fields.clean_line(node)) and any(map(str.isalnum, text)):
                found.append(text)
                if len(found) == fields.MAX_LABELS:
                    break
        elif node.get("tag") not in _UNREAD:
            title = node.get("title")
            is_full = titles and isinstance(title, str) and 0 < len(title) <= _MAX_NAME_LENGTH
            waiting.append(title if is_full else node.get("content"))
    return found


def _parts_named(name: str, content: object) -> list[dict[str, Any]]:
    """The outermost elements in a part that are named so."""
    found: list[dict[str, Any]] = []
    waiting: list[object] = []
    for node in _walk_part(content, waiting):
        if isinstance(node, dict):
            if _name_of(node) == name:
                found.append(node)
            else:
                waiting.append(node.get("content"))
    return found
