"""Dictionaries: what one says of a term, how frequent and how pronounced it is, the dictionary itself, and look-ups.

Texts are plain and sanitised for a terminal, with line feeds where a dictionary breaks a line; they may hold any markup
as text. Only ``DictionaryEntry.html`` is markup. An empty tuple or text means that the dictionary does not say it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

FrequencyMode = Literal["occurrence-based", "rank-based"]
"""Meaning of a frequency: how often a term occurs (more is commoner) or its rank (1 is the commonest)."""

NOTE = "note"
"""Tag of a sense that is a remark on the word and no meaning of it, as a teacher makes one."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with the term, and its translation."""

    text: str
    translation: str = ""


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a term: translations that stand for it, or an explanation as the only one of its ``glosses``.

    ``tags`` say where it holds, in the dictionary's words: "medicine", "colloquial", "transitive".
    """

    glosses: tuple[str, ...]
    tags: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()

    @property
    def is_note(self) -> bool:
        """Whether this is a remark on the word and no meaning of it."""
        return NOTE in self.tags


@dataclass(frozen=True, slots=True)
class PitchAccent:
    """Japanese pitch accent of a reading: ``position`` is the mora after which the pitch falls, from 1; 0 for none."""

    reading: str
    position: int


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """Entry of a dictionary on a term, one of its rows; a term may have several.

    ``reading`` is the term's in kana or pinyin, "" where it is the term itself or unknown. ``part_of_speech`` and
    ``tags`` are in the dictionary's words; of an inflected form the tags name the form ("third-person singular").
    ``forms`` are other writings and inflected forms, by which the entry is found too. ``lemmas`` are the terms that
    this one only points to: those of an inflected form, and the usual writing of a variant. ``related`` are terms that
    it names as synonyms or to compare. ``pronunciations`` are in IPA, as written, usually between slashes or brackets.
    ``pitch`` is what a lookup adds to it out of other rows, as most dictionaries with pitch accents have nothing else.
    The higher ``score`` comes first among the entries of a term. ``html`` is the meaning for a card, of safe tags
    only; "" where the text of the senses is all there is.
    """

    term: str
    reading: str = ""
    part_of_speech: tuple[str, ...] = ()
    senses: tuple[Sense, ...] = ()
    forms: tuple[str, ...] = ()
    pronunciations: tuple[str, ...] = ()
    pitch: tuple[PitchAccent, ...] = ()
    lemmas: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    score: float = 0.0
    tags: tuple[str, ...] = ()
    html: str = ""

    @property
    def meanings(self) -> tuple[Sense, ...]:
        """The senses without remarks."""
        return tuple(sense for sense in self.senses if not sense.is_note)

    @property
    def notes(self) -> tuple[Sense, ...]:
        """The senses that are remarks."""
        return tuple(sense for sense in self.senses if sense.is_note)


@dataclass(frozen=True, slots=True)
class TermFrequency:
    """How frequent a term is, with this reading if it is not "".

    ``value`` is a count or a rank, as the dictionary's ``frequency_mode`` says, None where it says it in words only;
    ``shown`` is how the dictionary itself writes it.
    """

    term: str
    reading: str
    value: int | None
    shown: str


@dataclass(frozen=True, slots=True)
class TermPronunciation:
    """How a term is pronounced, with this reading if it is not "", from a dictionary that says nothing else of it."""

    term: str
    reading: str
    pronunciations: tuple[str, ...] = ()
    pitch: tuple[PitchAccent, ...] = ()


@dataclass(frozen=True, slots=True)
class DictionaryInfo:
    """Title, languages, licence and origin of a dictionary, as its file has them.

    ``format`` is the name of a row in ``tui/dictionaries/formats.py``. The languages are BCP 47 tags, of the terms and
    of the explanations; None where the file does not say and its text does not show it. ``frequency_mode`` is None
    where it has no frequencies, or does not say what they are. ``attribution`` is what must be named where its text is
    shown or kept on cards, ``license`` the name of its licence.
    """

    title: str
    format: str
    revision: str = ""
    source_language: str | None = None
    target_language: str | None = None
    author: str = ""
    url: str = ""
    description: str = ""
    attribution: str = ""
    license: str = ""
    frequency_mode: FrequencyMode | None = None


@dataclass(frozen=True, slots=True)
class OfferedDictionary:
    """A dictionary that the system has for other programs, and the library has not; ``path`` is the file to add.

    The languages are those that its name says, None where that says none.
    """

    path: str
    name: str
    source_language: str | None
    target_language: str | None
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary of the library; ``size_bytes`` is what it takes there, ``entry_count`` counts its rows of all kinds.

    ``file_name`` is the name of the file that it was added from, of dictd's two that of the index. The other fields
    are those of ``DictionaryInfo``.
    """

    id: str
    title: str
    format: str
    revision: str
    source_language: str | None
    target_language: str | None
    author: str
    url: str
    description: str
    attribution: str
    license: str
    frequency_mode: FrequencyMode | None
    entry_count: int
    size_bytes: int
    created_at: str
    file_name: str = ""

    @property
    def credit(self) -> str:
        """Title and licence, as they stand where its text is shown or kept."""
        return " · ".join(filter(None, (self.title, self.license)))


