"""Note types of the learner's own: which of Lode's fields goes into which of theirs, as TOML.

    note_type = "Lapis"

    [fields]
    Expression = "Expression"
    Glossary = "Explanation"
    Hint = ""

A field of the note type stands at the left, what it gets (``note_type.VALUES``), "" for nothing, at the right. What is
not named is left alone, as is one that gets nothing. By ``IsSentenceCard`` and its like the templates of Lapis choose
what kind of card it is: ``note_type.CARD_KINDS`` and "=x", which is a text, go into new notes only.

Sources of the presets' fields: the list in the documentation of Kiku (github.com/youyoumu/kiku,
apps/docs/src/installation.md and packages/note/src/types.ts), which is that of Lapis (github.com/donkuri/lapis).
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tui.deck.markup import clean, literal
from tui.deck.note_type import CARD_KINDS, FIELDS, NAME, VALUES
from tui.errors import InvalidInput
from tui.records.notes import Note, NoteFieldsCheck, NoteTypeFields, UnknownField
from tui.records.settings import ProfileSettings
from tui.text.sanitize import is_blank, one_line, without_controls

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
"""A key of TOML's without quotation marks."""
_TEXT = "="
MAX_FIELDS = 200
MAX_NAME_LENGTH = 200
_UPDATED = frozenset(VALUES) - {*CARD_KINDS}


@dataclass(frozen=True, slots=True)
class NoteFields:
    """The note type of a deck by its name, and which of ``VALUES`` each of its fields gets ("": none; "=…": a text)."""

    note_type: str
    fields: Mapping[str, str]

    @property
    def is_own(self) -> bool:
        """Whether it is a note type of the learner's, and not the one that Lode brings."""
        return self.note_type != NAME

    @property
    def unused(self) -> tuple[str, ...]:
        """Fields of Lode's that go nowhere."""
        return tuple(each for each in FIELDS if each not in self.fields.values())

    def places(self, names: Sequence[str]) -> tuple[int | None, ...]:
        """Place in ``VALUES`` of what each of these fields gets, and has brought up to date later."""
        values = (self.fields.get(name, "") for name in names)
        return tuple(VALUES.index(value) if value in _UPDATED else None for value in values)

    @property
    def filled(self) -> dict[str, str]:
        """The fields that get something of the clip."""
        return {name: value for name, value in self.fields.items() if value in VALUES}

    def texts(self, names: Sequence[str], note: Note) -> dict[int, str]:
        """What only new notes get, as HTML, by the places of their fields."""
        values = list(enumerate(self.fields.get(name, "") for name in names))
        texts = {place: literal(value[1:]) for place, value in values if value.startswith(_TEXT)}
        return texts | {place: note.fields[VALUES.index(value)] for place, value in values if value in CARD_KINDS}


OURS = NoteFields(NAME, {name: name for name in FIELDS})

_LAPIS_FIELDS = (
    *("Expression", "ExpressionFurigana", "ExpressionReading", "ExpressionAudio", "SelectionText", "MainDefinition"),
    *("DefinitionPicture", "Sentence", "SentenceFurigana", "SentenceAudio", "Picture", "Glossary", "Hint"),
    *("IsWordAndSentenceCard", "IsClickCard", "IsSentenceCard", "IsAudioCard", "PitchPosition", "PitchCategories"),
    *("Frequency", "FreqSort", "MiscInfo"),
)
_LAPIS = {name: name if name in VALUES else "" for name in _LAPIS_FIELDS}
_LAPIS |= {"Glossary": "Explanation", "IsWordAndSentenceCard": "IsWordCard"}
PRESETS: Mapping[str, NoteFields] = {"lapis": NoteFields("Lapis", _LAPIS), "kiku": NoteFields("Kiku", _LAPIS)}


def choose_note_fields(settings: ProfileSettings) -> NoteFields:
    """The fields that a profile's settings say, Lode's own where they say none. Raises as reading them does."""
    return parse_note_fields(settings.note_fields) if settings.note_fields else OURS


def parse_note_fields(text: str) -> NoteFields:
    """Read fields as they are written in TOML. Raises ``InvalidInput`` that says what is wrong with them."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused(f"it is no TOML: {one_line(str(error))}") from error
    if surplus := [name for name in table if name not in ("note_type", "fields")]:
        raise _refused(f"there is no {one_line(surplus[0])[:40]!r}; there are note_type and [fields]")
    name, given = table.get("note_type"), table.get("fields")
    if not isinstance(name, str) or is_blank(name):
        raise _refused('it needs the name of a note type: note_type = "Lapis"')
    if not isinstance(given, dict) or not any(given.values()):
        raise _refused("it needs at least one field under [fields]")
    if len(given) > MAX_FIELDS:
        raise _refused(f"a note type has at most {MAX_FIELDS} fields here")
    _check_name(name)
    fields = {_check_name(field): _value(field, value) for field, value in given.items()}
    if name == NAME and fields != OURS.fields:
        raise _refused(f"{NAME} is Lode's own note type, whose fields stay as they are")
    return NoteFields(name, fields)


def write_note_fields(fields: NoteFields) -> str:
    """Fields as TOML, whose basic strings are as JSON's."""
    named = ((name if _BARE.match(name) else _string(name), value) for name, value in fields.fields.items())
    lines = (f"{name} = {_string(value)}" for name, value in named)
    return "\n".join((f"note_type = {_string(fields.note_type)}", "", "[fields]", *lines, ""))


def check(fields: NoteFields, note_types: Iterable[NoteTypeFields], source: str) -> NoteFieldsCheck:
    """Compare fields with the note types of an Anki or of a deck."""
    found = {each.name: each.fields for each in note_types}
    there = found.get(fields.note_type)
    if there is None:
        near = tuple(difflib.get_close_matches(fields.note_type, found, n=3, cutoff=0.4)) or tuple(sorted(found))[:3]
        return NoteFieldsCheck(source, fields.note_type, usable=False, closest_types=near)
    unknown = tuple(
        UnknownField(name, value, next(iter(difflib.get_close_matches(name, there, n=1)), ""))
        for name, value in fields.fields.items()
        if value and name not in there
    )
    return NoteFieldsCheck(
        source,
        fields.note_type,
        usable=not unknown and there[0] in fields.filled,
        fields=there,
        unknown=unknown,
        empty=tuple(name for name in there if not fields.fields.get(name)),
        unused=fields.unused,
    )


def _value(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise _refused(f'{one_line(field)[:40]} gets no name of a field in quotation marks, as in "Sentence", or ""')
    if value.startswith(_TEXT):
        return _TEXT + clean(value[1:])
    if not value:
        return ""
    for name in VALUES:
        if name.casefold() == value.strip().casefold():
            return name
    near = difflib.get_close_matches(value, VALUES, n=1)
    others = f"did you mean {near[0]}?" if near else f"there are {', '.join(VALUES)}"
    raise _refused(f"{one_line(field)[:40]} gets {one_line(value)[:40]!r}, which is no field of Lode's; {others}")


def _check_name(name: str) -> str:
    """A name that Anki may have for a note type or a field."""
    if is_blank(name) or without_controls(name) != name or len(name) > MAX_NAME_LENGTH:
        raise _refused(f"{one_line(name)[:40]!r} is no name that Anki has")
    return name


def _refused(why: str) -> InvalidInput:
    return InvalidInput(
        f"the fields of the note type cannot be used: {why}",
        hint="lode deck fields --toml shows those in force, to begin with",
        code="invalid_note_fields",
        field="note_fields",
    )


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
