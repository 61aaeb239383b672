"""Texts → the HTML of a field: what a text says is shown, nothing in it acts.

Anki reads more than tags in a field. ``[sound:…]`` and ``[anki:…]`` play, ``[latex]`` and ``[$]`` call TeX, and
``{{…}}`` is a cloze or a field as soon as the learner changes the note type. Their brackets become entities.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from tui.language.scripts import one_of
from tui.text.sanitize import without_controls

if TYPE_CHECKING:
    from markdown_it.renderer import RendererProtocol
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

_DIRECTIVE = re.compile(r"\{\{|\}\}|\[(?=sound:|anki:|/?latex\]|/?\$\$?\])", re.IGNORECASE)
_SPECIAL = re.compile("[&<>{}\\[\n\u2028\u2029]")
_LINE_END = re.compile("[\n\u2028\u2029]")
_PLAIN = re.compile(r"(?![\d#+\-=>|:\s])[^\\`*_\[\]<&~\n]*")
"""One line in which no character can mean anything in Markdown; these skip the renderer, which takes its time."""
_SAFE_LINK = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_SPACED_SCRIPTS = ("Latin", "Greek", "Cyrillic", "Armenian", "Georgian")
_ELLIPSIS = re.compile(r"\s*(?:…|\.\.\.)\s*")


def clean(text: str) -> str:
    """The text in NFC, as Anki keeps it, without control characters and without white space around it."""
    return unicodedata.normalize("NFC", without_controls(text)).strip()


def literal(text: str) -> str:
    """A cleaned text as HTML that shows exactly that text; line ends become ``<br>``."""
    if not _SPECIAL.search(text):
        return text
    return inert(_LINE_END.sub("<br>", escape(text, quote=False)))


def inert(html: str) -> str:
    """The HTML with everything that Anki itself would act on turned into entities."""
    return _DIRECTIVE.sub(lambda found: "".join(f"&#{ord(char)};" for char in found[0]), html)


def with_focus(sentence: str, surface: str) -> str:
    """``literal`` with the focus word in bold; both texts are cleaned.

    ``surface`` may leave words out ("fährt … ab"): its parts are looked for in order and all are bold. If one of them
    does not stand in the sentence nothing is bold, since the wrong word in bold teaches the wrong word.
    """
    spans = focus_spans(sentence, surface)
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        pieces += (literal(sentence[done:start]), "<b>", literal(sentence[start:end]), "</b>")
        done = end
    return "".join(pieces) + literal(sentence[done:])


def focus_spans(sentence: str, surface: str) -> tuple[tuple[int, int], ...]:
    """Where the parts of the surface stand in the sentence, in order; empty if not all of them do.

    Whole words come first. Failing that a part may touch other letters, as words do in Japanese, and in Arabic with its
    prefixes, but not in an alphabet that puts spaces between words: "rot" is not in "Brot". The exact case comes first.
    """
    parts = [" ".join(part.split()) for part in _ELLIPSIS.split(surface)]
    parts = [part for part in parts if part]
    if not parts:
        return ()
    line = _LINE_END.sub(" ", sentence)
    lower = line.lower()
    for free in (_is_between_words, _may_touch):
        if spans := _in_order(line, parts, free):
            return spans
        if len(lower) == len(line) and (spans := _in_order(lower, [part.lower() for part in parts], free)):
            return spans
    return ()


def _in_order(text: str, parts: Sequence[str], free: Callable[[str, int], bool]) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    start = 0
    for part in parts:
        while (start := text.find(part, start)) >= 0:
            end = start + len(part)
            if free(text, start) and free(text, end):
                break
            start += 1
        else:
            return ()
        spans.append((start, end))
        start = end
    return tuple(spans)


def _is_between_words(text: str, offset: int) -> bool:
    """Whether no word runs across the offset."""
    return not (0 < offset < len(text) and _is_word(text[offset - 1]) and _is_word(text[offset]))


def _may_touch(text: str, offset: int) -> bool:
    """Whether the offset cuts neither a word of an alphabet with spaces nor a letter from its marks."""
    if not 0 < offset < len(text):
        return True
    letter = one_of(*_SPACED_SCRIPTS)
    before, after = text[offset - 1], text[offset]
    return not (_is_mark(after) or (letter.match(before) and letter.match(after)))


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_" or _is_mark(char)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def markdown(text: str) -> str:
    """A cleaned Markdown text as HTML: no raw HTML, no images, links only to http, https and mail addresses."""
    if not text:
        return ""
    if _PLAIN.fullmatch(text):
        return f"<p>{literal(text)}</p>"
    return inert(_renderer()(text).rstrip("\n"))


@cache
def _renderer() -> Callable[[str], str]:
    from markdown_it import MarkdownIt

    def alternative(
        renderer: RendererProtocol, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
    ) -> str:
        return escape(tokens[index].content, quote=False)

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "xhtmlOut": False}).enable(
        ["table", "strikethrough"]
    )
    parser.validateLink = lambda url: _SAFE_LINK.match(url) is not None  # type: ignore[method-assign]
    parser.add_render_rule("image", alternative)
    return lambda text: str(parser.render(text))
