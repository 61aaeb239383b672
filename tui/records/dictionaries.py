"""Dictionaries: what one says of a term, how frequent and how pronounced the term is, and the dictionary itself.

Texts are plain and sanitised for a terminal, with line feeds where a dictionary breaks a line; they may hold any markup
as text. Only ``DictionaryEntry.html`` is markup. An empty tuple or text means that the dictionary does not say it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
