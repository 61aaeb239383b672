"""Own words as a dictionary that is asked first: what people wrote of a lemma, and their phrases in a sentence."""

from collections.abc import Callable, Sequence

from tui.language.segmentation import words
from tui.language.word import fold
from tui.records.dictionaries import NOTE, OWN, DictionaryEntry, FoundRow, Sense
from tui.records.own_words import OwnPhrase, OwnWord

FIRST = -1
"""Place before all dictionaries."""
_MAX_WORDS = 150
"""Words of a sentence in which phrases are looked for."""

ReadOwn = Callable[[Sequence[str]], Sequence[OwnWord]]
"""Function that gives the own words with one of these keys, or with one of them in a phrase."""


class OwnWordSearch:
    """One look-up in own words; ``lemma_of`` gives the dictionary form of a word, if known."""

    def __init__(self, read: ReadOwn, language: str, lemma_of: Callable[[str], str | None]) -> None:
        self._read = read
        self._language = language
        self._lemma_of = lemma_of
        self._phrases: dict[str, OwnPhrase] = {}

    def phrases(self, word: str, sentence: str) -> list[str]:
        """The phrases with the word that stand in the sentence, in whatever order and forms their words are there."""
        asked = self._forms(word)
        candidates = [
            (phrase, self._each_word(phrase.text)) for own in self._read(sorted(asked)) for phrase in own.phrases
        ]
        candidates = [(phrase, forms) for phrase, forms in candidates if any(each & asked for each in forms)]
        if candidates:
            standing = set().union(*self._each_word(sentence))
            for phrase, forms in candidates:
                if all(each & standing for each in forms):
                    self._phrases[fold(phrase.text, self._language)] = phrase
        return [phrase.text for phrase in self._phrases.values()]

    def find(self, keys: Sequence[str]) -> list[FoundRow]:
        """The rows of a dictionary that has own words as its entries."""
        found = [
            FoundRow(OWN, FIRST, key, "term", _of_phrase(self._phrases[key])) for key in keys if key in self._phrases
        ]
        wanted = set(keys)
        own = ((fold(each.lemma, self._language), each) for each in self._read(keys))
        return [*found, *(FoundRow(OWN, FIRST, key, "term", _of_word(each)) for key, each in own if key in wanted)]

    def _each_word(self, text: str) -> list[set[str]]:
        return [self._forms(word.text) for word in words(text, self._language)[:_MAX_WORDS]]

    def _forms(self, word: str) -> set[str]:
        """A word as it is folded, and its dictionary form."""
        lemma = self._lemma_of(word)
        return {fold(each, self._language) for each in (word, lemma) if each}


def list_search_keys(word: OwnWord, lemma_of: Callable[[str], str | None]) -> set[str]:
    """The folded words, and their dictionary forms, by which the phrases of an own word are found."""
    texts = [each.text for phrase in word.phrases for each in words(phrase.text, word.language)]
    return {fold(form, word.language) for text in texts for form in (text, lemma_of(text)) if form}


def _of_word(own: OwnWord) -> DictionaryEntry:
    senses = [Sense((own.meaning,))] if own.meaning else []
    senses += [Sense((own.note,), (NOTE,))] if own.note else []
    listed = [f"{each.text}: {each.meaning}" if each.meaning else each.text for each in own.phrases]
    senses += [Sense(("; ".join(listed),), (NOTE,))] if listed else []
    return DictionaryEntry(own.lemma, senses=tuple(senses))


def _of_phrase(phrase: OwnPhrase) -> DictionaryEntry:
    sense = Sense((phrase.meaning,)) if phrase.meaning else Sense(("a phrase of your own",), (NOTE,))
    return DictionaryEntry(phrase.text, senses=(sense,))
