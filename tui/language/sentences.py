"""Sentence segmentation: paragraphs, lines that a margin broke, and the ends of sentences inside them.

The rules are our own. pysbd has had no release since 2021, simplemma's splitter knows neither Chinese nor Japanese nor
dialogue and takes a broken line for a space in every script, and both would have to be told about paragraphs anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from tui.language.joining import seam
from tui.language.scripts import SPACELESS, is_spaceless, script_pattern
from tui.language.tags import base_language

LONGEST = 400
"""Maximum characters of a sentence; a longer one is cut at a semicolon, colon or comma, if it has any."""

_CUT_ANYWHERE = 10 * LONGEST
"""Characters beyond which a sentence is cut even where it has none of them: it is no sentence."""
_LONGEST_PARAGRAPH = 1_000_000
_NARROWEST_MARGIN = 40
_WRAPPED_SHARE = 0.7
_RULE = re.compile(r"[-=_*~#\s]{3,}\Z")
_OWN_LINE = re.compile(r"[-–—•*‣·]\s|[-–—][^\W\d_]|\d{1,3}[.)]\s|[\u3000]")
"""Beginning of a line that starts anew: dialogue, list items, the indented paragraphs of Chinese and Japanese books."""

_STOPS = ".!?…‼⁇⁈⁉؟۔।॥։"
_WIDE_STOPS = "。！？｡．"
_CLOSERS = "\"'”’»›«‹“‘)]}」』）】〉》｣〕］"
"""Signs behind a full stop that belong to its sentence; German closes with “ and «."""
_WIDE_CLOSERS = _CLOSERS.translate(dict.fromkeys(map(ord, "«‹“‘")))
_OPENERS = "\"'“‘„‚«»‹›([{¿¡「『（【〈《｢〔［—–-"
_STOP = re.compile(
    rf"(?P<wide>[{_WIDE_STOPS}][{_STOPS}{_WIDE_STOPS}]*)(?P<closed>[{re.escape(_WIDE_CLOSERS)}]*)"
    rf"|(?P<stop>[{_STOPS}]+)(?P<closers>[{re.escape(_CLOSERS)}]*)(?=\s|\Z)"
)
_SPOKEN_ON = re.compile(r"[\u3041-\u309f、，,]")
"""Pattern after a closing quote where the sentence goes on (「…。」と言った)."""
_TOKEN_BEFORE = re.compile(r"[^\s(\[{\"“„«‘'—–-]*\Z")
_BEFORE = 40
"""Number of characters in which the word before a full stop is looked for."""
_FINAL = re.compile(rf"[{_STOPS}{_WIDE_STOPS}][{re.escape(_CLOSERS)}]*\Z")

_ABBREVIATIONS = {
    "": "dr prof mr mrs ms mme mlle mmes mlles messrs mgr dipl phil jur vs cf ca hrsg ebd approx",
    "en": "st rev gen col capt cmdr lt sgt maj gov sen rep pres hon mt ft ave blvd rd dept jan feb apr aug sept oct",
    "de": """fr hr hrn frl ing med bzw vgl evtl ggf sog gem bspw zzgl inkl exkl abs abschn bd bde jh nr tel str geb
        gest verh mio mrd mind max min allg bes eigtl ehem urspr ugs dgl anm aufl ausg kap abb tab st okt dez""",
    "fr": "mm me st ste av env éd chap art janv févr juil sept oct nov déc bd boul tél",
    "es": "sr sra srta sres dña st vd vds ud uds ej pág págs núm tít tfno excmo ilmo av apdo dir gral",
    "pt": "sr sra srs sras dra drs profa ex pág págs núm av tel eng",
    "it": "sig sigg sigra dott ing avv rag geom on egr spett gent pag",
    "nl": "dhr mevr drs ir mej blz bijv resp st nr tel",
    "pl": "tj tzw np ul godz por inż tys mln św ok al pl im",
    "cs": "tj tzv např atp č mj resp ing mudr judr ul nám",
    "ru": "др проф ул им г гг тт тыс млн млрд руб стр см ср напр",
    "sv": "t.ex bl.a s.k d.v.s kl nr",
    "da": "f.eks bl.a kl nr pga mht",
    "nb": "f.eks bl.a kl nr pga mht",
}
"""Words written with a full stop that ends no sentence, by language; without it and in lower case."""
_BEFORE_NUMBERS = "no nos nr nº n° fig figs vol pp p art ch kap abb tab cap pág págs pag s bl str č"
"""Abbreviations only where a number follows; elsewhere they are words."""
_OFTEN_LAST = """
etc usw ff ecc enz itd itp atd osv jr inc ltd co corp bros a.m p.m d.c u.s т.д т.п др
"""
"""Abbreviations that end a sentence when a capital follows."""
_ORDINALS = """
de da nb no nn fi cs sk hu hr sr bs sl pl lb et lv is
"""
"""Languages that write ordinal numbers with a full stop ("am 3. Mai")."""


_MAYBE_LAST, _HAS_ORDINALS, _NUMBERED = (
    frozenset(listed.split()) for listed in (_OFTEN_LAST, _ORDINALS, _BEFORE_NUMBERS)
)


def each_sentence(lines: Iterable[str], language: str | None) -> Iterator[str]:
    """The sentences of a plain text in order; every character but white space is in one of them.

    Blank lines part paragraphs, and a paragraph without a full stop (a heading) is a sentence of its own. Lines that
    were broken at a margin are joined, with a space where the script has spaces. The lines, without their ends, are
    iterated over twice and never held all.
    """
    margin = _margin(_first_paragraphs(lines))
    for paragraph in _paragraphs(lines):
        for passage in _passages(paragraph, margin):
            for sentence in _split(passage, language):
                yield from _shortened(sentence)


def _paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """The lines between blank ones; a paragraph that never ends is cut where it is too long to hold."""
    paragraph: list[str] = []
    length = 0
    for line in lines:
        for number, part in enumerate(line.split("\u2029")):
            if paragraph and (number or not part.strip() or length > _LONGEST_PARAGRAPH):
                yield paragraph
                paragraph, length = [], 0
            if part.strip():
                paragraph.append(part.rstrip())
                length += len(part)
    if paragraph:
        yield paragraph


def _first_paragraphs(lines: Iterable[str]) -> list[list[str]]:
    """First paragraphs, as many as show how wide the lines are."""
    first: list[list[str]] = []
    length = 0
    for paragraph in _paragraphs(lines):
        first.append(paragraph)
        length += sum(map(len, paragraph))
        if length > _LONGEST_PARAGRAPH:
            break
    return first


def _margin(paragraphs: Sequence[Sequence[str]]) -> int | None:
    """The width in characters at which the text's lines are broken, None where its line ends mean something."""
    broken = [(len(line), _first_word(after)) for lines in paragraphs for line, after in pairwise(lines)]
    if not broken:
        return None
    lengths = sorted(length for length, _ in broken)
    margin = lengths[int(0.9 * (len(lengths) - 1))]
    reach = sum(length + 1 + word > 0.9 * margin for length, word in broken)
    return margin if margin >= _margin_least(paragraphs) and reach >= _WRAPPED_SHARE * len(broken) else None


