"""HTML of a note's fields: a text is shown as it is, and nothing in it acts.

Anki reads more than tags in a field. ``[sound:…]`` and ``[anki:…]`` play, ``[latex]`` and ``[$]`` call TeX, and
``{{…}}`` is a cloze or a field as soon as the learner changes the note type. Their brackets become entities. MathJax
reads the shown text instead, entities or not: an empty element between the characters of its marks breaks them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from html import escape
from typing import Any

from tui.language.focus import find_focus_spans, split_at_focus
from tui.language.scripts import RANGES, list_scripts
from tui.language.tags import normalise
from tui.text.sanitize import without_controls

_DIRECTIVE = re.compile(r"\{\{|\}\}|\[(?=sound:|anki:|/?latex\]|/?\$\$?\])", re.IGNORECASE)
_MATH = re.compile(r"<[^>]*>|\\(?=[(\[])|\$(?=\$)")
_SPECIAL = re.compile("[&<>{}\\[\\\\$\n\u2028\u2029]")
_LINE_END = re.compile("[\n\u2028\u2029]")
_PLAIN = re.compile(r"(?![\d#+\-=>|:\s])[^\\`*_\[\]<&~\n]*")
"""Pattern of a line without any Markdown, which skips the renderer: that takes its time."""
_READ = re.compile(r" ?([^ \[\]]+?)\[[^\]]*\]|.", re.DOTALL)
"""Pattern of a group of characters with its reading, as Anki finds them, or of one character."""
_SAFE_LINK = re.compile(r"(?:https?|mailto):", re.IGNORECASE)


def clean(text: str) -> str:
    """The text in NFC, as Anki keeps it, without control characters and without white space around it."""
    return unicodedata.normalize("NFC", without_controls(text)).strip()


def literal(text: str) -> str:
    """A cleaned text as HTML that shows exactly that text; line ends become ``<br>``."""
    if not _SPECIAL.search(text):
        return text
    return disarm_directives(_LINE_END.sub("<br>", escape(text, quote=False)))


def disarm_directives(html: str) -> str:
    """The HTML with everything that Anki itself would act on turned into entities."""
    inert = _DIRECTIVE.sub(lambda found: "".join(f"&#{ord(char)};" for char in found[0]), html)
    return _MATH.sub(lambda found: found[0] if found[0].startswith("<") else f"{found[0]}<span></span>", inert)


def mark_focus_in_readings(written: str, surface: str) -> str:
    """HTML as of ``mark_bold`` of a sentence with readings in it: これは 昨日[きのう]の."""
    return mark_bold(written, find_focus_in_readings(written, surface))


def find_focus_in_readings(written: str, surface: str) -> tuple[tuple[int, int], ...]:
    """The focus word's places in a sentence with readings in it, which takes in the readings of its characters."""
    places: list[tuple[int, int]] = []
    text = ""
    for unit in _READ.finditer(written):
        shown = unit[1] or unit[0]
        text += shown
        places += [unit.span()] * len(shown)
    return tuple((places[start][0], places[end - 1][1]) for start, end in find_focus_spans(text, surface))


def mark_bold(sentence: str, spans: Sequence[tuple[int, int]]) -> str:
    """HTML as of ``literal``, with these places in bold; the sentence is cleaned."""
    pieces = ((literal(text), is_focus) for text, is_focus in split_at_focus(sentence, spans))
    return "".join(f"<b>{html}</b>" if is_focus else html for html, is_focus in pieces)


def markdown(text: str) -> str:
    """A cleaned Markdown text as HTML: no raw HTML, no images, links only to http, https and mail addresses."""
    if not text:
        return ""
    if _PLAIN.fullmatch(text):
        return f"<p>{literal(text)}</p>"
    return disarm_directives(_renderer()(text).rstrip("\n"))


@cache
def _renderer() -> Callable[[str], str]:
    from markdown_it import MarkdownIt

    def alternative(renderer: object, tokens: Sequence[Any], index: int, *options: object) -> str:
        return escape(tokens[index].content, quote=False)

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "xhtmlOut": False})
    parser.enable(["table", "strikethrough"])
    parser.validateLink = lambda url: _SAFE_LINK.match(url) is not None  # type: ignore[method-assign]  # as its documentation says
    parser.add_render_rule("image", alternative)
    return lambda text: str(parser.render(text))


_scripts = lru_cache(64)(list_scripts)
_RIGHT_TO_LEFT = ("Hebrew", "Arabic", "Syriac", "Thaana", "NKo", "Adlam")
_GLYPHS_DIFFER = ("Han", "Hiragana", "Katakana", "Hangul")
"""Scripts whose characters look different from language to language, or come from fonts of their own."""
_POINTS = "\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u200c\u200d"
"""Vowel points and joiners: part of a word, but no letters."""
_TAG = re.compile("<[^>]*>")
_LETTER = re.compile(r"[^\W\d_]")


def mark_language(html: str, language: str | None) -> str:
    """The HTML of a text in the language that is learned, with ``lang`` and ``dir``; as it is where none is known."""
    tag = normalise(language or "")
    if not html or tag is None:
        return html
    return f"{_opening(tag, html)}{html}</span>"


def mark_words_of(html: str, language: str | None) -> str:
    """The HTML of a text in another language, with ``lang`` and ``dir`` on words of the language that is learned.

    They are told by their script, where that is written from the right or has glyphs of its own. A text that is mostly
    in that script is left alone: it is no other language's, or one that shares it, as Chinese about Japanese.
    """
    tag = normalise(language or "")
    words = _words(tag) if tag else None
    if tag is None or words is None or not words.search(html):
        return html
    text = _TAG.sub("", html)
    if 2 * sum(len(_LETTER.findall(found)) for found in words.findall(text)) > len(_LETTER.findall(text)):
        return html

    def marked(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith("<") else f"{_opening(tag, found[0])}{found[0]}</span>"

    return re.sub(f"{_TAG.pattern}|{words.pattern}", marked, html)


def _opening(tag: str, html: str) -> str:
    scripts = _scripts(tag)
    if not scripts:
        return f'<span lang="{tag}" dir="auto">'
    turned = [name for name in scripts if name in _RIGHT_TO_LEFT]
    from_right = bool(turned) and re.search(_class(turned), html) is not None
    return f'<span lang="{tag}" dir="{"rtl" if from_right else "ltr"}">'


@lru_cache(64)
def _words(tag: str) -> re.Pattern[str] | None:
    """The pattern of words in a script of this language, None where the script tells nothing."""
    names = [name for name in _scripts(tag) if name in (*_RIGHT_TO_LEFT, *_GLYPHS_DIFFER)]
    if not names:
        return None
    letters = _class(names, _POINTS)
    return re.compile(rf"{letters}+(?:[ ,'׳״\-־、，・]{{1,2}}{letters}+)*")


def _class(names: list[str], more: str = "") -> str:
    return "[" + "".join(RANGES[name] for name in names) + more + "]"
