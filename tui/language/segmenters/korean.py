"""Dictionary forms of Korean words by MeCab with mecab-ko-dic; Korean has spaces, so the words are cut without it.

A word of a Korean text is a stem with its particles and endings: its lemma is the stem, a verb's or adjective's with
다, and of a noun that was made a verb (공부했습니다) both (공부하다).
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tui.language.segmentation import cut_pieces
from tui.language.word import Word
from tui.language.words import each_word

_VERBS = ("VV", "VA", "VX", "VCN")
_VERB_SUFFIXES = ("XSV", "XSA")
_STEMS = ("N", "M", "IC", "XPN", "XR", "SL", "SH", "SN", "UNKNOWN")
"""Beginnings of the tags of what a lemma is made of: nouns, adverbs, interjections, roots, words of other scripts."""
_PLURAL = "들"
_KIND, _EXPRESSION = 4, 7
"""Places in mecab-ko-dic's features: whether a form is contracted, and what of."""


@dataclass(frozen=True, slots=True)
class _Part:
    """Part of a word that begins at ``start``: its form before it was contracted with others, and its tag."""

    start: int
    form: str
    tag: str


class Korean:
    """Segmenter of Korean, with the dictionary mapped into memory; one thread at a time asks MeCab."""

    def __init__(self) -> None:
        from mecab_ko import Tagger

        self._tagger = Tagger()
        self._asking = threading.Lock()

    def words(self, text: str) -> Iterator[Word]:
        for start, piece in cut_pieces(text):
            parts = self._parts(piece)
            at = 0
            for word in each_word(piece, "ko"):
                while at < len(parts) and parts[at].start < word.start:
                    at += 1
                first = at
                while at < len(parts) and parts[at].start < word.end:
                    at += 1
                lemma = _lemma(parts[first:at])
                yield replace(word, start=start + word.start, end=start + word.end, lemma=lemma)

    def _parts(self, text: str) -> list[_Part]:
        with self._asking:
            analysed: str = self._tagger.parse(text)
        parts: list[_Part] = []
        end = 0
        for line in analysed.splitlines():
            surface, _, features = line.partition("\t")
            start = text.find(surface, end) if features else -1
            if start >= 0:
                end = start + len(surface)
                parts += _expanded(start, surface, features.split(","))
        return parts


def _expanded(start: int, surface: str, features: list[str]) -> Iterator[_Part]:
    """The parts of one of MeCab's; of a contracted form (했) those that its dictionary names (하/XSV/*+았/EP/*)."""
    if len(features) > _EXPRESSION and features[_KIND] == "Inflect":
        for part in features[_EXPRESSION].split("+"):
            form, _, tag = part.partition("/")
            yield _Part(start, form, tag)
    else:
        yield _Part(start, surface, features[0])


def _lemma(parts: list[_Part]) -> str | None:
    """The dictionary form of a word from its parts, None where it is all endings or signs."""
    stem = ""
    for part in parts:
        if part.tag.startswith(_VERBS):
            return stem or f"{part.form}다"
        if stem and part.tag.startswith(_VERB_SUFFIXES):
            return f"{stem}{part.form}다"
        if part.tag.startswith(_STEMS) or (stem and part.tag.startswith("XSN") and part.form != _PLURAL):
            stem += part.form
        elif stem:
            break
    return stem or None
