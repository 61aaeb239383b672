"""Word segmentation: the words of a text with their places.

A word is a run of letters, digits and combining marks with single apostrophes and hyphens inside ("don't",
"Karl-Heinz"). Languages that elide an article or pronoun into the next word are cut behind the apostrophe ("l'" and
"eau"), and those that hang pronouns and particles on a verb are cut at the hyphen ("dit" and "il"), as their
dictionaries are. Chinese, Japanese and Thai are cut by BudouX's models; Lao, Khmer and Burmese, for which there is
none, are cut at spaces and zero-width spaces only. Where a segmenter of the language is installed, as that of Japanese
is nearly everywhere, it is asked instead: ``language.segmentation``, which all of Lode goes through but what may not
load a dictionary.

A library keeps counts of what is a word here. Where that changes for a language with spaces, a migration brings the
counts along; for one without they stay those of the day of the import, since a word that no import counted is counted
where its characters stand.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from tui.language.scripts import RANGES, SPACELESS, script_pattern
from tui.language.tags import base_language
from tui.language.word import Word

if TYPE_CHECKING:
    from budoux import Parser


_INNER = "'’ʼ\u2010\u2011\u00ad\u200c\u200d·״׳-"
_INNER_PAIR = r"(?<=\d)[.,](?=\d)|(?<=[א-ת])\"(?=[א-ת])"
"""Signs inside a word between two of a kind only: a decimal point, the gershayim of a Hebrew abbreviation."""
_PLAIN = re.compile(rf"[^\W_]+(?:(?:[{_INNER}]|{_INNER_PAIR})[^\W_]+)*")
_RARER = re.compile("[\u0300-\u036f\u0483-\u0489\u0591-\u1fff\u20d0-\u20ff\u2cef-\U0010ffff]")
"""Pattern of possible combining marks and scripts without spaces; texts without any of it take the short way."""
_MARK_BLOCKS = (
    *((0x300, 0x3100), (0xA66F, 0xAC00), (0xFB1E, 0xFB1F), (0xFE00, 0xFE30), (0x10000, 0x12000)),
    *((0x16AF0, 0x17000), (0x1BC9D, 0x1F000), (0xE0100, 0xE01F0)),
)
"""Blocks with Unicode's combining marks; looking through the whole code space would take five times as long."""
_KEYCAP = "\u20e3"

_APOSTROPHE = "['’ʼ]"
_HYPHEN = "[-\u2010\u2011]"
_ELISIONS = {
    "fr": rf"(?:[ldjmtsnc]|(?:jus|lors|puis|quoi)?qu){_APOSTROPHE}",
    "it": rf"[^\W\d_]+{_APOSTROPHE}",
    "ca": rf"[ldmnst]{_APOSTROPHE}",
    "pt": rf"d{_APOSTROPHE}",
    "ro": rf"(?:[mslinv]|[tnl]e|mi|[țţ]i|[șş]i|s[ăa]|(?:pr|d)?într|dintr|printr){_HYPHEN}",
}
"""Language → what is cut off the front of a word. Italian apostrophes stand between words nearly always."""
_ENCLITICS = {
    "fr": rf"je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|les?|la|y|en|[mtl]{_APOSTROPHE}(?:en|y)|ci|là",
    "pt": r"me|te|se|lhes?|nos|vos|[ln]?[oa]s?",
    "ca": rf"(?:[mts]e|[nv]os|l[oae]s?|li|h[oi]|ne|en|els?|us)(?:{_APOSTROPHE}(?:[nlm]|ls))?"
    rf"|[mtls]{_APOSTROPHE}(?:h[oi]|en)",
    "ro": r"[lio]|le|mi|[țţ]i|[șş]i|ne|v[ăi]|te|se|mă",
}
"""Language → what hangs on a word by a hyphen and is a word of its own."""
_HYPHENATED = {
    "fr": rf"(?:rendez|garde{_HYPHEN}à){_HYPHEN}vous|(?:celui|celles?|ceux){_HYPHEN}(?:ci|là)",
    "ca": rf"qui{_HYPHEN}sap{_HYPHEN}l[oae]s?",
    "ro": _ELISIONS["ro"] + ".+",  # cut at their front
}
"""Language → words that only look so; simplemma's lists have no others."""
_APOCOPES = {"it": re.compile(rf"(?:po|mo|be|va|fa|da|di|sta|to){_APOSTROPHE}", re.IGNORECASE)}
"""Language → words that end in an apostrophe ("un po'")."""

_MAX_RUN_LENGTH = 1000
"""Characters without a space or a stop that are cut into words together; nobody writes as many."""
_KANA = ("Hiragana", "Katakana")
_JAPANESE = "ja_word"
"""BudouX's model of Japanese words."""
_TRADITIONAL = re.compile(r"zh-(?:.*-)?(?:hant|tw|hk|mo)\b|yue\b", re.IGNORECASE)
_THAI_FOLLOWING = "ะาำๅๆ"
_THAI_LEADING = "เแโใไ"


def words(text: str, language: str | None) -> tuple[Word, ...]:
    """The words of the text in order, without punctuation and emoji; ``language`` None: as its scripts suggest."""
    return tuple(each_word(text, language))


