"""Sentence segmentation: paragraphs, lines that a margin broke, verse, and the sentences in them.

Where a sentence ends inside a paragraph is decided in ``sentence_ends.py``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from tui.language.scripts import SPACELESS, is_spaceless, script_pattern, seam
from tui.language.sentence_ends import OPENERS, ends_with_stop, find_sentence_spans, strip_span

MAX_LENGTH = 400
"""Maximum characters of a sentence; a longer one is cut at a semicolon, colon or comma, if it has any."""

_MAX_LENGTH_WITHOUT_STOPS = 120
"""The same for Thai and Lao: their sentences end at spaces, and so do the clauses in them."""
_CUT_ANYWHERE = 10 * MAX_LENGTH
"""Characters beyond which a sentence is cut even where it has none of them: it is no sentence."""
_MAX_PARAGRAPH_LENGTH = 1_000_000
_NARROWEST_MARGIN = 40
_WRAPPED_SHARE = 0.7
_MAX_VERSE_WIDTH = 70
_QUOTED = "「『"
_RULE = re.compile(r"[-=_*~#\s]{3,}\Z")
_OWN_LINE = re.compile(r"[-–—•*‣·]\s|[-–—][^\W\d_]|\d{1,3}[.)]\s|[\u3000]")
"""Beginning of a line that starts anew: dialogue, list items, the indented paragraphs of Chinese and Japanese books."""


def each_sentence(lines: Iterable[str], language: str | None) -> Iterator[str]:
    """The sentences of a plain text in order; every character but white space is in one of them.

    Blank lines part paragraphs, and a paragraph without a full stop (a heading) is a sentence of its own. Lines that
    were broken at a margin are joined, with a space where the script has spaces. The lines, without their ends, are
    iterated over twice and never held all.
    """
    margin = _margin(list(_first_paragraphs(lines)))
    for paragraph in _paragraphs(lines):
        for passage in _passages(paragraph, margin):
            for start, end in find_sentence_spans(passage, language):
                yield from _shortened(passage[start:end])


def _paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """The lines between blank ones; a paragraph that never ends is cut where it is too long to hold."""
    paragraph: list[str] = []
    length = 0
    for line in lines:
        for number, part in enumerate(line.split("\u2029")):
            if paragraph and (number or not part.strip() or length > _MAX_PARAGRAPH_LENGTH):
                yield paragraph
                paragraph, length = [], 0
            if part.strip():
                paragraph.append(part.rstrip())
                length += len(part)
    if paragraph:
        yield paragraph


def _first_paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """First paragraphs, as many as show how wide the lines are."""
    length = 0
    for paragraph in _paragraphs(lines):
        yield paragraph
        length += sum(map(len, paragraph))
        if length > _MAX_PARAGRAPH_LENGTH:
            return


def _margin(paragraphs: Sequence[Sequence[str]]) -> int | None:
    """The width in characters at which the text's lines are broken, None where its line ends mean something."""
    broken = [(len(line), _first_word(after)) for lines in paragraphs for line, after in pairwise(lines)]
    if not broken:
        return None
    lengths = sorted(length for length, _ in broken)
    margin = lengths[int(0.9 * (len(lengths) - 1))]
    reach = sum(length + 1 + word > 0.9 * margin for length, word in broken)
    # Characters of scripts without spaces are twice as wide, so their lines hold half as many.
    sample = "".join(line for lines in paragraphs[:50] for line in lines)[:2000]
    dense = len(script_pattern(*SPACELESS).findall(sample)) > 0.5 * len(sample)
    least = _NARROWEST_MARGIN // 2 if dense else _NARROWEST_MARGIN
    return margin if margin >= least and reach >= _WRAPPED_SHARE * len(broken) else None


def _first_word(line: str) -> int:
    """The length of the line's first word; where no spaces are, of one character."""
    word = line.lstrip().split(maxsplit=1)[0]
    return 1 if is_spaceless(word) else len(word)


def _passages(lines: Sequence[str], margin: int | None) -> Iterator[str]:
    """The paragraph's lines, joined where only a margin parts them."""
    is_prose = ends_with_stop(lines[-1])
    if is_prose and _is_verse(lines, margin):
        yield "\n".join(line.strip() for line in lines)
        return
    pieces = [lines[0].strip()]
    for before, line in pairwise(lines):
        if _starts_anew(before, line, margin, is_prose):
            yield "".join(pieces)
            pieces = []
        else:
            pieces.append(seam(before, line.lstrip()))
        pieces.append(line.strip())
    yield "".join(pieces)


def _is_verse(lines: Sequence[str], margin: int | None) -> bool:
    """Whether the lines of a paragraph are verses: all short, and each begins with a capital.

    Where there are no capitals, as in Chinese, each must end with a sign, so that none ends inside a word.
    """
    widest = _MAX_VERSE_WIDTH if margin is None else min(_MAX_VERSE_WIDTH, 0.85 * margin)
    if len(lines) < 2 or any(len(line) > widest or _OWN_LINE.match(line) or _RULE.match(line) for line in lines):
        return False
    firsts = [line.lstrip().lstrip(OPENERS)[:1] for line in lines]
    if any(first.lower() != first.upper() for first in firsts):
        return all(first.isupper() for first in firsts)
    return all(is_spaceless(line) and not line[-1].isalnum() and line.lstrip()[0] not in _QUOTED for line in lines)


def _starts_anew(before: str, line: str, margin: int | None, is_prose: bool) -> bool:
    if _RULE.match(before) or _RULE.match(line) or _OWN_LINE.match(line):
        return True
    if line.lstrip()[:1].islower():
        return False
    if margin is not None:
        return len(before) + 1 + _first_word(line) < 0.6 * margin
    return not is_prose or ends_with_stop(before) or (line.lstrip()[0] in _QUOTED and before[-1] not in "：、，")


def _shortened(sentence: str) -> Iterator[str]:
    """The sentence, cut behind its last semicolon, colon or comma before the limit as long as it is too long."""
    longest = MAX_LENGTH
    if len(sentence) > _MAX_LENGTH_WITHOUT_STOPS and script_pattern("Thai", "Lao").search(sentence):
        longest = _MAX_LENGTH_WITHOUT_STOPS
    start = 0
    while len(sentence) - start > longest:
        cut = _cut(sentence[start : start + longest + 1], longest)
        if cut is None and len(sentence) - start <= _CUT_ANYWHERE:
            break
        cut = cut or longest
        yield sentence[start : start + cut].strip()
        start, _ = strip_span(sentence, start + cut, len(sentence))
    if start < len(sentence):
        yield sentence[start:]


def _cut(window: str, longest: int) -> int | None:
    for marks in (r"[;；](?=\s)|；|[:：](?=\s)|：", r"[,،](?=\s)|[，、]", r"\s"):
        ends = [match.end() for match in re.finditer(marks, window) if match.end() <= longest or marks == r"\s"]
        if ends and ends[-1] > longest // 4:
            return ends[-1]
    return None
