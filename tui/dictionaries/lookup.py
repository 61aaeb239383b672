"""Looking a word up: from how it stands in its sentence to the entries that fit it.

Asked are the word itself, its dictionary form, what a dictionary says that it is a form of, separable verbs and other
phrases that it is a part of there; only where none of these has a meaning its own parts, and last the same letters with
other accents.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tui.dictionaries.freedict_text import drop_placeholders
from tui.language.focus import ends_clause, find_focus_spans
from tui.language.folding import fold_accents
from tui.language.lemmas import find_further_lemmas
from tui.language.scripts import convert_to_hiragana
from tui.language.segmentation import words
from tui.language.tags import base_language
from tui.language.word import Word, fold
from tui.language.word_kinds import has_capital_nouns, is_noun_by_capital, is_polite, is_verb_by_neighbours
from tui.language.word_lists import list_words
from tui.records.dictionaries import (
    DictionaryEntry,
    DictionaryRow,
    FoundEntry,
    FoundRow,
    LookUp,
    TermFrequency,
    TermPronunciation,
    Way,
)

Find = Callable[[Sequence[str], str | None], Sequence[FoundRow]]
"""Function that gives the rows with one of these keys in the dictionaries of a language, in the order of these."""
LemmaOf = Callable[[str], str | None]

_MAX_WORD_LENGTH, _MAX_GAPS = 120, 3
_MAX_SENTENCE_LENGTH = 2_000
_MAX_CHAIN_LENGTH = 3
"""Maximum times that a form of a form is followed."""
_SHORTEST_PART = 3
_MAX_ENTRIES = 40
_SMALL_KINDS = frozenset(("adverb", "conjunction", "preposition", "pronoun"))
_HAS_FORM = 100
_GAP = "…"
"""Sign of other words in a headword, which stands nowhere as it is."""
_GROUPS: Mapping[Way, int] = {"surface": 2, "lemma": 2, "phrase": 3, "part": 4, "accents": 5}
"""Way → its place in the order of entries; own words and phrases that stand in the sentence come before."""
_WAYS_OF_STEMS: tuple[Way, ...] = ("surface", "lemma", "lemma")
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
    surface, *behind = (part.strip() for part in word[:_MAX_WORD_LENGTH].replace("...", "…").split("…", _MAX_GAPS))
    search = _Search(find, surface, language, lemma_of, sentence, explain_in)
    stems = list(dict.fromkeys(filter(None, (surface, search.lemma))))
    if search.is_noun is None and has_capital_nouns(language) and surface[:1].isupper():
        # At the beginning of a sentence "Melden" may be a verb too.
        verb = lemma_of(surface.lower())
        if verb and verb not in stems:
            stems.append(verb)
            search.further.add(verb)
    asked: dict[str, Way] = {}
    for stem, way in zip(stems, _WAYS_OF_STEMS, strict=False):
        asked |= {key: way for key in search.writings(stem) if key not in asked}
    for further in find_further_lemmas(stems, language):
        search.further.add(further)
        asked.setdefault(search.key(further), "lemma")
    known = (Phrase(phrase, stands=True) for phrase in phrases)
    for phrase in (*known, *find_phrases(stems, behind, language, sentence)):
        key = search.key(phrase.text)
        if phrase.stands:
            search.phrases.setdefault(key, phrase.text)
        asked.setdefault(key, "phrase")
    search.ask(asked)
    for text in reversed(stems):
        if not search.entries:
            search.ask(dict.fromkeys(_parts(search, text, lemma_of, language), "part"))
    if not search.entries:
        search.ask({fold_accents(search.key(text)): "accents" for text in stems}, is_bare=True)
    return search.result(word)


class _Search:
    """One look-up: the keys asked so far and the rows found, each once, with the way that led there."""

    def __init__(
        self, find: Find, word: str, language: str | None, lemma_of: LemmaOf, sentence: str, explain_in: str | None
    ) -> None:
        self._find = find
        self._language = language
        self._surface = word
        self.lemma = (word if is_polite(word, language, sentence) else lemma_of(word)) or word
        self._word = self.key(word)
        self.is_noun = is_noun_by_capital(word, language, sentence)
        before, after = _neighbours(word, language, sentence)
        self._is_verb = is_verb_by_neighbours(self._word, self.key(self.lemma), before, after, language)
        self._knows_neighbours = bool(list_words("before_nouns", language))
        small = list_words("pronouns", language), list_words("auxiliaries", language)
        self._is_small = self._word in small[0] or self.lemma in small[1]
        """Whether it is a pronoun or an auxiliary verb, which is in many phrases and meant for itself."""
        self._explain_in = base_language(explain_in)
        self._asked: dict[str, Way] = {}
        self.further = set[str]()
        """Lemmas that are asked for besides."""
        self.phrases: dict[str, str] = {}
        """Phrases that stand in the sentence, by their keys."""
        self._facts: dict[tuple[str, DictionaryRow], FoundRow] = {}
        self.entries: dict[tuple[str, DictionaryRow], tuple[FoundRow, FoundEntry]] = {}
        """Entries with a meaning, each with the row that it was found as."""

    def key(self, text: str) -> str:
        return fold(text.replace("\0", "").strip(), self._language)  # SQLite ends a text of JSON at a NUL

    def writings(self, text: str) -> list[str]:
        """The keys of a text: as it is, and in the other kana."""
        key = self.key(text)
        return [key, convert_to_hiragana(key)] if base_language(self._language) == "ja" else [key]

    def ask(self, wanted: Mapping[str, Way], *, is_bare: bool = False) -> None:
        """Look these keys up, and what the rows say that they are forms of."""
        for _ in range(_MAX_CHAIN_LENGTH):
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
                if way == "phrase" and found.match == "form":
                    # The word may be only what stands behind a term that makes up the rest: ね in カレーね.
                    term = self.key(row.term)
                    if term in found.key and self._word not in term:
                        continue
                for lemma in row.lemmas:
                    pointers.setdefault(self.key(lemma), "lemma" if way == "surface" else way)
                if row.senses or row.html:
                    self.entries.setdefault(place, (found, FoundEntry(row, found.dictionary, way)))
            wanted, is_bare = pointers, False

    def known(self, keys: Iterable[str]) -> set[str]:
        """Keep those of the keys that are terms with a meaning, or forms of them."""
        return {
            found.key
            for found in self._find([key for key in keys if key], self._language)
            if found.match in ("term", "form") and isinstance(found.row, DictionaryEntry) and found.row.senses
        }

    def result(self, word: str) -> LookUp:
        """All that was found: own words, phrases that stand there, the word itself, other phrases, parts of it.

        Within each what explains in the wanted language, then what fits best, in the user's order of dictionaries. A
        phrase is another word than its parts, whatever language it is explained in.
        """
        places = sorted(self.entries.values(), key=lambda place: self._rank(*place))
        entries = tuple(entry for _, entry in places[:_MAX_ENTRIES])
        terms = {self.key(each.entry.term) for each in entries} | set(self._asked)
        facts = [each for each in self._facts.values() if self.key(each.row.term) in terms]
        frequencies = [(each.dictionary.title, each.row) for each in facts if isinstance(each.row, TermFrequency)]
        spoken = [(each.dictionary.title, each.row) for each in facts if isinstance(each.row, TermPronunciation)]
        other = self._other([row for row, _ in places], entries)
        return LookUp(word, entries, tuple(frequencies), tuple(spoken), other)

    def _other(self, rows: Sequence[FoundRow], entries: Sequence[FoundEntry]) -> int:
        """The place of the first entry on a word of another kind that only a tagger could tell from the first one."""
        if not entries or self._is_small or not self._may_be_meant(rows[0], entries[0]):
            return 0
        kind, language = _kind(entries[0].entry), self._is_in_other_language(entries[0])
        for place, (row, found) in enumerate(zip(rows, entries, strict=False)):
            is_other = kind and _kind(found.entry) not in ("", kind)
            if is_other and self._is_in_other_language(found) == language and self._may_be_meant(row, found):
                return place
        return 0

    def _may_be_meant(self, row: FoundRow, found: FoundEntry) -> bool:
        fits = self._names(found.entry) & {self._surface, self.lemma, *self.further}
        return self._group(row, found) == 2 and bool(fits) and self._is_kind(found.entry)

    def _rank(self, row: FoundRow, found: FoundEntry) -> tuple[int, bool, int, int, float]:
        entry = found.entry
        score = entry.score
        if found.dictionary.format == "dictd":
            # FreeDict says nothing of how common a meaning is; those that are have examples, and irregular forms.
            score += sum(len(sense.examples) for sense in entry.senses)
            score += _HAS_FORM if self._surface in entry.forms and entry.term == self.lemma else 0
        return self._group(row, found), self._is_in_other_language(found), self._misfit(found), row.position, -score

    def _group(self, row: FoundRow, found: FoundEntry) -> int:
        group = _GROUPS[found.way]
        if found.way == "phrase":
            term = found.entry.term
            text = self.phrases.get(row.key, "")
            stands = text and _GAP not in term and not (" " in text and drop_placeholders(term))
            group = 1 if stands and not self._is_small else group
        return group if row.position >= 0 or group == 3 else 0

    def _misfit(self, found: FoundEntry) -> int:
        """How far an entry is from what was asked: its kind, then its headword, case kept."""
        entry = found.entry
        names = self._names(entry)
        if found.way == "phrase":
            fits = int(self.phrases.get(self.key(entry.term)) not in names)
        elif self.lemma in names:
            fits = 0
        elif self._surface in names:
            fits = 1
        else:
            folded = self.key(entry.term)
            fits = 2 if folded == self.key(self.lemma) else 3 if folded in self._asked else 4
        # Of two words that look alike a small one is meant ("pas" is not, and no step), but behind an article.
        may_be_small = self._surface == entry.term and self._is_verb is None and self._knows_neighbours
        is_small = may_be_small and not _SMALL_KINDS.isdisjoint(entry.part_of_speech)
        return 2 * fits + (0 if is_small else 1) + (0 if self._is_kind(entry) else 20)

    def _names(self, entry: DictionaryEntry) -> set[str]:
        return {entry.term, drop_placeholders(entry.term)}

    def _is_kind(self, entry: DictionaryEntry) -> bool:
        """Whether an entry may be on a word of the kind that is meant, as far as the sentence tells."""
        said = [part for part in entry.part_of_speech if "pronoun" not in part and "proverb" not in part]
        if self._is_verb is not None and entry.part_of_speech:
            return any(("verb" in part and "adverb" not in part) is self._is_verb for part in entry.part_of_speech)
        if self.is_noun is None:
            return True
        if not entry.part_of_speech:
            return entry.term[:1].isupper() is self.is_noun
        is_noun = any("noun" in part for part in said)
        return is_noun if self.is_noun else not is_noun or len(entry.part_of_speech) > 1

    def _is_in_other_language(self, found: FoundEntry) -> bool:
        """Whether its dictionary says that it explains in another language than the wanted one."""
        target = found.dictionary.target_language
        return bool(self._explain_in and target) and base_language(target) != self._explain_in


def _kind(entry: DictionaryEntry) -> str:
    """Noun, verb or adjective, as far as the entry says one of these; an adverb counts for an adjective."""
    said = set(entry.part_of_speech)
    kinds = {kind for kind in ("noun", "verb", "adjective") if any(part.split(" (")[0].endswith(kind) for part in said)}
    return kinds.pop() if len(kinds) == 1 and len(said) == 1 else ""


def _neighbours(word: str, language: str | None, sentence: str) -> tuple[str, str]:
    """The words that stand right before and behind this one, folded; "" where there is none, or a sign between."""
    spans = find_focus_spans(sentence, word) if len(sentence) <= _MAX_SENTENCE_LENGTH else ()
    if not spans:
        return "", ""
    before = sentence[max(0, spans[0][0] - _MAX_WORD_LENGTH) : spans[0][0]]
    behind = sentence[spans[-1][1] : spans[-1][1] + _MAX_WORD_LENGTH]
    left, right = words(before, language), words(behind, language)
    return (
        fold(left[-1].text, language) if left and not before[left[-1].end :].strip() else "",
        fold(right[0].text, language) if right and not behind[: right[0].start].strip() else "",
    )


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


_MAX_PHRASE_LENGTH = 5
"""Maximum words of a phrase."""
_MAX_GAP_WIDTH = 15
"""Maximum words between the parts of a phrase with a gap ("ne … pas"); a separable verb may be wider apart."""
_MAX_CLAUSE_WIDTH = 30
_ENDS_SENTENCE = re.compile(r"[.!?…;](?=\s|\Z)")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as a dictionary may have it.

    ``stands`` tells that it stands in the sentence as it is, not only with the word in another form of it.
    """

    text: str
    stands: bool


