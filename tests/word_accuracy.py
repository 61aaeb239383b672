"""How often the word that is meant is shown: lemmas, and first entries of FreeDict, over ``../shared/corpus/words``.

``python -m tests.word_accuracy [LANGUAGE…]`` prints the table; with ``--wrong N`` the commonest mistakes too. What the
files hold, and what counts as good, stands in the README beside them. FreeDict's files are those of Debian's packages
``dict-freedict-…``; added once, they are kept in ``.bench/``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from tui.dictionaries.formats import open_dictionary
from tui.dictionaries.freedict_text import drop_placeholders
from tui.language.segmentation import is_segmented, words
from tui.language.word import fold
from tui.records.dictionaries import FoundEntry
from tui.service.words.dictionaries import Dictionaries
from tui.service.words.word_forms import WordForms

CORPUS = Path(__file__).parents[2] / "shared" / "corpus" / "words"
FREEDICT = {"de": "deu-eng", "en": "eng-deu", "fr": "fra-eng", "es": "spa-eng"}
"""Language → the dictionary of FreeDict that its first entries are measured by."""
AT_LEAST = {
    "ar": 79.0, "cs": 91.5, "da": 93.0, "de": 93.9, "el": 88.1, "en": 96.9, "es": 94.0, "fa": 90.0, "fi": 91.0,
    "fr": 95.8, "he": 74.0, "it": 94.5, "ja": 97.9, "ko": 95.6, "nb": 96.5, "nl": 89.7, "pl": 93.3, "pt": 92.8,
    "ro": 90.4, "ru": 96.0, "sv": 93.0, "tr": 92.0, "zh": 99.0,
}  # fmt: skip
"""Language → per cent of its words that are given their lemma: simplemma's own figure where nothing more is asked."""
FIRST_AT_LEAST = {"de": 88.0, "en": 88.0, "es": 91.0, "fr": 90.0}
"""Language → per cent of the words that its dictionary of FreeDict has whose first entry is the right one."""
_SYSTEM = Path("/usr/share/dictd")
_HOME = Path(".bench") / "words"
_KINDS = {
    "NOUN": {"noun"},
    "VERB": {"verb"},
    "AUX": {"verb"},
    "ADJ": {"adjective", "adverb", "numeral"},
    "ADV": {"adverb", "adjective", "preposition", "conjunction", "interjection"},
    "PRON": {"pronoun", "article", "adverb", "noun"},
}
"""Kind of a word in the treebanks → the parts of speech that an entry of it may have; FreeDict's German adverbs are
adjectives, and what is a pronoun, an adverb or a preposition no two grammars agree on."""


@dataclass(frozen=True, slots=True)
class MarkedWord:
    """A word of a sentence, and which dictionary forms are good for it."""

    sentence: str
    start: int
    form: str
    lemma: str
    kind: str
    good: frozenset[str]
    has_particle: bool
    has_clitic: bool
    is_extra: bool
    """Whether it stands in one of the further sentences with separable verbs."""


@dataclass(slots=True)
class Tally:
    """Words counted by what they are counted for, and the commonest mistakes."""

    counted: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def add(self, name: str, is_right: bool) -> None:
        self.counted[name] += 1
        self.right[name] += is_right

    def percent(self, name: str) -> float:
        return 100 * self.right[name] / self.counted[name] if self.counted[name] else 0.0


def marked_words(language: str) -> Iterator[MarkedWord]:
    """Read the words of a language's file."""
    sentence, is_extra = "", False
    for line in (CORPUS / f"{language}.tsv").read_text("utf-8").splitlines():
        kind, *cells = line.split("\t")
        if kind == "S":
            sentence, is_extra = cells[1], cells[0].startswith("sep-")
        elif kind == "W":
            start, form, lemma, tag, others, particle, clitic = (*cells, "", "", "")[:7]
            good = frozenset((lemma, *filter(None, others.split("|"))))
            yield MarkedWord(sentence, int(start), form, lemma, tag, good, bool(particle), bool(clitic), is_extra)


def opened(home: Path = _HOME, pairs: Mapping[str, str] = FREEDICT, *, is_whole: bool = True) -> Dictionaries:
    """Open the dictionaries that are kept there, with what is missing of FreeDict's added.

    ``is_whole`` False leaves out what no sentence can lead to: adding all of the large ones takes minutes.
    """
    home.mkdir(parents=True, exist_ok=True)
    database = cast("Any", SimpleNamespace(directory=home))
    dictionaries = Dictionaries(database, WordForms(database))
    store = dictionaries.opened_for_writing()
    known = {each.file_name for each in store.all()}
    for language, pair in pairs.items():
        path = _SYSTEM / f"freedict-{pair}.index"
        if path.name in known or not path.exists():
            continue
        with open_dictionary(path if is_whole else _cut_down(path, language, home)) as dictionary:
            store.add(dictionary.info, dictionary.rows(lambda share: None), file_name=path.name)
    return dictionaries


