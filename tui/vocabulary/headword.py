"""Headword of a flashcard: the word itself, without the article, the forms and the notes that learners write beside it.

"der Hund, -e (m.)" is Hund, "to go" is go and "sich freuen" freuen; a phrase stays as it is, and is no word.
"""

from __future__ import annotations

import re

from tui.language.tags import base_language

_BESIDE = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|【[^【】]*】|〔[^〔〕]*〕|<[^<>]*>")
_FIRST = re.compile(r"[\n,;/|、，；・]| - | – | — | = |: ")
"""Pattern of what parts a word from its other forms, from another word and from its translation."""
_EDGES = " \t.!?…·*~–—-\"'“”„«»‘’`´。！？～〜「」『』:+"
_NUMBER = re.compile(r"\s*[0-9]{1,6}[.):]\s+")
_NAMED_BEFORE = {
    "ca": "el la els les l' un una en na",
    "da": "en et at den det",
    "de": "der die das den dem des ein eine einen sich zu",
    "el": "ο η το οι τα ένας μια μία ένα",
    "en": "a an the to",
    "es": "el la los las un una unos unas lo",
    "fr": "le la les l' un une des du se s' d'",
    "it": "il lo la i gli le l' un uno una un'",
    "nb": "en ei et å",
    "nl": "de het een zich te 't",
    "no": "en ei et å",
    "pt": "o a os as um uma uns umas",
    "ro": "o un a se",
    "sv": "en ett att den det",
}
"""Language → articles, and what is said before an infinitive, as learners write them before a word."""


def headword(text: str, language: str) -> str:
    """The word that a text names in a language; "" where it names none, several words where it is a phrase."""
    base = base_language(language)
    for _ in range(3):  # brackets within brackets
        text = _BESIDE.sub(" ", text)
    text = _NUMBER.sub("", text, count=1) if _NUMBER.match(text) else text
    for part in _FIRST.split(text):
        if word := _without_article(part.strip(_EDGES), base):
            return word
    return ""


def _without_article(text: str, base: str) -> str:
    before = _NAMED_BEFORE.get(base, "").split()
    words = text.split()
    while len(words) > 1 and words[0].lower().replace("’", "'") in before:
        words = words[1:]
    if len(words) == 1:
        for article in before:
            if article.endswith("'") and words[0].lower().replace("’", "'").startswith(article):
                words = [words[0][len(article) :]]
                break
    return " ".join(words).strip(_EDGES)