def find_phrases(stems: Sequence[str], behind: Sequence[str], language: str | None, sentence: str) -> Iterator[Phrase]:
    """Iterate over the phrases with a word, which is given as it stands there and then in its dictionary form.

    ``behind`` is what stands behind a gap where the focus has one ("fährt … ab").
    """
    if behind:
        for stem in reversed(stems):
            yield Phrase("".join(reversed([stem, *behind])), stands=True)
        for stem in stems:
            yield Phrase(" ".join([stem, *behind]), stands=True)
    sentence = sentence[:_MAX_SENTENCE_LENGTH]
    spans = find_focus_spans(sentence, stems[0]) if stems else ()
    cut = words(sentence, language) if spans else ()
    at = [number for number, word in enumerate(cut) if word.start < spans[-1][1] and word.end > spans[0][0]]
    if not at:
        return
    if not behind and is_noun_by_capital(stems[0], language, sentence) is not True:
        yield from _separable(stems, cut, at[-1], language, sentence)
    for word in cut[at[-1] + 1 : at[-1] + 1 + _MAX_GAP_WIDTH]:
        yield from (Phrase(f"{stem} … {word.text}", stands=True) for stem in stems)
    for word in cut[max(0, at[0] - _MAX_GAP_WIDTH) : at[0]]:
        yield from (Phrase(f"{word.text} … {stem}", stands=True) for stem in stems)
    small = list_words("pronouns", language) | list_words("auxiliaries", language)
    open_ends = list_words("links", language)
    prefixes = list_words("separable_prefixes", language)
    for first in range(max(0, at[-1] - _MAX_PHRASE_LENGTH + 1), at[0] + 1):
        for last in range(max(at[-1], first + 1), min(len(cut), first + _MAX_PHRASE_LENGTH)):
            ends = fold(cut[first].text, language), fold(cut[last].text, language)
            is_whole = ends[0] not in small and ends[0] != "to" and ends[1] not in small | open_ends
            is_whole &= ends[1] not in prefixes or ends_clause(sentence, cut[last].end, language)
            yield Phrase(sentence[cut[first].start : cut[last].end], stands=is_whole)
            before, after = sentence[cut[first].start : spans[0][0]], sentence[spans[-1][1] : cut[last].end]
            yield from (Phrase(f"{before}{stem}{after}", stands=False) for stem in stems[1:])


def _separable(
    stems: Sequence[str], cut: Sequence[Word], at: int, language: str | None, sentence: str
) -> Iterator[Phrase]:
    """The verb joined with the particle that ends its clause: "steht … auf" is aufstehen, "um sechs" nothing."""
    prefixes = list_words("separable_prefixes", language)
    verb = stems[-1]
    if not verb.endswith("n") or not verb[:1].islower():  # an infinitive, and no noun
        return
    for number in range(at + 1, min(len(cut), at + 1 + _MAX_CLAUSE_WIDTH)):
        word = cut[number]
        if _ENDS_SENTENCE.search(sentence[cut[number - 1].end : word.start]):
            return
        if fold(word.text, language) in prefixes and ends_clause(sentence, word.end, language):
            yield Phrase(fold(word.text, language) + verb, stands=True)
