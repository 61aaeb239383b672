"""Looking a word up: from how it stands in its sentence to the entries that fit it.

Asked are the word itself, its dictionary form, what a dictionary says that it is a form of, separable verbs and other
phrases that it is a part of there; only where none of these has a meaning its own parts, and last the same letters with
other accents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tui.language.focus import focus_spans
from tui.language.folding import fold_accents
from tui.language.scripts import in_hiragana
from tui.language.segmentation import words
from tui.language.separable_verbs import separable_prefixes
from tui.language.tags import base_language
from tui.language.words import fold
from tui.records.dictionaries import DictionaryEntry, TermFrequency, TermPronunciation
from tui.records.lookups import DictionaryRow, FoundEntry, FoundRow, LookUp, Way

Find = Callable[[Sequence[str], str | None], Sequence[FoundRow]]
"""Function that gives the rows with one of these keys in the dictionaries of a language, in the order of these."""
LemmaOf = Callable[[str], str | None]

_LONGEST_WORD, _MOST_GAPS = 120, 3
_LONGEST_SENTENCE = 2_000
_LONGEST_PHRASE = 5
"""Maximum words of a phrase."""
_WIDEST_GAP = 15
"""Maximum words between the parts of a phrase with a gap ("fährt … ab", "ne … pas"), of a separable verb as well."""
_LONGEST_CHAIN = 3
"""Maximum times that a form of a form is followed."""
_SHORTEST_PART = 3
_SHORTEST_VERB, _SHORTER_VERBS = 4, ("tun",)
_MOST_ENTRIES = 40
_ORDER: tuple[Way, ...] = ("phrase", "surface", "lemma", "part", "accents")
_WAYS_OF_STEMS: tuple[Way, ...] = ("surface", "lemma")
_JOINTS = {
    "de": ("", "s", "es", "n", "en", "er", "e"),
    "nl": ("", "s", "en", "e", "n"),
    "sv": ("", "s", "o", "u", "e"),
    "da": ("", "s", "e"),
    "nb": ("", "s", "e"),
    "no": ("", "s", "e"),
    "nn": ("", "s", "e"),
    "fi": ("", "n"),
    "hu": ("",),
}
"""Language whose compounds are written in one → what may stand between their parts."""


def look_up(
    find: Find,
    word: str,
    language: str | None,
    lemma_of: LemmaOf,
    sentence: str = "",
    *,
    explain_in: str | None = None,
    phrases: Iterable[str] = (),
) -> LookUp:
    """Find the entries of a word, the likeliest first; ``lemma_of`` gives the dictionary form of a word, if known.

    Dictionaries that explain in the language ``explain_in`` come before the others; ``phrases`` are some that are known
    to stand in the sentence. Blocks for as long as some queries take.
    """
    surface, *behind = (part.strip() for part in word[:_LONGEST_WORD].replace("...", "…").split("…", _MOST_GAPS))
    search = _Search(find, surface, language, explain_in)
    lemma = lemma_of(surface)
    stems = list(dict.fromkeys(each for each in (surface, lemma) if each))
    asked: dict[str, Way] = {}
    for stem, way in zip(stems, _WAYS_OF_STEMS, strict=False):
        asked |= {key: way for key in search.writings(stem) if key not in asked}
    for phrase in (*phrases, *_phrases(stems, behind, language, sentence[:_LONGEST_SENTENCE])):
        asked.setdefault(search.key(phrase), "phrase")
    search.ask(asked)
    for text in reversed(stems):
        if not search.entries:
            search.ask(dict.fromkeys(_parts(search, text, lemma_of, language), "part"))
    if not search.entries:
        search.ask({fold_accents(search.key(text)): "accents" for text in stems}, is_bare=True)
    return search.result(word)


class _Search:
    """One look-up: the keys asked so far and the rows found, each once, with the way that led there."""

    def __init__(self, find: Find, word: str, language: str | None, explain_in: str | None) -> None:
        self._find = find
        self._language = language
        self._word = self.key(word)
        self._explain_in = base_language(explain_in)
        self._asked: dict[str, Way] = {}
        self._facts: dict[tuple[str, DictionaryRow], FoundRow] = {}
        self.entries: dict[tuple[str, DictionaryRow], tuple[int, FoundEntry]] = {}
        """Entries with a meaning, each with the place of its dictionary in the user's order; own words are before 0."""

    def key(self, text: str) -> str:
        return fold(text.strip(), self._language)

    def writings(self, text: str) -> list[str]:
        """The keys of a text: as it is, and in the other kana."""
        key = self.key(text)
        return [key, in_hiragana(key)] if base_language(self._language) == "ja" else [key]

    def ask(self, wanted: Mapping[str, Way], *, is_bare: bool = False) -> None:
        """Look these keys up, and what the rows say that they are forms of."""
        for _ in range(_LONGEST_CHAIN):
            new = {key: way for key, way in wanted.items() if key and (is_bare or key not in self._asked)}
            if not new:
                return
            self._asked |= new
            pointers: dict[str, Way] = {}
            for found in self._find(list(new), self._language):
                row, way, place = found.row, new[found.key], (found.dictionary.id, found.row)
                if (found.match == "bare") is not is_bare:
                    continue
                if not isinstance(row, DictionaryEntry):
                    self._facts[place] = found
                    continue
                if way == "phrase" and found.match == "form" and self._is_behind(row.term, found.key):
                    continue
                for lemma in row.lemmas:
                    pointers.setdefault(self.key(lemma), "lemma" if way == "surface" else way)
                if row.senses or row.html:
                    self.entries.setdefault(place, (found.position, FoundEntry(row, found.dictionary, way)))
            wanted, is_bare = pointers, False

    def _is_behind(self, term: str, phrase: str) -> bool:
        """Whether the word is only what stands behind a term that makes up the rest of the phrase: ね in カレーね."""
        key = self.key(term)
        return key in phrase and self._word not in key

    def known(self, keys: Iterable[str]) -> set[str]:
        """Keep those of the keys that are terms with a meaning, or forms of them."""
        return {
            found.key
            for found in self._find([key for key in keys if key], self._language)
            if found.match in ("term", "form") and isinstance(found.row, DictionaryEntry) and found.row.senses
        }

    def result(self, word: str) -> LookUp:
        """All that was found: phrases, own words, what explains in the wanted language, by way, in the user's order.

        A phrase is another word than its parts, whatever language it is explained in; so it stands before those.
        """
        places = sorted(
            self.entries.values(),
            key=lambda place: (
                place[1].way != "phrase",
                place[0] >= 0,
                self._is_in_other_language(place[1]),
                _ORDER.index(place[1].way),
                self.key(place[1].entry.term) not in self._asked,
                place[0],
                -place[1].entry.score,
            ),
        )
        entries = tuple(entry for _, entry in places[:_MOST_ENTRIES])
        terms = {self.key(each.entry.term) for each in entries} | set(self._asked)
        facts = [each for each in self._facts.values() if self.key(each.row.term) in terms]
        frequencies = [(each.dictionary.title, each.row) for each in facts if isinstance(each.row, TermFrequency)]
        spoken = [(each.dictionary.title, each.row) for each in facts if isinstance(each.row, TermPronunciation)]
        return LookUp(word, entries, tuple(frequencies), tuple(spoken))

    def _is_in_other_language(self, found: FoundEntry) -> bool:
        """Whether its dictionary says that it explains in another language than the wanted one."""
        target = found.dictionary.target_language
        return bool(self._explain_in and target) and base_language(target) != self._explain_in


