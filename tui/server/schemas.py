"""Request bodies, derived from the records that they become: how long a text may be, how large a number.

What is not known is passed over, so that newer clients work with older servers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler, create_model
from pydantic_core import CoreSchema, core_schema

from tui.records.answers import NewTemplate
from tui.records.clips import FocusWord, NewClip
from tui.records.exports import ClipSelection
from tui.records.note_fields import NoteTypeFields
from tui.records.own_words import OwnPhrase, OwnWord
from tui.records.settings import CHOICES, LearnedLanguage, ProfileSettings
from tui.records.transcripts import MAX_TITLE
from tui.records.word_states import WordState
from tui.records.words import MAX_LEMMA
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest, PreviewRequest
from tui.service.words.known_words import MAX_MARKS
from tui.service.words.next_words import MAX_FREQUENT
from tui.wire.pages import MAX_ID

MAX_TEXT = 200_000
"""Code points of any text; a sentence that a model is to be asked about has a lower limit in the service."""
_HIGHEST = 2**53
"""The whole numbers that every JSON reader takes for what they are (RFC 8259, 6) end here."""
_MAX_ITEMS = 1000

_Text = Annotated[str, Field(max_length=MAX_TEXT)]
_MissingText = Annotated[_Text | None, AfterValidator(lambda text: text or "")]
"""May be missing or `null`, which some clients write for what they have nothing of: both are the empty text."""
_Number = Annotated[int, Field(ge=0, le=_HIGHEST)]
_Id = Annotated[str, Field(max_length=MAX_ID)]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True)


class Ids(_Body):
    """The ids (or unambiguous beginnings of ids) of what is meant."""

    ids: Annotated[list[_Id], Field(max_length=100_000)]


class SelectedClips(_Body):
    """The clips that meet every condition: `ids`, all words of `q`, a `tag` or one below it, kept or changed `since`.

    Without any condition all clips of the profile.
    """

    ids: Annotated[list[_Id], Field(max_length=100_000)] = []
    q: _MissingText = ""
    tag: _MissingText = ""
    since: Annotated[str, Field(max_length=40)] = ""

    def selection(self) -> ClipSelection:
        return ClipSelection(tuple(self.ids), self.q or "", self.tag or "", self.since)


class Rereading(_Body):
    """Options of reading files anew; what is missing stays as it was named before, or is found out."""

    language: Annotated[str | None, Field(max_length=200, description="A tag such as de, or de+en: split in two.")] = (
        None
    )
    encoding: Annotated[str | None, Field(max_length=40, description="What the file is in, such as windows-1251.")] = (
        None
    )
    force: Annotated[bool, Field(description="Read it so also where that encoding makes gibberish of it.")] = False
    as_is: Annotated[bool, Field(description="Leave the cues as the file has them: nothing merged or labelled.")] = (
        False
    )


class RereadingFiles(Rereading):
    """As for one file, with the ids of several."""

    ids: Annotated[list[_Id], Field(max_length=100_000)]


class TranscriptChanges(_Body):
    """What is missing or `null` stays as it is; an empty language is an unknown one."""

    title: Annotated[_Text | None, Field(description=f"At most {MAX_TITLE} characters.")] = None
    language: Annotated[_Text | None, Field(description="A tag such as de.")] = None


class TranslationTrack(_Body):
    """What `translation_id` says at a moment is said `offset_ms` later here; without it the offset is found."""

    translation_id: _Id
    offset_ms: Annotated[int, Field(ge=-_HIGHEST, le=_HIGHEST)] | None = None


class PlaceBody(_Body):
    """A cue of a transcript and a word in it, both counted from 0."""

    cue_index: Annotated[int, Field(ge=0, le=_HIGHEST)]
    word_index: Annotated[int, Field(ge=0, le=_HIGHEST)] = 0


class WordGroup(_Body):
    """Lemmas of a language (by its tag) that get the same state.

    `readings` are theirs in the same order, where they tell two words apart; without one a state holds for all.
    """

    language: Annotated[str, Field(max_length=200)]
    state: WordState
    lemmas: Annotated[list[Annotated[str, Field(max_length=MAX_LEMMA * 10)]], Field(max_length=MAX_MARKS)]
    readings: Annotated[list[Annotated[str, Field(max_length=MAX_LEMMA * 10)]], Field(max_length=MAX_MARKS)] = []


class WordMarks(_Body):
    """Words that get other states; `source` says where that is from."""

    groups: Annotated[list[WordGroup], Field(max_length=MAX_MARKS)]
    source: Annotated[str, Field(max_length=MAX_ID)] = "user"


class FrequentWords(_Body):
    """The first `count` words of a language, by how frequent they are."""

    language: Annotated[str, Field(max_length=200)]
    count: Annotated[int, Field(ge=-_HIGHEST, le=_HIGHEST, description=f"1 to {MAX_FREQUENT}.")]
    state: WordState = "known"


class LemmaBody(_Body):
    """A word in its dictionary form."""

    language: Annotated[str, Field(max_length=200, description="A tag such as de.")]
    lemma: _Text


class Place(_Body):
    """A word of a transcript: its cue, and where it stands in that cue's text."""

    transcript_id: _Id
    cue: _Number
    start: _Number
    end: _Number