def each_word(text: str, language: str | None) -> Iterator[Word]:
    """Iterate over the words of the text: a megabyte of Japanese takes many seconds."""
    base = base_language(language)
    is_cut = base in _ENCLITICS or base in _APOCOPES or base in _ELISIONS
    pattern = _patterns() if _RARER.search(text) else _PLAIN
    for match in pattern.finditer(text):
        if match.lastgroup == "spaceless":
            model = _chinese_or_japanese(text, language)
            for start in range(match.start(), match.end(), _MAX_RUN_LENGTH):
                yield from _segment(text[start : min(start + _MAX_RUN_LENGTH, match.end())], start, model)
        elif _KEYCAP in match.group():
            continue
        elif not is_cut:
            yield Word(match.group(), *match.span())
        else:
            for start, end in _without_enclitics(text, match.start(), match.end(), base):
                yield from _elided(text, start, end, base)


def word_texts(text: str, language: str | None) -> list[str]:
    """The texts of the words, without their places: in the scripts of most films in a fifth of the time."""
    base = base_language(language)
    if base in _ELISIONS or base in _ENCLITICS or (not text.isascii() and _RARER.search(text)):
        return [word.text for word in each_word(text, language)]
    return _PLAIN.findall(text)


@cache
def _patterns() -> re.Pattern[str]:
    """Words of any script, built once: ``re`` has no class for combining marks (``\\w`` leaves them out)."""
    ranges: list[list[int]] = []
    for point in (point for block in _MARK_BLOCKS for point in range(*block)):
        if unicodedata.category(chr(point))[0] == "M":
            if ranges and ranges[-1][1] == point - 1:
                ranges[-1][1] = point
            else:
                ranges.append([point, point])
    marks = "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)
    spaceless = "".join(RANGES[name] for name in SPACELESS)
    letter = rf"(?![{spaceless}])(?:[^\W_]|[{marks}])"
    return re.compile(
        rf"(?P<spaceless>[{spaceless}](?:[{spaceless}{marks}\u200d])*)"
        rf"|(?P<spaced>(?![{spaceless}])[^\W_](?:{letter})*(?:(?:[{_INNER}]|{_INNER_PAIR})(?:{letter})+)*)"
    )


def _without_enclitics(text: str, start: int, end: int, base: str) -> Iterator[tuple[int, int]]:
    """One spaced word, cut where its language hangs others on it; the t of "a-t-il" is no word."""
    if base in _ENCLITICS and (host := _host(base).fullmatch(text, start, end)):
        yield host.span("host")
        enclitics = _compiled(rf"{_HYPHEN}(?:t{_HYPHEN})?(?P<word>{_ENCLITICS[base]})(?={_HYPHEN}|\Z)")
        for enclitic in enclitics.finditer(text, host.end("host"), end):
            yield enclitic.span("word")
    else:
        yield start, end


def _elided(text: str, start: int, end: int, base: str) -> Iterator[Word]:
    """One spaced word, cut where its language elides."""
    if base in _APOCOPES and (apocope := _APOCOPES[base].fullmatch(text, start, end + 1)):
        yield Word(apocope.group(), start, apocope.end())
        return
    if base in _ELISIONS:
        front = _compiled(_ELISIONS[base])
        while (match := front.match(text, start, end)) and match.end() < end:
            yield Word(match.group(), start, match.end())
            start = match.end()
    yield Word(text[start:end], start, end)


@cache
def _host(base: str) -> re.Pattern[str]:
    part = f"[^{_HYPHEN[1:]}+"
    host = rf"(?P<host>{part}(?:{_HYPHEN}{part})*?)(?:{_HYPHEN}(?:t{_HYPHEN})?(?:{_ENCLITICS[base]}))+"
    return _compiled(rf"(?!(?:{_HYPHENATED.get(base, _HYPHEN)})\Z){host}")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _chinese_or_japanese(text: str, language: str | None) -> str:
    """The model for Han characters in this text."""
    base = base_language(language)
    if base == "ja" or (base not in ("zh", "yue", "lzh") and script_pattern(*_KANA).search(text)):
        return _JAPANESE
    return "zh-hant" if language and _TRADITIONAL.match(language.replace("_", "-")) else "zh-hans"


def _segment(run: str, start: int, han_model: str) -> Iterator[Word]:
    """The words of a run without spaces; runs of one model are cut together."""
    for part, model in _by_model(run, han_model):
        for chunk in _chunks(part, model) if model else [part]:
            yield Word(chunk, start, start + len(chunk))
            start += len(chunk)


def _by_model(run: str, han_model: str) -> Iterator[tuple[str, str]]:
    """The run in pieces, each with the name of its model, "" where there is none."""
    begin, current = 0, ""
    for index, character in enumerate(run):
        if unicodedata.category(character)[0] == "M" or character == "\u200d":
            continue
        if script_pattern("Thai").match(character):
            model = "th"
        elif script_pattern(*_KANA).match(character):
            model = _JAPANESE
        else:
            model = han_model if script_pattern("Han").match(character) else ""
        if index and model != current:
            yield run[begin:index], current
            begin = index
        current = model
    yield run[begin:], current


def _chunks(part: str, model: str) -> list[str]:
    chunks: list[str] = []
    for chunk in _parser(model).parse(part):
        if chunks and _joined(chunks[-1][-1], chunk[0]):
            chunks[-1] += chunk
        else:
            chunks.append(chunk)
    return chunks


def _joined(left: str, right: str) -> bool:
    """Whether no word ends between these two characters, whatever the model says."""
    is_katakana = script_pattern("Katakana").match
    return (
        unicodedata.category(right)[0] == "M"
        or right in _THAI_FOLLOWING + "ーゝゞ々"
        or left in _THAI_LEADING
        or (is_katakana(left) is not None and is_katakana(right) is not None)
    )


@cache
def _parser(model: str) -> Parser:
    from importlib.resources import files

    from budoux import Parser

    return Parser(json.loads((files("budoux") / "models" / f"{model}.json").read_text("utf-8")))