def _phrases(stems: Sequence[str], behind: Sequence[str], language: str | None, sentence: str) -> Iterator[str]:
    """The phrases that the word may be a part of in its sentence: separable verbs, and words in a row."""
    if behind:  # "fährt … ab"
        for stem in stems:
            yield "".join(reversed([stem, *behind]))
            yield " ".join([stem, *behind])
    spans = focus_spans(sentence, stems[0]) if stems else ()
    if not spans:
        return
    cut = words(sentence, language)
    at = [number for number, word in enumerate(cut) if word.start < spans[-1][1] and word.end > spans[0][0]]
    if not at:
        return
    prefixes = separable_prefixes(language)
    for word in cut[at[-1] + 1 : at[-1] + 1 + _WIDEST_GAP]:
        yield from (f"{stem} … {word.text}" for stem in stems)
        if fold(word.text, language) in prefixes:
            yield from (fold(word.text, language) + stem for stem in reversed(stems) if _may_be_verb(stem))
    for word in cut[max(0, at[0] - _WIDEST_GAP) : at[0]]:
        yield from (f"{word.text} … {stem}" for stem in stems)
    for first in range(max(0, at[-1] - _LONGEST_PHRASE + 1), at[0] + 1):
        for last in range(max(at[-1], first + 1), min(len(cut), first + _LONGEST_PHRASE)):
            yield sentence[cut[first].start : cut[last].end]
            before, after = sentence[cut[first].start : spans[0][0]], sentence[spans[-1][1] : cut[last].end]
            yield from (f"{before}{stem}{after}" for stem in stems[1:])


def _may_be_verb(stem: str) -> bool:
    """Whether this is long enough for a verb with a prefix that stands apart: "er … ab" is no "aber"."""
    return len(stem) >= _SHORTEST_VERB or stem in _SHORTER_VERBS


def _parts(search: _Search, text: str, lemma_of: LemmaOf, language: str | None) -> list[str]:
    """The two parts of a compound that are known, the last one as long as can be; nothing where it is none."""
    joints, key = _JOINTS.get(base_language(language), ()), search.key(text)
    cuts: list[tuple[list[str], list[str]]] = []
    for at in range(_SHORTEST_PART, len(key) - _SHORTEST_PART + 1):
        first = [key[: at - len(joint)] for joint in joints if key[:at].endswith(joint)]
        last = [key[at:], search.key(lemma_of(key[at:].capitalize()) or "")]
        cuts.append(([part for part in first if len(part) >= _SHORTEST_PART], last))
    known = search.known({part for cut in cuts for side in cut for part in side}) if joints else set()
    for first, last in cuts:
        heads, tails = ([part for part in side if part in known] for side in (first, last))
        if heads and tails:
            return [heads[0], tails[0]]
    return []