def _margin_least(paragraphs: Sequence[Sequence[str]]) -> int:
    """Least margin; characters of scripts without spaces are twice as wide, so their lines hold half as many."""
    sample = "".join(line for lines in paragraphs[:50] for line in lines)[:2000]
    dense = len(script_pattern(*SPACELESS).findall(sample)) > 0.5 * len(sample)
    return _NARROWEST_MARGIN // 2 if dense else _NARROWEST_MARGIN


def _first_word(line: str) -> int:
    """The length of the line's first word; where no spaces are, of one character."""
    word = line.lstrip().split(maxsplit=1)[0]
    return 1 if is_spaceless(word) else len(word)


def _passages(lines: Sequence[str], margin: int | None) -> Iterator[str]:
    """The paragraph's lines, joined where only a margin parts them."""
    if not lines:
        return
    is_prose = _FINAL.search(lines[-1]) is not None
    pieces = [lines[0].strip()]
    for before, line in pairwise(lines):
        if _starts_anew(before, line, margin, is_prose):
            yield "".join(pieces)
            pieces = []
        else:
            pieces.append(seam(before, line.lstrip()))
        pieces.append(line.strip())
    yield "".join(pieces)


def _starts_anew(before: str, line: str, margin: int | None, is_prose: bool) -> bool:
    if _RULE.match(before) or _RULE.match(line) or _OWN_LINE.match(line):
        return True
    if line.lstrip()[:1].islower():
        return False
    if margin is not None:
        return len(before) + 1 + _first_word(line) < 0.6 * margin
    return not is_prose or _FINAL.search(before) is not None


