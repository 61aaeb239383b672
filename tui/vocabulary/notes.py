"""Notes of Anki with their cards: which of their fields has the word, and how well their cards say that it is known.

Cards are told apart as Anki does it: new ones were never shown, learning and relearning ones have steps of minutes,
and review ones an interval in days. One card that is known is enough: the best of a note counts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape

from tui.errors import InvalidInput
from tui.language.scripts import RANGES, script_pattern
from tui.language.word_form import has_characters
from tui.language.word_lists import read_lists
from tui.records.vocabulary import NoteType, VocabularyChoice, VocabularyField, VocabularyWord
from tui.records.word_states import WordState
from tui.text.sanitize import laid_out
from tui.vocabulary.vocabulary_file import MAX_FIELD_LENGTH, SAMPLES, clean_word, cut_sample, simplify_name

NEW, LEARNING, REVIEW, RELEARNING = range(4)
"""Values of ``cards.type`` (Anki's rslib/src/card/mod.rs, ``CardType``)."""
SUSPENDED = -1
"""Value of ``cards.queue``; buried ones (-2, -3) come back the next day, and count as they are."""

_LEMMA = "lemma"
_FIELDS = read_lists("names", __file__)["fields"]
_WORD_FIELDS, _READING_FIELDS = _FIELDS["word"].split(), _FIELDS["reading"].split()
"""Names of fields that hold the word and its reading, the surest first."""
_SHORT_WORDS, _SHORT = 3, 30
"""Maximum words and characters of a text that may be a word with its article."""


@dataclass(frozen=True, slots=True)
class Card:
    """State of a card; ``days`` is its interval in days where it is in review, ``deck`` the name of its own deck."""

    type: int
    days: int
    is_suspended: bool
    deck: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A note with its fields by name, as HTML, and its cards in the order of their templates."""

    note_type: str
    fields: Mapping[str, str]
    cards: Sequence[Card]


def make_note_type(name: str, field_names: Sequence[str], notes: Sequence[Mapping[str, str]], count: int) -> NoteType:
    """A note type as it is offered: samples out of some of its notes, and the fields that look like the word's."""
    texts = {field: [text for note in notes if (text := _shown(note.get(field, "")))] for field in field_names}
    fields = tuple(VocabularyField(field, tuple(texts[field][:SAMPLES])) for field in field_names)
    word = _named(field_names, _WORD_FIELDS, texts)
    if not word and field_names and _is_short(texts[field_names[0]]):
        word = field_names[0]
    return NoteType(name, fields, count, word, _named(field_names, _READING_FIELDS, texts))


def _named(field_names: Sequence[str], names: Sequence[str], texts: Mapping[str, Sequence[str]]) -> str:
    """The field whose name is the first of these, of those that any note has a text in; "" for none."""
    plain = {simplify_name(field): field for field in reversed(field_names) if texts[field]}
    return next((plain[name] for name in names if name in plain), "")


def _is_short(texts: Sequence[str]) -> bool:
    short = sum(len(text) <= _SHORT and len(text.split()) <= _SHORT_WORDS for text in texts)
    return bool(texts) and short * 2 > len(texts)


def _shown(html: str) -> str:
    return cut_sample(read_field_text(html[:2000]).text) if html else ""


def check_choice(choice: VocabularyChoice, note_types: Sequence[NoteType], decks: Sequence[str], shown: str) -> None:
    """Raise ``InvalidInput`` where the choice names a note type, a field or a deck that the source does not have."""
    if choice.note_type and all(each.name != choice.note_type for each in note_types):
        names = [each.name for each in note_types]
        raise _no_such(shown, "note type", choice.note_type, names, "note_type")
    chosen = [each for each in note_types if choice.note_type in ("", each.name)]
    names = [field.name for each in chosen for field in each.fields]
    if choice.field and choice.field not in names:
        raise _no_such(shown, "field", choice.field, names, "field")
    if choice.deck and not any(_is_in(deck, choice.deck) for deck in decks):
        raise _no_such(shown, "deck", choice.deck, decks, "deck")
    if not choice.field and not any(each.word_field for each in chosen):
        raise InvalidInput(
            f"which field of {shown} has the word cannot be told by its name",
            hint=f"name one of them: {_listed(names)}",
            code="field_needed",
            field="field",
        )


def _no_such(shown: str, kind: str, named: str, names: Sequence[str], field: str) -> InvalidInput:
    return InvalidInput(
        f"{shown} has no {kind} {named[:80]!r}", hint=f"it has {_listed(names)}", code=f"{field}_not_found", field=field
    )


def _listed(names: Sequence[str], most: int = 12) -> str:
    distinct = [cut_sample(name) for name in dict.fromkeys(names)]
    return ", ".join(distinct[:most]) + (f" and {len(distinct) - most} more" if len(distinct) > most else "")


def _is_in(deck: str, wanted: str) -> bool:
    """Whether a deck is the one that is wanted, or below it; capitals do not count in Anki."""
    deck, wanted = deck.casefold(), wanted.casefold()
    return deck == wanted or deck.startswith(wanted + "::")


class NoteReader:
    """Words of notes, read as a choice says; ``skipped`` counts notes without a word."""

    def __init__(self, choice: VocabularyChoice, note_types: Sequence[NoteType]) -> None:
        self._choice = choice
        self._fields = {each.name: self._fields_of(each) for each in note_types}
        self.skipped = 0

    def reads(self, note_type: str) -> bool:
        """Whether notes of this type have a field that is read."""
        return bool(self._fields.get(note_type, ("", ""))[0])

    def words(self, note: Note) -> Iterator[VocabularyWord]:
        """The words of a note, none where another deck or type is wanted."""
        field, reading_field = self._fields.get(note.note_type, ("", ""))
        deck = self._choice.deck
        cards = [card for card in note.cards if not deck or _is_in(card.deck, deck)]
        if not field or not cards:
            return
        html = note.fields.get(field, "")
        texts = (read_field_text(html),) if self._choice.sentences else read_field_words(html)
        found = False
        numbers = sorted({text.cloze for text in texts if text.cloze is not None})
        for text in texts:
            word = text.text if self._choice.sentences else clean_word(text.text)
            if not word:
                continue
            found = True
            own = [cards[numbers.index(text.cloze)]] if text.cloze is not None and len(numbers) == len(cards) else cards
            reading = text.reading
            if not reading and reading_field and has_characters(word):
                reading = clean_word(strip_readings(note.fields.get(reading_field, "")))
            state = find_best_state(own, self._choice)
            yield VocabularyWord(word, clean_word(reading), state, is_lemma=simplify_name(field) == _LEMMA)
        if not found:
            self.skipped += 1

    def _fields_of(self, note_type: NoteType) -> tuple[str, str]:
        """The fields with the word and with its reading, "" where none is read."""
        if self._choice.note_type not in ("", note_type.name):
            return "", ""
        field = self._choice.field or note_type.word_field
        return (field if any(each.name == field for each in note_type.fields) else ""), note_type.reading_field


def find_best_state(cards: Sequence[Card], choice: VocabularyChoice) -> WordState | None:
    """What the best of a note's cards says of its word; None where none was ever shown."""
    awake = [card for card in cards if not card.is_suspended]
    if not awake and choice.suspended != "as-others":
        return None if choice.suspended == "skip" else choice.suspended
    if any(card.type == REVIEW and card.days >= choice.known_days for card in cards):
        return "known"
    return "learning" if any(card.type != NEW for card in cards) else None


# Text of a field: HTML, media and clozes read through, furigana as a reading.
#
# Anki writes furigana as `` 決[き]まり``, with a space before what is read (docs.ankiweb.net, "Ruby Characters"), and
# clozes as ``{{c1::text::hint}}``, one within another too. Patch languages of add-ons put more behind the reading:
# ``食[た,たべる;h]べる`` (Migaku) is read up to the comma.

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
"""A comment; all of the text is one behind one that has no end."""
_UNREAD_ELEMENT = re.compile(r"<(style|script|rp)\b[^<>]*>[^<]*(?:</\1\s*>)?", re.IGNORECASE)
_RUBY_TEXT = re.compile(r"<rt\b[^<>]*>([^<]*)</rt\s*>", re.IGNORECASE)
_LINE_END = re.compile(r"<(?:br|/?(?:div|p|li|ul|ol|tr|td|h[1-6]))\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_MEDIA = re.compile(r"\[(?:sound|anki):[^\[\]]*\]", re.IGNORECASE)
_CLOZE = re.compile(r"\{\{c([0-9,]{1,20})::([^{}]*)\}\}")
"""Pattern of a cloze without another one in it: they are replaced from the inside out."""
_MAX_CLOZE_DEPTH = 8
_FURIGANA = re.compile(r"[ \u3000]?([^\s\[\]]+)\[([^\[\]]*)\]")
_OTHER_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_READING_END = re.compile("[,;|]")
_KANA = re.compile(f"[{RANGES['Hiragana']}{RANGES['Katakana']}]+")


@dataclass(frozen=True, slots=True)
class FieldText:
    """Text of a field without its markup; ``reading`` is that of all of it, "" where nothing in it has any.

    ``cloze`` is its number where the text is what one of the clozes hides.
    """

    text: str
    reading: str = ""
    cloze: int | None = None


def read_field_text(html: str) -> FieldText:
    """The text of a field, clozes filled in."""
    text = _without_tags(html)
    for _ in range(_MAX_CLOZE_DEPTH):
        text = _CLOZE.sub(_answer, text)
    return _read(text)


def read_field_words(html: str) -> tuple[FieldText, ...]:
    """The texts that a field has as words: what its clozes hide, each for itself, or all of it where it has none."""
    text = _without_tags(html)
    if "{{c" not in text:
        return (_read(text),)
    hidden: list[tuple[int, str]] = []
    for _ in range(_MAX_CLOZE_DEPTH):
        found = list(_CLOZE.finditer(text))
        if not found:
            break
        hidden += ((int(cloze[1].partition(",")[0] or 0), _answer(cloze)) for cloze in found)
        text = _CLOZE.sub(_answer, text)
    return tuple(replace(_read(answer), cloze=number) for number, answer in hidden) or (_read(text),)


def strip_readings(text: str) -> str:
    """A reading that is itself written with furigana, as kana: `` 決[き]まり`` is きまり."""
    read = _read(_without_tags(text))
    return read.reading or read.text


def _without_tags(html: str) -> str:
    text = html[:MAX_FIELD_LENGTH]
    if "<" in text:
        text = _UNREAD_ELEMENT.sub("", _COMMENT.sub("", text))
        text = _RUBY_TEXT.sub(r"[\1]", text)
        text = _TAG.sub("", _LINE_END.sub("\n", text))
    if "&" in text:
        text = unescape(text)
    return laid_out(_MEDIA.sub("", text)).replace("\u00a0", " ").strip()


def _answer(cloze: re.Match[str]) -> str:
    return cloze[2].partition("::")[0]


def _read(text: str) -> FieldText:
    """The text without readings in brackets, and the whole of it as they say it."""
    if "[" not in text:
        return FieldText(text)
    plain, reading, at, has_reading = "", "", 0, False
    for found in _FURIGANA.finditer(text):
        if not script_pattern("Han").search(found[1]):
            continue
        base, before = found[1], text[at : found.start()]
        if text[found.start() - 1 : found.start()] == "]":  # no space: kana that end the word before
            kana = _KANA.match(base)
            before, base = (before + kana[0], base[kana.end() :]) if kana else (before, base)
        said = _READING_END.split(found[2], maxsplit=1)[0].strip()
        plain, reading = plain + before + base, reading + before + (said or base)
        has_reading = has_reading or bool(said)
        at = found.end()
    plain, reading = plain + text[at:], reading + text[at:]
    plain, reading = (_OTHER_BRACKETS.sub("", each).strip() for each in (plain, reading))
    return FieldText(plain, reading if has_reading else "")
