"""Request bodies, derived from the records that they become: how long a text may be, how large a number.

What is not known is passed over, so that newer clients work with older servers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from fastapi import Depends, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler, create_model
from pydantic_core import CoreSchema, core_schema

from tui.records.answers import NewTemplate
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip
from tui.records.media import Span
from tui.records.notes import NoteTypeFields
from tui.records.own_words import OwnPhrase, OwnWord
from tui.records.pages import MAX_ID, MAX_QUERY, MAX_SEARCH_LENGTH
from tui.records.search import View
from tui.records.settings import CHOICES, LearnedLanguage, ProfileSettings
from tui.records.transcripts import ReadingPlace
from tui.records.vocabulary import KNOWN_DAYS, SuspendedCards, VocabularyChoice
from tui.records.word_states import MAX_LEMMA, WordState
from tui.records.words import TextPlace, WordMark, WordPlace
from tui.server.dependencies import text_query
from tui.service.protocol.arguments import HIGHEST
from tui.service.protocol.signatures import Argument
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest, PreviewRequest
from tui.service.words.known_words import MAX_MARKS
from tui.wire.word_marks import MarkGroup, marks_of

MAX_TEXT = 200_000
"""Code points of any text; a sentence that a model is to be asked about has a lower limit in the service."""
_MAX_ITEMS = 1000
_MAX_SPAN_MS = 600_000

_Text = Annotated[str, Field(max_length=MAX_TEXT)]
_MissingText = Annotated[_Text | None, AfterValidator(lambda text: text or "")]
"""May be missing or `null`, which some clients write for what they have nothing of: both are the empty text."""
_Number = Annotated[int, Field(ge=0, le=HIGHEST)]
_Id = Annotated[str, Field(max_length=MAX_ID)]
_Ids = Annotated[list[_Id], Field(max_length=100_000)]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True)


class Ids(_Body):
    """The ids (or unambiguous beginnings of ids) of what is meant."""

    ids: _Ids


class SelectedClips(_Body):
    """The clips that meet every condition: `ids`, all words of `q`, a `tag` or one below it, kept or changed `since`.

    Without any condition all clips of the profile.
    """

    ids: _Ids = []
    q: _MissingText = ""
    tag: _MissingText = ""
    since: Annotated[str, Field(max_length=40)] = ""

    def selection(self) -> ClipSelection:
        return ClipSelection(tuple(self.ids), self.q or "", self.tag or "", self.since)


class WordGroup(_Body):
    """Lemmas of a language (by its tag) that get the same state.

    `readings` are theirs in the same order, where they tell two words apart; without one a state holds for all.
    """

    language: Annotated[str, Field(max_length=200)]
    state: WordState
    lemmas: Annotated[list[Annotated[str, Field(max_length=MAX_LEMMA * 10)]], Field(max_length=MAX_MARKS)]
    readings: Annotated[list[Annotated[str, Field(max_length=MAX_LEMMA * 10)]], Field(max_length=MAX_MARKS)] = []


def _marks(groups: list[WordGroup]) -> tuple[WordMark, ...]:
    each = (MarkGroup(group.language, group.state, tuple(group.lemmas), tuple(group.readings)) for group in groups)
    return tuple(marks_of(each))


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


def body_of_fields(name: str, description: str, arguments: Sequence[Argument]) -> Any:
    """The body whose fields are the arguments of an operation, as a model that is called ``name``."""
    if [each.are_ids for each in arguments] == [True]:
        return Ids
    given = {each.sent_as: (_field(each), ... if each.is_needed else each.default) for each in arguments}
    return create_model(name, __base__=_Body, __doc__=description, **given)  # type: ignore[call-overload]  # its fields are only known here


def _field(argument: Argument) -> Any:
    """The type of a field as an argument has it: with its own bounds, or those of all texts, numbers and lists."""
    if argument.are_ids:
        return _Ids
    told = told_of(argument)
    is_bounded = argument.bound.most is not None
    kind = argument.kind if is_bounded else _bounded(argument.sent_as, argument.kind)
    return Annotated[kind, Field(**told)]


def told_of(argument: Argument) -> dict[str, Any]:
    """The bounds of an argument and what is said about it, in Pydantic's words."""
    bound = argument.bound
    is_number = bool({int, float} & {argument.kind, *get_args(argument.kind)})
    most = "le" if is_number else "max_length"
    told = {"ge": bound.least, most: bound.most, "description": bound.about or None}
    return {name: each for name, each in told.items() if each is not None}


def _bounded(name: str, kind: Any, default: object = ...) -> Any:
    """The type of a field as a body may have it."""
    if kind is str:
        return _Id if name.endswith("_id") else _MissingText if default == "" else _Text
    if kind is int:
        return _Number
    if kind in BODIES:
        return BODIES[kind]
    if get_origin(kind) in (tuple, Sequence):
        item = _bounded(name, get_args(kind)[0])
        return Annotated[list[item], Field(max_length=_MAX_ITEMS), AfterValidator(tuple)]  # type: ignore[valid-type]  # a type that is only known here
    if isinstance(kind, UnionType):
        return reduce(or_, (_bounded(name, part) for part in get_args(kind)))
    return kind


