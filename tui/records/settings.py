"""Settings of a profile: the language of explanations, the languages that are learned, what counts as known."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from tui.records.word_states import WordState

DEFAULT_EXPLAIN_IN = "en"
DEFAULT_KNOWN: tuple[WordState, ...] = ("known", "ignored")

CardFront = Literal["sentence", "word", "listening"]
CardHint = Literal["none", "translation", "reading"]
DeckPer = Literal["none", "language", "tag"]
InboxFill = Literal["dictionaries", "breakdown"]
_CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting that is one of some values, the first of them at first; all faces are made of this row.

    ``label`` is its name in the app, ``option`` that of ``lode profiles set``, ``help`` what it does. ``refused`` says
    what another value is not. ``lode profiles show`` has ``shown`` with the value in the line ``line``.
    """

    values: tuple[str, ...]
    label: str
    option: str
    help: str
    refused: str
    line: str
    shown: str
    usual_is_shown: bool = True

    def show(self, value: str) -> str:
        return self.shown.format(value) if self.usual_is_shown or value != self.values[0] else ""


def _choose(values: tuple[str, ...], **row: Any) -> Any:
    return field(default=values[0], metadata={_CHOICE: Choice(values, **row)})


@dataclass(frozen=True, slots=True)
class CardOptions:
    """Options of the card template: what the front asks with, and what a tap on it shows.

    ``listening`` asks with the sound of the sentence, and with its text where there is no sound.
    """

    front: CardFront = "sentence"
    hint: CardHint = "none"


@dataclass(frozen=True, slots=True)
class LearnedLanguage:
    """A language that is learned (BCP 47) and how far, as its exams call it ("B1", "N4", "HSK3", "TOPIK2"); "" if
    unknown.
    """

    language: str
    level: str = ""


@dataclass(frozen=True, slots=True)
class ProfileSettings:
    """The written settings of a profile; ``explain_in`` is a BCP 47 tag.

    ``known_states`` are the states of words that count as known, where known words are counted; never ``new``.
    ``card_front`` and ``card_hint`` are those of ``CardOptions``. ``note_fields`` is a note type of the learner's own
    with its fields, as TOML (``deck/note_fields.py``), "" for Lode's. ``transcribe_with`` is the model that recordings
    are transcribed with, "" for what there is.
    """

    explain_in: str = DEFAULT_EXPLAIN_IN
    learning: tuple[LearnedLanguage, ...] = ()
    known_states: tuple[WordState, ...] = DEFAULT_KNOWN
    card_front: CardFront = _choose(  # noqa: RUF009 - it makes a field
        get_args(CardFront),
        label="Front",
        option="--front",
        help="What the front of a card asks with; listening asks with the text where there is no sound.",
        refused="front of a card",
        line="cards",
        shown="{} in front",
    )
    card_hint: CardHint = _choose(  # noqa: RUF009 - it makes a field
        get_args(CardHint),
        label="Hint",
        option="--hint",
        help="What a tap on the front of a card shows.",
        refused="hint of a card",
        line="cards",
        shown="hint: {}",
    )
    deck_per: DeckPer = _choose(  # noqa: RUF009 - it makes a field
        get_args(DeckPer),
        label="Deck per",
        option="--deck-per",
        help="Decks within the deck; tag: the first one of a clip.",
        refused="reason for a deck of its own",
        line="decks",
        shown="one for each {}",
        usual_is_shown=False,
    )
    note_fields: str = ""
    transcribe_with: str = ""
    inbox_fill: InboxFill = _choose(  # noqa: RUF009 - it makes a field
        get_args(InboxFill),
        label="Inbox",
        option="--inbox",
        help="What fills cards that other programs send; breakdown asks the template's model too.",
        refused="way to fill cards of the inbox",
        line="inbox",
        shown="filled by {}",
        usual_is_shown=False,
    )

    @property
    def card(self) -> CardOptions:
        return CardOptions(self.card_front, self.card_hint)

    def contents(self) -> ProfileSettings:
        """The settings without what the library added: to be changed and saved once more."""
        return ProfileSettings(**{field.name: getattr(self, field.name) for field in fields(ProfileSettings)})

    def level_in(self, language: str | None) -> str:
        """The level in a language: that of its very tag, else that of another tag of the language; "" for none."""
        if not language:
            return ""
        near = [each for each in self.learning if each.level and _base(each.language) == _base(language)]
        near.sort(key=lambda each: each.language != language)
        return near[0].level if near else ""


CHOICES: dict[str, Choice] = {
    each.name: each.metadata[_CHOICE] for each in fields(ProfileSettings) if _CHOICE in each.metadata
}
DECK_CHOICES = ("card_front", "card_hint", "deck_per")
"""Those of them that make a deck what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSettings(ProfileSettings):
    """The settings in force; ``updated_at`` is None where they were never saved, and these are the usual ones.

    ``card_changed_at`` is when the options of the card were last changed, None if never.
    """

    updated_at: str | None = None
    card_changed_at: str | None = None


def _base(tag: str) -> str:
    return tag.partition("-")[0]
