"""Lemmas of words by simplemma's word lists, rules of single languages, and simplemma's own rules for unknown words;
and further forms to ask for, where a dictionary may have another one.

Pronouns and articles stand under their own form (``word_kinds``): learners see the word, not a linguist's lemma.

A list is unpacked once into a trie file, which takes seconds, and is mapped into memory from then on. The file is
named after its language and the size of the list that it was made from, so that a newer simplemma gets new files.

``python -m tui.language.lemmas DIRECTORY LANGUAGE`` unpacks one language in a process of its own.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from tui.language import abjad_rules, lemma_rules
from tui.language.lemma_rules import Listed, infinitive
from tui.language.segmentation import segmenter_of
from tui.language.tags import base_language
from tui.language.word import fold
from tui.language.word_kinds import has_capital_nouns, is_noun_by_capital
from tui.language.word_lists import list_words
from tui.system.temporary import TemporaryDirectory

if TYPE_CHECKING:
    from simplemma.strategies import DefaultStrategy, DictionaryLookupStrategy

_ARTICLE = "ال"
_VERBS = {
    "es": ((r"ad[oa]s?", ("ar",)), (r"id[oa]s?", ("er", "ir")), (r"[ao]", ("ar",)), (r"e", ("er", "ir"))),
    "fr": ((r"ée?s?", ("er",)), (r"ie?s?", ("ir",)), (r"ue?s?", ("re", "ir", "oir")), (r"es?", ("er",))),
}
"""Language → endings of participles and of the present that make nouns and adjectives too, with those of the verb."""


def find_further_lemmas(stems: Sequence[str], language: str | None) -> Iterator[str]:
    """Iterate over what else a word may stand under; ``stems`` are the word as it stands there, and its lemma.

    French and Spanish participles and forms of the present may be a verb's where the list has the noun (joue, reste).
    Turkish and Persian stems that are verbs too stand under their infinitives. Dictionaries of Arabic have some words
    with the article and some without. Japanese potentials stand under their verbs (泳げる: 泳ぐ).

    May load a dictionary: not on an event loop.
    """
    base = base_language(language)
    if stems and stems[0].lower() not in list_words("pronouns", language):
        for ending, instead in _VERBS.get(base, ()):
            if match := re.fullmatch(rf"(.{{2,}}?){ending}", stems[0]):
                yield from (match[1] + each for each in instead)
    for stem in stems:
        match base:
            case "tr" if not stem.endswith(("mak", "mek")):
                yield infinitive(stem)
            case "fa" if stem.endswith(("ت", "د")):
                yield f"{stem}ن"
            case "ja" if (base_verb := find_potential_base(stem)) is not None:
                yield base_verb
            case "ar":
                yield stem.removeprefix(_ARTICLE) if stem.startswith(_ARTICLE) else f"{_ARTICLE}{stem}"


_ENDS = dict(zip("えけげせてねべめれ", "うくぐすつぬぶむる", strict=True))
"""Kana before the る of a potential → the last kana of its verb."""


def find_potential_base(lemma: str) -> str | None:
    """Give the verb whose potential the lemma is, as far as Sudachi says so; in kanji for one in kana (およげる: 泳ぐ).

    A verb that has become one of its own is none (見える, 売れる, 立てる). May load a dictionary: not on an event loop.
    """
    if len(lemma) < 3 or not lemma.endswith("る") or lemma[-2] not in _ENDS:
        return None
    from tui.language.segmenters.japanese import Japanese

    segmenter = segmenter_of("ja")
    normal = segmenter.normal_form(lemma) if isinstance(segmenter, Japanese) else None
    is_potential = normal is not None and normal[-1] == _ENDS[lemma[-2]] and normal[-2:] != lemma[-2:]
    return normal if is_potential else None


_LISTED_UNDER = {"no": "nb", "sr": "hbs", "hr": "hbs", "bs": "hbs", "sh": "hbs", "iw": "he", "in": "id"}
"""Languages that simplemma keeps under another code."""


_RULES: Mapping[str, Callable[[str, Listed], str | None]] = {
    "ar": abjad_rules.find_arabic_lemma, "fa": abjad_rules.find_persian_lemma, "he": abjad_rules.find_hebrew_lemma,
    "de": lemma_rules.find_german_lemma, "es": lemma_rules.find_spanish_lemma, "fr": lemma_rules.find_french_lemma,
    "it": lemma_rules.find_italian_lemma, "ru": lemma_rules.find_russian_lemma, "tr": lemma_rules.find_turkish_lemma,
}  # fmt: skip


class Lemmatiser:
    """Lemmas for the languages whose tries lie in ``cache_dir``; may be used from several threads."""

    def __init__(self, cache_dir: Path) -> None:
        self.cache_dir = cache_dir
        self._strategies: dict[str, tuple[DictionaryLookupStrategy, DefaultStrategy]] = {}

    def supports(self, language: str) -> bool:
        """Whether there is a word list for this language tag."""
        return _word_list(_code(language)) is not None

    def is_prepared(self, language: str) -> bool:
        """Whether the trie is there; without it ``lemma`` knows nothing."""
        trie = self._trie(language)
        return trie is not None and trie.exists()

    def needs_preparing(self, language: str) -> bool:
        """Whether there is a word list that is not unpacked yet."""
        return self.supports(language) and not self.is_prepared(language)

    def prepare(self, language: str) -> None:
        """Unpack the language's word list; blocks for seconds the first time, raises ``OSError`` when disk is lacking.

        The trie is made under a name of its own and renamed once it is whole, so that a process that is killed leaves
        no broken trie, and of two that prepare the same language either may win.
        """
        trie, word_list = self._trie(language), _word_list(_code(language))
        if trie is None or word_list is None or trie.exists():
            return
        from simplemma.strategies.dictionaries import TrieDictionaryFactory

        self.cache_dir.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(self.cache_dir) as directory:
            TrieDictionaryFactory(disk_cache_dir=str(directory)).get_dictionary(word_list.stem)
            made = directory / f"{word_list.stem}.dic"
            if not made.exists():  # simplemma only logs that it could not write
                raise OSError(f"the {word_list.stem} dictionary could not be written to {self.cache_dir}")
            with made.open("rb") as file:
                os.fsync(file.fileno())
            made.replace(trie)

    def lemma(self, form: str, language: str, sentence: str = "") -> str | None:
        """The dictionary form of the word as it stands in a text; None when unknown or the language is not prepared.

        The form is looked up as given, then without its capitals (the first word of a sentence), then with one (a
        German noun or a name that was folded); a German word in capitals is looked for as a noun first, and one that
        its sentence shows to be a noun, or none, as that only. What the list does not have goes through simplemma's
        rules.
        """
        strategies = self._strategies_of(language)
        if strategies is None:
            return None
        word_list, rules = strategies
        code = _code(language)
        folded = fold(form, language)
        if folded in list_words("pronouns", code):
            return form if code == "en" and folded == "i" else folded
        is_noun = is_noun_by_capital(form, language, sentence)
        candidates = [form, form.lower(), form.capitalize()]
        if form.isupper() and has_capital_nouns(language):
            candidates.reverse()
        if is_noun is not None:
            candidates = [form.capitalize(), form.lower()] if is_noun else [form.lower()]

        def listed(text: str) -> str | None:
            return word_list.exact_lemma(text, code)

        def listed_in_any_case(text: str) -> str | None:
            capital = text.capitalize()
            return listed(text) or (listed(capital) if capital != text else None)

        asked = form if has_capital_nouns(language) else folded
        if (rule := _RULES.get(code)) and (lemma := rule(asked, listed_in_any_case)):
            return lemma
        for candidate in dict.fromkeys((*candidates, folded)):
            if (lemma := listed(candidate)) is not None:
                return form if is_noun and lemma.islower() and candidate != folded else lemma
        if any(before.islower() and after.isupper() for before, after in pairwise(form)):
            return None  # iPhone, eHealth: a name, which no rule for endings is about
        return next(filter(None, (rules.get_lemma(each, code) for each in dict.fromkeys((form, folded)))), None)

    def _trie(self, language: str) -> Path | None:
        word_list = _word_list(_code(language))
        return None if word_list is None else self.cache_dir / f"{word_list.stem}-{word_list.stat().st_size}.dic"

    def _strategies_of(self, language: str) -> tuple[DictionaryLookupStrategy, DefaultStrategy] | None:
        """simplemma's ways to a lemma: its list, and its chain of rules."""
        code = _code(language)
        if code not in self._strategies:
            path = self._trie(language)
            if path is None or not path.exists():
                return None
            from simplemma.strategies import DefaultStrategy, DictionaryLookupStrategy

            try:
                trie = _TrieFile(path)
            except RuntimeError:  # marisa's word for a damaged file; the next ``prepare`` makes a new one
                path.unlink(missing_ok=True)
                return None
            self._strategies[code] = DictionaryLookupStrategy(trie), DefaultStrategy(dictionary_factory=trie)
        return self._strategies[code]


class _TrieFile:
    """simplemma's ``DictionaryFactory`` for one trie that is there already."""

    def __init__(self, path: Path) -> None:
        from marisa_trie import BytesTrie
        from simplemma.strategies.dictionaries.trie_dictionary_factory import TrieWrapDict

        self._dictionary = TrieWrapDict(BytesTrie().mmap(str(path)))

    def get_dictionary(self, lang: str) -> Mapping[str, str]:
        return self._dictionary


def _code(language: str) -> str:
    base = base_language(language)
    return _LISTED_UNDER.get(base, base)


@cache
def _word_list(code: str) -> Path | None:
    """simplemma's packed word list for the language, found without importing simplemma."""
    if not code.isascii() or not code.isalpha():
        return None
    path = _word_lists() / f"{code}.plzma"
    return path if path.exists() else None


@cache
def _word_lists() -> Path:
    from importlib.util import find_spec

    spec = find_spec("simplemma")
    if spec is None or spec.origin is None:
        raise ImportError("simplemma is not installed")
    return Path(spec.origin).parent / "strategies" / "dictionaries" / "data"


if __name__ == "__main__":
    Lemmatiser(Path(sys.argv[1])).prepare(sys.argv[2])
