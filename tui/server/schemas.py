"""What requests carry, checked. What is not known is passed over, so that newer clients work with older servers."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from tui.records import FocusOrigin, FocusWord, NewClip

MAX_TEXT = 200_000
"""Code points of any text; a sentence that a model is to be asked about has a lower limit in the service."""
_HIGHEST = 2**53
"""The whole numbers that every JSON reader takes for what they are (RFC 8259, 6) end here."""

Text = Annotated[str, Field(max_length=MAX_TEXT)]
Optional = Annotated[Text | None, AfterValidator(lambda text: text or "")]
"""May be missing or `null`, which some clients write for what they have nothing of: both are the empty text."""
Number = Annotated[int, Field(ge=0, le=_HIGHEST)]
Id = Annotated[str, Field(max_length=100)]


class _Body(BaseModel):
    model_config = ConfigDict(strict=True)


class Ids(_Body):
    """The ids (or unambiguous beginnings of ids) of what is meant."""

    ids: Annotated[list[Id], Field(max_length=100_000)]


class Focus(_Body):
    """The word under study; unknown is `null` or an empty list."""

    surface: Text
    lemma: Text | None = None
    reading: Text | None = None
    part_of_speech: Text | None = None
    grammar: Text | None = None
    meanings: Annotated[list[Text], Field(max_length=1000)] = []
    level: Text | None = None
    language: Text | None = None
    frequency: Number | None = None
    origin: FocusOrigin = "user"


class ClipContents(_Body):
    """A sentence to keep; everything else may be missing. Times are milliseconds."""

    sentence: Text
    transcript_id: Id | None = None
    file_id: Id | None = None
    cue_index: Number | None = None
    start_ms: Number | None = None
    end_ms: Number | None = None
    context: Text = ""
    translation: Text = ""
    focus: Focus | None = None
    explanation: Text = ""
    model: Text = ""
    tags: Annotated[list[Text], Field(max_length=1000)] = []
    note: Text = ""
    source: Text = ""

    def record(self) -> NewClip:
        focus = self.focus
        word = None
        if focus is not None:
            word = FocusWord(**(focus.model_dump() | {"meanings": tuple(focus.meanings)}))
        return NewClip(**(self.model_dump() | {"focus": word, "tags": tuple(self.tags)}))


class NewJob(_Body):
    """`source` is what the job works on, for kinds that work on one thing."""

    kind: Annotated[str, Field(max_length=40)]
    source: Text = ""


class Template(_Body):
    """Models are `provider:model`; `prompt` is a Jinja template, whose values are `sentence`, `focus`, `context`,
    `language` and `source`.
    """

    model: Text
    prompt: Text
    sys_msg: Text
    srt_model: Optional = ""
    srt_sys_msg: Optional = ""


class Preview(_Body):
    """Without `prompt` the profile's template is rendered, or the built-in one."""

    sentence: Text
    focus: Optional = ""
    context: Optional = ""
    prompt: Text | None = None
    language: Text | None = None
    source: Optional = ""


class Breakdown(_Body):
    """Without `prompt` and `sys_msg` the profile's template is used, or the built-in one.

    `fresh` asks the model although the history has an answer to exactly this question.
    """

    sentence: Text
    focus: Text
    model: Text
    context: Optional = ""
    prompt: Text | None = None
    sys_msg: Text | None = None
    language: Text | None = None
    source: Optional = ""
    fresh: bool = False


class Explain(_Body):
    """As a breakdown, of the whole sentence."""

    sentence: Text
    model: Text
    context: Optional = ""
    prompt: Text | None = None
    sys_msg: Text | None = None
    language: Text | None = None
    source: Optional = ""
    fresh: bool = False
