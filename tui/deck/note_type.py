"""The note type "Lode": its frozen identity, its fields, and the card that shows them.

Anki matches a note type by id and then by the number, names and order of its fields and templates; a field added later
under the same id would make a second note type and conflicting notes. ``MODEL_ID``, ``FIELDS`` and ``TEMPLATE_NAME``
therefore never change. The two sides and the CSS may: move ``DESIGN_DATE`` whenever they do. It stands in the package
as the note type's time of change, or the moment at which the profile's options were changed where that is later: Anki
takes a design only when it is newer than its own, so a card that the learner restyled is not overwritten by every
import.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from tui.records.settings import CardFront, CardHint, CardOptions, SavedSettings

MODEL_ID = 1_852_370_915
NAME = "Lode"
TEMPLATE_NAME = "Reading"
DESIGN_DATE = 1_795_458_600
"""Time of the last change of the sides or the CSS, in seconds since 1970 (2026-11-23, 18:30)."""

FIELDS = (
    *("Expression", "ExpressionReading", "Lemma", "PartOfSpeech", "MainDefinition", "Sentence", "SentenceFurigana"),
    *("Translation", "Explanation", "Context", "SentenceAudio", "Picture", "Frequency", "MiscInfo", "Notes"),
    "SourceURL",
)
"""The names that learners' note types (Lapis, Kiku) use where they overlap; those without a source stay empty."""

CARD_KINDS = ("IsWordCard", "IsSentenceCard")
"""Marks ("x") of clips with a focus word, and of those without: for fields by which templates choose a kind of card."""
VALUES = (*FIELDS, "ExpressionFurigana", *CARD_KINDS)
"""Names of all that a note has: the fields of Lode's note type, then what only note types of the learner's own get."""

FIELDS_TO_LEARN = frozenset({"Expression", "ExpressionFurigana", "Lemma", "Sentence", "SentenceFurigana", "Context"})
"""Fields that are in the language that is learned; what is in the others is about it."""

_SENTENCE = "{{#Sentence}}{{Sentence}}{{/Sentence}}{{^Sentence}}{{Expression}}{{/Sentence}}"
_FRONTS: dict[CardFront, str] = {
    "sentence": f'<div class="sentence" dir="auto">{_SENTENCE}</div>',
    "word": '<div class="question" dir="auto">{{#Lemma}}{{Lemma}}{{/Lemma}}{{^Lemma}}{{Expression}}{{/Lemma}}</div>',
    "listening": (
        '{{#SentenceAudio}}<div class="audio" dir="auto">{{SentenceAudio}}</div>{{/SentenceAudio}}\n'
        f'{{{{^SentenceAudio}}}}<div class="sentence" dir="auto">{_SENTENCE}</div>{{{{/SentenceAudio}}}}'
    ),
}
_HINTS: dict[CardHint, str] = {
    "none": "",
    "translation": '\n{{#Translation}}<div class="hint" dir="auto">{{hint:Translation}}</div>{{/Translation}}',
    "reading": (
        "\n{{#ExpressionReading}}"
        '<div class="hint reading_hint" dir="auto">{{hint:ExpressionReading}}</div>{{/ExpressionReading}}'
    ),
}


def make_front(options: CardOptions) -> str:
    """The front's template; it shows something of every note, since Anki makes no card where it is empty."""
    return f'<div class="lode">\n{_FRONTS[options.front]}{_HINTS[options.hint]}\n</div>\n'


def changed_at(settings: SavedSettings) -> int:
    """The note type's time of change for a profile with these settings, in seconds since 1970."""
    if settings.card_changed_at is None:
        return DESIGN_DATE
    return max(DESIGN_DATE, int(datetime.fromisoformat(settings.card_changed_at).timestamp()))


BACK = Path(__file__).with_name("card_back.html").read_text("utf-8")
# No unicode-bidi: plaintext, which in WebKit (iOS) goes by words too that have a direction of their own: an explanation
# that begins with a Hebrew word was turned round. dir="auto" leaves them out everywhere.
CSS = Path(__file__).with_name("card.css").read_text("utf-8")