def _split(passage: str, language: str | None) -> Iterator[str]:
    base = base_language(language)
    start = 0
    first = _first_letter(passage, start)
    for match in _STOP.finditer(passage):
        if match.end() < len(passage) and _ends_here(passage, match, first, base):
            yield passage[start : match.end()].strip()
            start = match.end()
            first = _first_letter(passage, start)
    if rest := passage[start:].strip():
        yield rest


def _first_letter(passage: str, start: int) -> int:
    """Offset of the first character of a sentence that is no space, opening quote or bracket."""
    while start < len(passage) and (passage[start].isspace() or passage[start] in _OPENERS):
        start += 1
    return start


def _ends_here(passage: str, match: re.Match[str], first: int, base: str) -> bool:
    """Whether the stop in the middle of a passage ends the sentence whose first letter is at ``first``."""
    if match["wide"]:
        return not (match["closed"] and _SPOKEN_ON.match(passage, match.end()))
    if match.start() <= first:
        return False  # "... and then", "¿? What"
    following = passage[match.end() : match.end() + 80].lstrip().lstrip(_OPENERS).lstrip()[:1]
    if following.islower():
        return False
    if match["stop"] != ".":
        return True
    return not _is_abbreviation(passage, match, first, following, base)


def _is_abbreviation(passage: str, match: re.Match[str], first: int, following: str, base: str) -> bool:
    before = _TOKEN_BEFORE.search(passage, max(first, match.start() - _BEFORE), match.start())
    token = before.group().lower() if before else ""
    if token in _MAYBE_LAST:
        return not following.isupper() or base in ("de", "lb")
    if token in _abbreviations(base) or (base == "de" and token.endswith("str")):
        return True
    if token in _NUMBERED and following.isdecimal():
        return True
    if token.isdecimal():
        is_first = before is not None and before.start() == first
        return is_first or (base in _HAS_ORDINALS and len(token) <= 2)
    last = token.rpartition(".")[2]
    return len(last) == 1 and last.isalpha() and not is_spaceless(last) and not (base == "en" and token == "i")


@cache
def _abbreviations(base: str) -> frozenset[str]:
    return frozenset(f"{_ABBREVIATIONS['']} {_ABBREVIATIONS.get(base, '')}".split())


def _shortened(sentence: str) -> Iterator[str]:
    """The sentence, cut behind its last semicolon, colon or comma before the limit as long as it is too long."""
    start = 0
    while len(sentence) - start > LONGEST:
        cut = _cut(sentence[start : start + LONGEST + 1])
        if cut is None and len(sentence) - start <= _CUT_ANYWHERE:
            break
        cut = cut or LONGEST
        yield sentence[start : start + cut].strip()
        start += cut
        while start < len(sentence) and sentence[start].isspace():
            start += 1
    if start < len(sentence):
        yield sentence[start:]


def _cut(window: str) -> int | None:
    for marks in (r"[;；](?=\s)|；|[:：](?=\s)|：", r"[,،](?=\s)|[，、]", r"\s"):
        ends = [match.end() for match in re.finditer(marks, window) if match.end() <= LONGEST or marks == r"\s"]
        if ends and ends[-1] > LONGEST // 4:
            return ends[-1]
    return None
