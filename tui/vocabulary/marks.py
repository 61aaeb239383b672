"""Words as they were read made into marks: each by its dictionary form, once, in the best state that says so."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce

from tui.language.detection import guess_language
from tui.language.scripts import is_word_of
from tui.language.segmentation import is_segmented, words
from tui.language.tags import base_language
from tui.language.word import fold
from tui.language.word_lists import list_words
from tui.records.vocabulary import VocabularyWord
from tui.records.word_states import MAX_LEMMA, WordState
from tui.records.words import WordMark

LemmaOf = Callable[[str, str], str | None]
"""Gives the dictionary form of a word in a language, None where it knows none."""
WORDS_A_STEP = 500
_BY_KNOWLEDGE: Sequence[WordState] = ("new", "ignored", "seen", "learning", "known")
"""States, that of the word which is known best last."""
_JAPANESE_VERB = "する"


@dataclass(slots=True)
class VocabularyMarks:
    """Marks of words, one for each, and how many of what was read are none.

    ``never_shown``: cards that were not shown yet; ``phrases``: several words; ``unread``: no word at all.
    """

    marks: list[WordMark] = field(default_factory=list)
    never_shown: int = 0
    phrases: int = 0
    unread: int = 0


def make_marks(
    found: Iterable[VocabularyWord],
    language: str,
    lemma_of: LemmaOf,
    *,
    sentences: bool = False,
    step: Callable[[int], None] = lambda number: None,
) -> VocabularyMarks:
    """Make the marks; ``language`` is that of words which name none, ``step`` is called with the number of the word.

    A reading is kept where the source gives several of one word, in different states; without one a mark holds for all
    readings. What a list calls a lemma is taken as it stands, with its reading.
    """
    made = VocabularyMarks()
    exact: dict[tuple[str, str, str], WordMark] = {}
    states: defaultdict[tuple[str, str], dict[str, WordMark]] = defaultdict(dict)
    for number, word in enumerate(found):
        if number % WORDS_A_STEP == 0:
            step(number)
        if word.state is None:
            made.never_shown += 1
            continue
        tag = word.language or language
        reading = "" if sentences or len(word.reading) > MAX_LEMMA else word.reading
        if word.is_lemma and not sentences:
            if len(word.text) > MAX_LEMMA:
                made.unread += 1
                continue
            mark = WordMark(tag, word.text, reading, word.state, word.said_by, word.said_at)
            key = base_language(tag), fold(word.text, tag), reading
            exact[key] = _better(exact.get(key), mark)
            continue
        lemmas = _lemmas(word.text, tag, lemma_of, sentences=sentences)
        if lemmas is None:
            made.phrases += 1
        elif not lemmas:
            made.unread += 1
        for lemma in lemmas or ():
            by_reading = states[base_language(tag), fold(lemma, tag)]
            mark = WordMark(tag, lemma, reading, word.state)
            by_reading[mark.reading] = _better(by_reading.get(mark.reading), mark)
    for (base, folded), by_reading in states.items():
        for mark in _distinct(list(by_reading.values())):
            key = base, folded, mark.reading
            exact[key] = _better(exact.get(key), mark)
    made.marks = list(exact.values())
    return made


def _better(one: WordMark | None, other: WordMark) -> WordMark:
    """The mark with the better state; the first of two alike."""
    if one is not None and _BY_KNOWLEDGE.index(one.state) >= _BY_KNOWLEDGE.index(other.state):
        return one
    return other


def _distinct(marks: Sequence[WordMark]) -> list[WordMark]:
    """One mark for all readings of a word and, where their states differ, one for each besides."""
    best = reduce(_better, marks)
    whole = WordMark(best.language, best.lemma, "", best.state)
    if len({mark.state for mark in marks}) == 1:
        return [whole]
    return [whole, *(mark for mark in marks if mark.reading)]


def _lemmas(text: str, tag: str, lemma_of: LemmaOf, *, sentences: bool) -> list[str] | None:
    """The dictionary forms of the words in a text, none where it has no word; None for several where one is meant."""
    if sentences:
        cut = words(text, tag)
        return [word.lemma or lemma_of(word.text, tag) or word.text for word in cut if len(word.text) <= MAX_LEMMA]
    head = find_headword(text, tag)
    cut = words(head, tag)
    if not cut or len(head) > MAX_LEMMA:
        return []
    if len(cut) == 1:
        return [cut[0].lemma or lemma_of(cut[0].text, tag) or cut[0].text]
    if is_segmented(tag):
        if base_language(tag) == "ja" and len(cut) == 2 and cut[1].text == _JAPANESE_VERB:
            return [cut[0].lemma or cut[0].text]
        if lemma := lemma_of(head, tag):  # a verb with its endings
            return [lemma]
    return None


# Headword of a flashcard: the word itself, without the article, the forms and the notes that learners write beside it.
#
# "der Hund, -e (m.)" is Hund, "to go" is go and "sich freuen" freuen; a phrase stays as it is, and is no word.

_BESIDE = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|【[^【】]*】|〔[^〔〕]*〕|<[^<>]*>")
_FIRST = re.compile(r"[\n,;/|、，；・]| - | – | — | = |: ")
"""Pattern of what parts a word from its other forms, from another word and from its translation."""
_EDGES = " \t.!?…·*~–—-\"'“”„«»‘’`´。！？～〜「」『』:+"
_NUMBER = re.compile(r"\s*[0-9]{1,6}[.):]\s+")


def find_headword(text: str, language: str) -> str:
    """The word that a text names in a language; "" where it names none, several words where it is a phrase."""
    base = base_language(language)
    for _ in range(3):  # brackets within brackets
        text = _BESIDE.sub(" ", text)
    parts = _FIRST.split(text[match.end() :] if (match := _NUMBER.match(text)) else text)
    return next(filter(None, (_without_article(part.strip(_EDGES), base) for part in parts)), "")


def _without_article(text: str, base: str) -> str:
    before = list_words("before_headwords", base)
    words = text.split()
    while len(words) > 1 and _folded(words[0]) in before:
        words = words[1:]
    if len(words) == 1:
        elided = next((each for each in before if each.endswith("'") and _folded(words[0]).startswith(each)), "")
        words = [words[0][len(elided) :]]
    return " ".join(words).strip(_EDGES)


def _folded(word: str) -> str:
    return word.lower().replace("’", "'")


# Language of a list of words that does not say it: out of what its reader learns, its script and its commonest words.
#
# It is silent where that leaves a doubt: words that were marked in the wrong language would be nowhere to be seen.

_SHARE = 0.8
"""Least share of the words that are in a script of the language."""


def choose_language(texts: Sequence[str], learned: Iterable[str]) -> str | None:
    """The tag of the language of these words, out of those that are learned; None where it cannot be told."""
    guess = guess_language("\n".join(texts))
    wanted = max(_SHARE * len(texts), 1)
    fitting = [tag for tag in learned if sum(is_word_of(tag, text) for text in texts) >= wanted]
    if guess is not None:
        return next((tag for tag in fitting if base_language(tag) == guess), None if fitting else guess)
    return fitting[0] if len(fitting) == 1 else None
