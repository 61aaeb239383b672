"""Focus spans: the places of the focus word of a clip or a question in its sentence, the same for every face.

A focus may be several words, and may have gaps ("fährt … ab"); all its parts must be there, in order, or it is nowhere:
the wrong word marked teaches the wrong word. Places are tried from the surest to the least sure, at each the same case
before another one: whole words; then, for scripts whose words take others on (Korean particles, Arabic prefixes), a
part at either end of a word; then any place, which is all there is in Chinese, Japanese and Thai. In an alphabet with
spaces between words nothing is found inside a word: "rot" is not in "Brot". No inflection is undone, as a surface is
the form that the sentence has.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from tui.language.folding import fold_with_offsets
from tui.language.scripts import is_spaceless, script_pattern
from tui.language.word import fold
from tui.language.word_lists import list_words

_GAP = re.compile(r"\s*(?:…|\.\.\.|\[…\]|\[\.\.\.\])\s*")
_SPACED_SCRIPTS = ("Latin", "Greek", "Cyrillic", "Armenian", "Georgian")
_SAME = str.maketrans({"’": "'", "ʼ": "'", "\u2010": "-", "\u2011": "-", "\u00ad": None})
"""Signs that are typed one way and printed another."""

Rule = Callable[[str, int, int], bool]


def find_focus_spans(sentence: str, surface: str, *, inside_words: bool = False) -> tuple[tuple[int, int], ...]:
    """Find the parts of the focus, as code point offsets, in order; empty where one of them is not in the sentence.

    Words without ``…`` between them that do not stand side by side may have a gap too. ``inside_words``: as a last
    resort any place will do in any script.
    """
    rules: list[Rule] = [_is_whole, _is_anywhere if is_spaceless(surface) else _is_at_an_end, _is_anywhere]
    if inside_words:
        rules.append(lambda sentence, start, end: True)
    texts = [(alike, *_fold_sentence(sentence, alike)) for alike in (_as_typed, _caseless)]
    for parting in (_GAP.split(surface.strip()), _GAP.sub(" ", surface).split()):
        for rule in rules:
            for alike, text, places in texts:
                parts = [alike(part).split() for part in parting]
                if spans := _in_order(sentence, text, places, [words for words in parts if words], rule):
                    return spans
    return ()


@lru_cache(maxsize=4)
def _fold_sentence(sentence: str, alike: Callable[[str], str]) -> tuple[str, Sequence[int]]:
    """Fold a sentence once for all of its words, which are asked for one after the other."""
    return fold_with_offsets(sentence, alike)


def split_at_focus(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """The whole text in pieces, each with whether it is part of the focus."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    return [(text[first:last], at % 2 == 1) for at, (first, last) in enumerate(pairwise(edges)) if last > first]


def _as_typed(text: str) -> str:
    return unicodedata.normalize("NFD", text).translate(_SAME)


def _caseless(text: str) -> str:
    return unicodedata.normalize("NFD", text).casefold().translate(_SAME)


def _in_order(
    sentence: str, text: str, places: Sequence[int], parts: Sequence[Sequence[str]], rule: Rule
) -> tuple[tuple[int, int], ...]:
    """The first place of each part behind the part before, by this rule; none of a part is half a letter."""
    spans: list[tuple[int, int]] = []
    at = 0
    for words in parts:
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        while found := pattern.search(text, at):
            at, last = found.span()
            start, end = places[at], places[last]
            if (at == 0 or places[at - 1] < start) and places[last - 1] < end and rule(sentence, start, end):
                spans.append((start, end))
                at = last
                break
            at += 1
        else:
            return ()
    return tuple(spans)


def _is_whole(sentence: str, start: int, end: int) -> bool:
    return _is_between_words(sentence, start) and _is_between_words(sentence, end)


def _is_at_an_end(sentence: str, start: int, end: int) -> bool:
    is_at_one = _is_between_words(sentence, start) or _is_between_words(sentence, end)
    return is_at_one and _is_anywhere(sentence, start, end)


def _is_anywhere(sentence: str, start: int, end: int) -> bool:
    return _may_be_cut(sentence, start) and _may_be_cut(sentence, end)


def _is_between_words(text: str, offset: int) -> bool:
    """Whether no word runs across the offset."""
    return not (0 < offset < len(text) and _is_in_word(text[offset - 1]) and _is_in_word(text[offset]))


def _may_be_cut(text: str, offset: int) -> bool:
    """Whether the offset cuts neither a word of an alphabet with spaces nor a letter from its marks."""
    if _is_between_words(text, offset):
        return True
    letter = offset - 1
    while letter > 0 and _is_mark(text[letter]):
        letter -= 1
    return not (_is_mark(text[offset]) or (_has_spaces(text[letter]) and _has_spaces(text[offset])))


def _has_spaces(character: str) -> bool:
    """Whether it is of a script whose words take nothing on, or a digit."""
    return character.isdecimal() or script_pattern(*_SPACED_SCRIPTS).match(character) is not None


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character == "_" or _is_mark(character)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


_CLAUSE_END = re.compile(r"\s*(?:\Z|[,.;:!?…)\]»“”\"–—\n]|--)")
_NEXT_WORD = re.compile(r"\s*(\w+)")
_MAX_GAP_WIDTH = 200
"""Characters behind the verb in which its prefix is looked for."""


def ends_clause(sentence: str, end: int, language: str | None) -> bool:
    """Whether a clause ends at an offset: there is a sign, nothing, or a word that begins the next one."""
    if _CLAUSE_END.match(sentence, end):
        return True
    word = _NEXT_WORD.match(sentence, end)
    return word is not None and fold(word[1], language) in list_words("clause_openers", language)


def find_verb_spans(sentence: str, surface: str, lemma: str, language: str | None) -> tuple[tuple[int, int], ...]:
    """The places of a focus word as ``find_focus_spans`` has them, and that of the prefix which a separable verb left.

    That is a prefix of the surface ("fährt … ab") or of the lemma, where it ends a clause behind the verb: elsewhere it
    may be a preposition.
    """
    verb, _, behind = (part.strip() for part in surface.partition("…"))
    begins = behind or fold(lemma, language)
    prefixes = list_words("separable_prefixes", language)
    prefix = max(filter(begins.startswith, prefixes), key=len, default="")
    spans = find_focus_spans(sentence, verb) if prefix and not fold(verb, language).startswith(prefix) else ()
    if spans and behind in ("", prefix):
        first = spans[-1][1]
        for found in re.compile(rf"\b{re.escape(prefix)}\b").finditer(sentence, first, first + _MAX_GAP_WIDTH):
            if ends_clause(sentence, found.end(), language):
                return (*spans, found.span())
    return find_focus_spans(sentence, surface)
