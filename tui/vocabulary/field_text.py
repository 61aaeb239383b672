"""Text of a field of an Anki note: HTML, media and clozes read through, furigana as a reading.

Anki writes furigana as `` 決[き]まり``, with a space before what is read (docs.ankiweb.net, "Ruby Characters"), and
clozes as ``{{c1::text::hint}}``, one within another too. Patch languages of add-ons put more behind the reading:
``食[た,たべる;h]べる`` (Migaku) is read up to the comma.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from tui.language.scripts import RANGES, script_pattern
from tui.text.sanitize import laid_out
from tui.vocabulary.vocabulary_file import MAX_FIELD_LENGTH

_UNREAD_ELEMENT = re.compile(r"<(style|script|rp)\b[^<>]*>[^<]*(?:</\1\s*>)?", re.IGNORECASE)
_RUBY_TEXT = re.compile(r"<rt\b[^<>]*>([^<]*)</rt\s*>", re.IGNORECASE)
_LINE_END = re.compile(r"<(?:br|/?(?:div|p|li|ul|ol|tr|td|h[1-6]))\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_MEDIA = re.compile(r"\[(?:sound|anki):[^\[\]]*\]", re.IGNORECASE)
_CLOZE = re.compile(r"\{\{c([0-9,]{1,20})::([^{}]*)\}\}")
"""Pattern of a cloze without another one in it: they are replaced from the inside out."""
_MAX_CLOZE_DEPTH = 8
_FURIGANA = re.compile(r"[ \u3000]?([^\s\[\]]+)\[([^\[\]]*)\]")
_OTHER_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_READING_END = re.compile("[,;|]")
_KANA = re.compile(f"[{RANGES['Hiragana']}{RANGES['Katakana']}]+")


@dataclass(frozen=True, slots=True)
class FieldText:
    """Text of a field without its markup; ``reading`` is that of all of it, "" where nothing in it has any.

    ``cloze`` is its number where the text is what one of the clozes hides.
    """

    text: str
    reading: str = ""
    cloze: int | None = None


def read_field_text(html: str) -> FieldText:
    """The text of a field, clozes filled in."""
    return _read(_without_clozes(_without_tags(html)))


def read_field_words(html: str) -> tuple[FieldText, ...]:
    """The texts that a field has as words: what its clozes hide, each for itself, or all of it where it has none."""
    text = _without_tags(html)
    if "{{c" not in text:
        return (_read(text),)
    hidden: list[tuple[int, str]] = []
    for _ in range(_MAX_CLOZE_DEPTH):
        found = list(_CLOZE.finditer(text))
        if not found:
            break
        hidden += [(_first_number(cloze[1]), _answer(cloze)) for cloze in found]
        text = _CLOZE.sub(_answer, text)
    words = []
    for number, answer in hidden:
        read = _read(answer)
        words.append(FieldText(read.text, read.reading, number))
    return tuple(words) or (_read(text),)


def strip_readings(text: str) -> str:
    """A reading that is itself written with furigana, as kana: `` 決[き]まり`` is きまり."""
    read = _read(_without_tags(text))
    return read.reading or read.text


def _without_tags(html: str) -> str:
    text = html[:MAX_FIELD_LENGTH]
    if "<" in text:
        text = _without_comments(text)
        text = _UNREAD_ELEMENT.sub("", text)
        text = _RUBY_TEXT.sub(r"[\1]", text)
        text = _TAG.sub("", _LINE_END.sub("\n", text))
    if "&" in text:
        text = unescape(text)
    return laid_out(_MEDIA.sub("", text)).replace("\u00a0", " ").strip()


def _without_comments(text: str) -> str:
    """The text up to the first comment that has no end, without those before it."""
    kept, at = "", 0
    while (begin := text.find("<!--", at)) >= 0:
        kept += text[at:begin]
        end = text.find("-->", begin + 4)
        if end < 0:
            return kept
        at = end + 3
    return kept + text[at:]


def _without_clozes(text: str) -> str:
    for _ in range(_MAX_CLOZE_DEPTH):
        if "{{c" not in text:
            break
        text = _CLOZE.sub(_answer, text)
    return text


def _answer(cloze: re.Match[str]) -> str:
    return cloze[2].partition("::")[0]


def _first_number(numbers: str) -> int:
    first = numbers.partition(",")[0]
    return int(first) if first else 0


def _read(text: str) -> FieldText:
    """The text without readings in brackets, and the whole of it as they say it."""
    if "[" not in text:
        return FieldText(text)
    plain, reading, at, has_reading = "", "", 0, False
    for found in _FURIGANA.finditer(text):
        if not script_pattern("Han").search(found[1]):
            continue
        base, before = found[1], text[at : found.start()]
        if text[found.start() - 1 : found.start()] == "]":  # no space: kana that end the word before
            kana = _KANA.match(base)
            before, base = (before + kana[0], base[kana.end() :]) if kana else (before, base)
        said = _READING_END.split(found[2], maxsplit=1)[0].strip()
        plain, reading = plain + before + base, reading + before + (said or base)
        has_reading = has_reading or bool(said)
        at = found.end()
    plain, reading = plain + text[at:], reading + text[at:]
    plain, reading = (_OTHER_BRACKETS.sub("", each).strip() for each in (plain, reading))
    return FieldText(plain, reading if has_reading else "")