OWN = Dictionary("own", "Your own words", "own", "", None, None, "", "", "", "", "", None, 0, 0, "")
"""Dictionary of what people write of words themselves, which is asked first and named nowhere as a source."""


DictionaryRow: TypeAlias = DictionaryEntry | TermFrequency | TermPronunciation

Match = Literal["term", "reading", "form", "bare"]
"""Text of a row that a key was made of: the term, its reading, one of its other forms, or the term without accents."""

Way = Literal["surface", "lemma", "phrase", "part", "accents"]
"""How an entry was found: as the word stands there, by its dictionary form, as a phrase that it belongs to in its
sentence ("fährt … ab", "noch nicht"), as a part of it, or by the same letters with other accents."""

OTHER = "may be meant as well"
"""Remark on the entry that is the other choice, behind its head."""


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row that was looked up: the ``key`` that it was found by, and which of its texts that is.

    ``position`` is the place of its dictionary in the order in which they are asked.
    """

    dictionary: Dictionary
    position: int
    key: str
    match: Match
    row: DictionaryRow


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """An entry that fits a word, the dictionary that it is of (without its description), and how it was found."""

    entry: DictionaryEntry
    dictionary: Dictionary
    way: Way


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry as a short text for a model, and the title and licence of its dictionary.

    Of own words there is the term and what was written that it means instead.
    """

    text: str
    dictionary: str = ""
    own_term: str = ""
    own_meaning: str = ""


@dataclass(frozen=True, slots=True)
class LookUp:
    """Result of looking a word up: entries, the likeliest first, and frequencies and pronunciations of their terms.

    Each comes with the title of the dictionary that says so. ``other`` is the place of the entry that may as well be
    meant as the first: a word of another kind that looks the same there, 0 where there is none.
    """

    word: str
    entries: tuple[FoundEntry, ...] = ()
    frequencies: tuple[tuple[str, TermFrequency], ...] = ()
    pronunciations: tuple[tuple[str, TermPronunciation], ...] = ()
    other: int = 0

    def is_other(self, found: FoundEntry) -> bool:
        """Whether it is the entry that may as well be meant, or one that ``by_dictionary`` made of it."""
        return self.other > 0 and _word_of(found) == _word_of(self.entries[self.other])


def _word_of(found: FoundEntry) -> tuple[object, ...]:
    entry = found.entry
    return found.dictionary.id, found.way, entry.term, entry.reading, entry.part_of_speech


def by_dictionary(entries: Iterable[FoundEntry]) -> list[list[FoundEntry]]:
    """The entries of each dictionary together, as they are shown: in the order in which the first of each comes.

    What one says of a word in several entries is one entry, with all their senses: FreeDict has one for each.
    """
    found: dict[str, list[list[FoundEntry]]] = {}
    for each in entries:
        of_dictionary = found.setdefault(each.dictionary.id, [])
        group = next((group for group in of_dictionary if _are_on_one_word(group[0], each)), None)
        if group is None:
            of_dictionary.append([each])
        else:
            group.append(each)
    return [[_join(group) for group in groups] for groups in found.values()]


def _are_on_one_word(one: FoundEntry, other: FoundEntry) -> bool:
    first, second = one.entry, other.entry
    is_kind = first.part_of_speech == second.part_of_speech or not (first.part_of_speech and second.part_of_speech)
    is_word = (first.term, first.reading, one.way) == (second.term, second.reading, other.way)
    return is_kind and is_word and not (first.html or second.html)


def _join(found: Sequence[FoundEntry]) -> FoundEntry:
    """One entry of several on a word; what only some are tagged with stands at their senses."""
    first, *others = (each.entry for each in found)
    if not others:
        return found[0]
    common = tuple(tag for tag in first.tags if all(tag in each.tags for each in others))
    senses = [
        replace(sense, tags=(*(tag for tag in each.tags if tag not in common), *sense.tags))
        for each in (first, *others)
        for sense in each.senses
    ]
    joined = replace(
        first,
        part_of_speech=next((each.part_of_speech for each in (first, *others) if each.part_of_speech), ()),
        senses=tuple(senses),
        tags=common,
        forms=tuple(dict.fromkeys(form for each in (first, *others) for form in each.forms)),
        pronunciations=tuple(dict.fromkeys(each for entry in (first, *others) for each in entry.pronunciations)),
        related=tuple(dict.fromkeys(term for each in (first, *others) for term in each.related)),
    )
    return replace(found[0], entry=joined)