def _cut_down(path: Path, language: str, home: Path) -> Path:
    """Write an index of the definitions that words of the language's sentences lead to, or lemmas of them."""
    wanted = {
        fold(text, language)
        for marked in marked_words(language)
        for text in (*(word.text for word in words(marked.sentence, language)), marked.form, *marked.good)
    }

    @cache
    def is_wanted(part: str) -> bool:
        return part.endswith(".") or fold(part, language) in wanted  # "etw." is a placeholder

    def leads_here(word: str) -> bool:
        return all(is_wanted(part) for part in word.split())

    lines = [line.partition(b"\t") for line in path.read_bytes().splitlines()]
    places = {place for word, _, place in lines if word.startswith(b"00") or leads_here(word.decode())}
    small = home / path.name
    small.write_bytes(b"".join(b"%b\t%b\n" % (word, place) for word, _, place in lines if place in places))
    small.with_suffix(".dict.dz").symlink_to(path.with_suffix(".dict.dz"))
    return small


def measure_lemmas(dictionaries: Dictionaries, language: str) -> Tally:
    """Compare the lemma that each word is given in its sentence, where the cut is the same."""
    forms = dictionaries._word_forms
    forms._lemmatiser.prepare(language)
    tally, cuts = Tally(), dict[str, frozenset[tuple[int, str]]]()
    for word in marked_words(language):
        if word.is_extra:
            continue
        if is_segmented(language):
            if word.sentence not in cuts:
                cuts[word.sentence] = frozenset((each.start, each.text) for each in words(word.sentence, language))
            tally.add("cut", is_same := (word.start, word.form) in cuts[word.sentence])
            if not is_same:
                continue
        lemma = forms.form_of(word.form, language, word.sentence).lemma or word.form
        is_right = _folded(lemma, language) in {_folded(each, language) for each in word.good}
        tally.add("lemma", is_right)
        tally.add("clitic" if word.has_clitic else word.kind, is_right)
        if not is_right:
            tally.mistakes[word.form, lemma, word.lemma, word.kind] += 1
    return tally


def _folded(lemma: str, language: str) -> str:
    """Fold a lemma as words are counted; the treebank of Russian has ё just where the sentence has it."""
    return fold(lemma, language).replace("ё", "е")


def measure_first_entries(dictionaries: Dictionaries, language: str) -> Tally:
    """Compare the first entry of each word that FreeDict has: its headword is to be a good lemma, case kept.

    "wrong" are those on another word or kind of word, but for phrases that stand in the sentence, and the word's form.
    """
    tally = Tally()
    store = dictionaries.opened()
    assert store is not None
    for word in marked_words(language):
        wanted = word.good if not word.has_particle else frozenset((word.lemma,))
        found = store.find([fold(each, language) for each in wanted], language)
        if not any(_headwords(cast("Any", each.row).term) & wanted for each in found):
            continue
        _, looked_up = dictionaries.look_up(word.form, language, word.sentence, explain_in=None)
        first = looked_up.entries[0] if looked_up.entries else None
        shown = first.entry.term if first else ""
        is_right = bool(_headwords(shown) & wanted)
        if word.has_particle:
            tally.add("separable", is_right)
        if word.is_extra:
            continue
        is_kind = first is not None and _is_kind(first, word.kind)
        is_phrase = first is not None and first.way == "phrase" and not is_right
        is_form = shown.casefold() == word.form.casefold()
        is_wrong = not is_phrase and not (is_kind and (is_right or is_form))
        for name, holds in (("first", is_right), (word.kind, is_right), ("phrase", is_phrase), ("wrong", is_wrong)):
            tally.add(name, holds)
        if is_wrong or not is_right:
            tally.mistakes["wrong" if is_wrong else "", word.form, shown, word.lemma, word.kind] += 1
    return tally


def _headwords(term: str) -> set[str]:
    """A headword, and what it is about without placeholders: "etw. abrunden", "abrunden"."""
    return {term, drop_placeholders(term)}


def _is_kind(found: FoundEntry, kind: str) -> bool:
    said = set(found.entry.part_of_speech)
    return not said or bool(said & _KINDS[kind])


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*")
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="print the N commonest mistakes too")
    given = parser.parse_args(arguments)
    if not CORPUS.exists():
        print(f"the corpus is not here: {CORPUS}", file=sys.stderr)
        return 1
    dictionaries = opened()
    languages = given.languages or sorted(path.stem for path in CORPUS.glob("*.tsv"))
    names = ("first", "VERB", "separable", "clitic", "phrase", "wrong")
    print("| language | lemma | first entry right | verbs | separable | clitics | a phrase | wrong word | words |")
    print("|---|" + "--:|" * 8)
    for language in languages:
        lemmas = measure_lemmas(dictionaries, language)
        first = measure_first_entries(dictionaries, language) if language in FREEDICT else Tally()
        found = [(lemmas, "lemma"), *((lemmas if name == "clitic" else first, name) for name in names)]
        cells = [f"{tally.percent(name):.1f}" if tally.counted[name] else "–" for tally, name in found]
        print("|", " | ".join((language, *cells, str(lemmas.counted["lemma"]))), "|", flush=True)
        for tally in (lemmas, first):
            for mistake, count in tally.mistakes.most_common(given.wrong):
                print(f"   {count:3}", *mistake)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
