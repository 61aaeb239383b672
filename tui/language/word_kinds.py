"""Kinds of words by their writing and neighbours: nouns and names by their capitals, function words, verbs."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from tui.language.focus import find_focus_spans
from tui.language.scripts import list_scripts
from tui.language.tags import base_language, language_names
from tui.language.word_lists import list_words

_WITH_CAPITAL_NOUNS = ("de", "lb", "nds", "gsw")
_MAX_CONTEXT = 2_000
_BEGINS = re.compile(r"(?:\A|[.!?…:;\n–—]|\A\s*[-*])[\s\"'“”„‚‘’»«›‹(\[¡¿*_-]*\Z")
"""Text before a word that begins a sentence, a line of a speaker, or what somebody says."""
_POLITE = frozenset(("Sie", "Ihr", "Ihre", "Ihren", "Ihrem", "Ihrer", "Ihres", "Ihnen"))


def has_capital_nouns(language: str | None) -> bool:
    """Whether the language writes its nouns with a capital."""
    return base_language(language) in _WITH_CAPITAL_NOUNS


def is_noun_by_capital(form: str, language: str | None, sentence: str) -> bool | None:
    """Tell by its first letter whether a word is a noun where it stands; None where that tells nothing.

    It tells nothing in other languages, at the beginning of a sentence, and in a text without lower case.
    """
    if not has_capital_nouns(language) or not 0 < len(sentence) <= _MAX_CONTEXT or sentence.isupper():
        return None
    spans = find_focus_spans(sentence, form)
    if len(spans) != 1:
        return None
    start, end = spans[0]
    word = sentence[start:end]
    if word[:1].islower():
        return False
    if not word[:1].isupper() or word in _POLITE or (len(word) > 1 and word.isupper()):
        return None
    return None if _BEGINS.search(sentence[:start]) else True


def is_polite(form: str, language: str | None, sentence: str) -> bool:
    """Tell a German pronoun of politeness by its capital inside a sentence: "Warten Sie?" asks you, and not her."""
    if base_language(language) != "de" or form not in _POLITE or len(sentence) > _MAX_CONTEXT or sentence.isupper():
        return False
    spans = find_focus_spans(sentence, form)
    return any(sentence[start:end] == form and not _BEGINS.search(sentence[:start]) for start, end in spans)


_NO_ENGLISH_VERBS = ("s", "er", "est", "men")
"""Endings of English forms that may be those of nouns and adjectives."""


def is_verb_by_neighbours(word: str, lemma: str, before: str, after: str, language: str | None) -> bool | None:
    """Tell by the words right before and behind it, "" for none, whether a word is a verb; None where nothing tells it.

    All are folded. An auxiliary is a verb; so is an English form that is no plural and no comparative.
    """
    if word in list_words("pronouns", language):
        return None
    if lemma in list_words("auxiliaries", language) or before in list_words("before_verbs", language):
        return True
    if before in list_words("before_nouns", language):
        return False
    is_form = base_language(language) == "en" and lemma != word and not word.endswith(_NO_ENGLISH_VERBS)
    return True if is_form or after in list_words("after_verbs", language) else None


# Names in texts: words that have a capital inside of sentences and are never written small.
#
# No word list is asked, so what else is always written so counts as a name too ("Navidad"). Nothing is told of
# languages that write all nouns with a capital, and of scripts that have none.

SMALL, CAPITAL = 1, 2
"""Ways in which a form is written somewhere, as bits: small, and with a capital inside of a sentence."""
_CASED = {"Latin", "Greek", "Cyrillic", "Armenian"}
_BLOCKS = (range(0x41, 0x588), range(0x1E00, 0x2000))
_ELIDING = ("fr", "it", "ca", "pt", "oc")


def has_names(language: str | None) -> bool:
    """Whether a capital tells names from other words in this language."""
    base = base_language(language)
    return bool(base) and not has_capital_nouns(base) and not _CASED.isdisjoint(list_scripts(base) or _CASED)


def find_capitals_inside(text: str, language: str) -> Iterator[str]:
    """The words with a capital that stand inside of sentences: behind a word in small letters, or a comma behind one.

    What stands first in a line is left out, since a sentence may begin there; so are words in capitals throughout.
    """
    for match in _candidates(base_language(language)).finditer(text):
        before = match.start() - (text[match.start() - 1] in ",;")
        if before > 0 and text[before - 1].islower() and (word := _first_word(match["word"], language)):
            yield word


@lru_cache(4096)
def _first_word(text: str, language: str) -> str:
    """The first word, "" where everybody writes it with a capital; cached, since texts have few names often."""
    from tui.language.words import words

    word = words(text, language)[0].text
    return "" if word.lower() in _always_capital(base_language(language)) else word


@cache
def _candidates(base: str) -> re.Pattern[str]:
    letters = [chr(point) for block in _BLOCKS for point in block]
    upper = "".join(letter for letter in letters if letter.isupper())
    lower = "".join(letter for letter in letters if letter.islower())
    before = "[ \u00a0'’]" if base in _ELIDING else "[ \u00a0]"
    return re.compile(rf"{before}(?P<word>[{upper}][{lower}][^\W_]*(?:['’-]\w+)*)")


@cache
def _always_capital(base: str) -> frozenset[str]:
    """Common words that a language writes with a capital; English its names of languages besides."""
    listed = list_words("always_capital", base)
    return listed if base != "en" else listed | {name.lower() for name in language_names().values()}
