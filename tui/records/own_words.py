"""Words of one's own: what people write of a lemma, beside what dictionaries say of it."""

from dataclasses import dataclass

MAX_LEMMA, MAX_MEANING, MAX_NOTE, MAX_PHRASE = 100, 500, 2_000, 120
"""Maximum characters of each text."""
MAX_PHRASES = 30


@dataclass(frozen=True, slots=True)
class OwnPhrase:
    """A phrase of several words in their dictionary forms ("Bescheid sagen"), and what it means; "" if unsaid."""

    text: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class OwnWord:
    """A lemma with a meaning, a note and phrases of one's own, each of which may be missing.

    ``language`` is a BCP 47 tag, of which the language counts and not the country.
    """

    language: str
    lemma: str
    meaning: str = ""
    note: str = ""
    phrases: tuple[OwnPhrase, ...] = ()

    @property
    def says_something(self) -> bool:
        return bool(self.meaning or self.note or self.phrases)