SENT: Mapping[Any, _SentAs] = {
    FocusWord: _SentAs("Focus", "The word under study; unknown is `null` or an empty list."),
    OwnPhrase: _SentAs("Phrase", "A phrase of several words, and what it means."),
    LearnedLanguage: _SentAs(
        "Learned",
        "A language by its tag, and a level or an empty text: A1 to C2; N5 to N1 (`ja`); HSK1 to HSK9 (`zh`); "
        "TOPIK1 to TOPIK6 (`ko`).",
    ),
    NoteTypeFields: _SentAs("NoteTypeFields", "A note type, and its fields in their order."),
    TextPlace: _SentAs("Place", "A word of a transcript: its cue, and where it stands in that cue's text."),
    WordPlace: _SentAs("PlaceInTranscript", "A word: its cue, and where it stands in that cue's text."),
    ReadingPlace: _SentAs(
        "PlaceBody",
        "A cue of a transcript and a word in it, both counted from 0. `read_cues` are the cues from its start that are "
        "read; the most that was ever sent counts.",
    ),
    NewClip: _SentAs("ClipContents", "A sentence to keep; everything else may be missing. Times are milliseconds."),
    NewTemplate: _SentAs(
        "Template",
        "Models are `provider:model`; `prompt` is a Jinja template, whose values are `sentence`, `focus`, "
        "`context`, `language`, `source`, `explain_in`, `level` and `dictionary`.",
    ),
    ProfileSettings: _SentAs(
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
    View: _SentAs("ViewContents", "A search with a name, of a list. `q` is what is typed into its filter."),
    OwnWord: _SentAs("OwnWordContents", "A meaning, a note or phrases of a lemma; what is missing is taken away."),
    PreviewRequest: _SentAs("Preview", "Without `prompt` the profile's template is rendered, or the built-in one."),
    BreakdownRequest: _SentAs(
        "Breakdown",
        "Without `prompt` and `sys_msg` the profile's template is used, or the built-in one.\n\n"
        "`fresh` asks the model although the history has an answer to exactly this question.",
        needed=("model",),
    ),
    FollowUpRequest: _SentAs(
        "FollowUpQuestion",
        "`answer_id` is an answer of the history, or one that was asked on it. Without `model` the one is asked "
        "that answered first.",
    ),
    ExplainRequest: _SentAs("Explain", "As a breakdown, of the whole sentence.", needed=("model",)),
}
BODIES: Mapping[Any, Any] = {record: Annotated[record, sent] for record, sent in SENT.items()} | {
    ClipSelection: Annotated[SelectedClips, AfterValidator(SelectedClips.selection)],
    Sequence[WordMark]: Annotated[list[WordGroup], Field(max_length=MAX_MARKS), AfterValidator(_marks)],
}
"""Records as bodies, also within other ones."""


def _span(
    start_ms: Annotated[int, Query(ge=0, le=2**40, description="Milliseconds from the beginning of the film.")],
    end_ms: Annotated[int, Query(ge=0, le=2**40, description="Milliseconds from the beginning of the film.")],
) -> Span:
    """A span of a film, of ten minutes at most."""
    return Span(start_ms, min(max(start_ms, end_ms), start_ms + _MAX_SPAN_MS))


def _choice(
    field: Annotated[str, text_query(200, "The field or column with the word; else by its name.")] = "",
    note_type: Annotated[str, text_query(200, "Only notes of this type.")] = "",
    deck: Annotated[str, text_query(500, "Only cards of this deck and those below it.")] = "",
    language: Annotated[str, text_query(200, "A BCP 47 tag; else it is told by the words.")] = "",
    state: Annotated[WordState, Query(description="State of words in a list that says none.")] = "known",
    known_days: Annotated[
        int, Query(ge=1, le=100_000, description="Days between reviews from which on a word is known.")
    ] = KNOWN_DAYS,
    suspended: Annotated[SuspendedCards, Query(description="What suspended cards say.")] = "as-others",
    first: Annotated[int | None, Query(ge=1, le=2**31, description="So many of the most frequent.")] = None,
    sentences: Annotated[bool, Query(description="The field has sentences, of which every word counts.")] = False,
    encoding: Annotated[str, text_query(40, "What a list is in; else it is found out.")] = "",
) -> VocabularyChoice:
    return VocabularyChoice(field, note_type, deck, language, state, known_days, suspended, first, sentences, encoding)


def _selection(
    q: Annotated[str, text_query(MAX_SEARCH_LENGTH, "Only what has all these words.")] = "",
    tag: Annotated[str, text_query(MAX_QUERY, "Only clips with this tag, or with one below it.")] = "",
    since: Annotated[
        str,
        text_query(
            40,
            "Only what was kept or changed since a date or a moment (ISO 8601),"
            " in the server's local time where it has no offset.",
        ),
    ] = "",
    only_new: Annotated[
        bool, Query(description="Only what the last deck of this name has not, or not as it is.")
    ] = False,
) -> ClipSelection:
    return ClipSelection((), q, tag, since, only_new)


SelectionIn = Annotated[ClipSelection, Depends(_selection)]


def _choose_clips(selection: SelectionIn, body: Ids) -> ClipSelection:
    return replace(selection, ids=tuple(body.ids))


ChosenIn = Annotated[ClipSelection, Depends(_choose_clips)]
"""Selection in an address, of the clips only that a body names."""
QUERIES = {Span: Annotated[Span, Depends(_span)], VocabularyChoice: Annotated[VocabularyChoice, Depends(_choice)]}
"""Records that come in an address, by their fields."""