class WordPlaces(_Body):
    """Words by the places where they stand, as the words to learn next have them."""

    places: Annotated[list[Place], Field(max_length=_MAX_ITEMS)]


class ChosenEncoding(_Body):
    """What a file is in, such as `windows-1251`."""

    encoding: Annotated[str, Field(max_length=40)]


class NewJob(_Body):
    """`source` is what the job works on, for kinds that work on one thing."""

    kind: Annotated[str, Field(max_length=40)]
    source: _Text = ""


@dataclass(frozen=True)
class _SentAs:
    """Annotates a record: it is read from a body with its fields, described as ``name``.

    ``needed`` are fields that a request must have although the record has a default for them.
    """

    name: str
    description: str
    needed: tuple[str, ...] = ()

    def __get_pydantic_core_schema__(self, record: type[Any], handler: GetCoreSchemaHandler) -> CoreSchema:
        hints = get_type_hints(record)
        defaults = {
            field.name: ... if field.default is MISSING or field.name in self.needed else field.default
            for field in fields(record)
        }
        bounded = {name: (_bounded(name, hints[name], default), default) for name, default in defaults.items()}
        model = create_model(self.name, __base__=_Body, __doc__=self.description, **bounded)  # type: ignore[call-overload]  # its fields are only known here
        return core_schema.no_info_after_validator_function(lambda body: record(**dict(body)), handler(model))


def _bounded(name: str, kind: Any, default: object = ...) -> Any:
    """The type of a field as a body may have it."""
    if kind is str:
        return _Id if name.endswith("_id") else _MissingText if default == "" else _Text
    if kind is int:
        return _Number
    if is_dataclass(kind):
        return _NESTED[kind]
    if get_origin(kind) is tuple:
        item = _bounded(name, get_args(kind)[0])
        return Annotated[list[item], Field(max_length=_MAX_ITEMS), AfterValidator(tuple)]  # type: ignore[valid-type]  # a type that is only known here
    if isinstance(kind, UnionType):
        return reduce(or_, (_bounded(name, part) for part in get_args(kind)))
    return kind


_NESTED: Mapping[Any, Any] = {
    FocusWord: Annotated[FocusWord, _SentAs("Focus", "The word under study; unknown is `null` or an empty list.")],
    OwnPhrase: Annotated[OwnPhrase, _SentAs("Phrase", "A phrase of several words, and what it means.")],
    LearnedLanguage: Annotated[
        LearnedLanguage,
        _SentAs(
            "Learned",
            "A language by its tag, and a level or an empty text: A1 to C2; N5 to N1 (`ja`); HSK1 to HSK9 (`zh`); "
            "TOPIK1 to TOPIK6 (`ko`).",
        ),
    ],
}


class NoteTypes(_Body):
    """The note types of an Anki, with the fields of the one that is meant at least, in their order; and what it is."""

    note_types: Annotated[
        list[Annotated[NoteTypeFields, _SentAs("NoteTypeFields", "A note type, and its fields in their order.")]],
        Field(max_length=_MAX_ITEMS),
    ]
    source: _Text = ""


ClipBody = Annotated[
    NewClip, _SentAs("ClipContents", "A sentence to keep; everything else may be missing. Times are milliseconds.")
]
TemplateBody = Annotated[
    NewTemplate,
    _SentAs(
        "Template",
        "Models are `provider:model`; `prompt` is a Jinja template, whose values are `sentence`, `focus`, `context`, "
        "`language`, `source`, `explain_in`, `level` and `dictionary`.",
    ),
]
SettingsBody = Annotated[
    ProfileSettings,
    _SentAs(
        "Settings",
        "`explain_in` is the tag of the language that explanations are given in, `learning` the languages that are "
        "learned, `known_states` the states of words that count as known (without it `known` and `ignored`).\n\n"
        + "".join(f"`{name}`: {each.help}\n\n" for name, each in CHOICES.items())
        + "Changing `card_front` or `card_hint` changes all cards of the note type Lode with the next import, those of "
        "other profiles too.\n\n`note_fields` is a note type of your own with the fields of Lode that go into its "
        "fields, as TOML; empty it is the type Lode. `POST /profiles/note_fields_check` compares it with what an Anki "
        "has.",
        needed=("explain_in", "learning"),
    ),
]
OwnWordBody = Annotated[
    OwnWord,
    _SentAs("OwnWordContents", "A meaning, a note or phrases of a lemma; what is missing is taken away."),
]
PreviewBody = Annotated[
    PreviewRequest,
    _SentAs("Preview", "Without `prompt` the profile's template is rendered, or the built-in one."),
]
BreakdownBody = Annotated[
    BreakdownRequest,
    _SentAs(
        "Breakdown",
        "Without `prompt` and `sys_msg` the profile's template is used, or the built-in one.\n\n"
        "`fresh` asks the model although the history has an answer to exactly this question.",
        needed=("model",),
    ),
]
FollowUpBody = Annotated[
    FollowUpRequest,
    _SentAs(
        "FollowUpQuestion",
        "`answer_id` is an answer of the history, or one that was asked on it. Without `model` the one is asked that "
        "answered first.",
    ),
]
ExplainBody = Annotated[ExplainRequest, _SentAs("Explain", "As a breakdown, of the whole sentence.", needed=("model",))]
