"""What requests carry, checked. What is not known is passed over, so that newer clients work with older servers."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Annotated, Any, get_type_hints

import msgspec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from tui.records import FocusWord, NewClip

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


_LIMITED: dict[Any, Any] = {
    str: Text,
    str | None: Text | None,
    int | None: Number | None,
    tuple[str, ...]: Annotated[list[Text], Field(max_length=1000)],
}
"""What a request may carry for a record's field, by the field's type."""


def _like(record: type) -> Any:
    """A model with the fields of a record, in which every value is held to the limits of requests."""
    hints = get_type_hints(record)
    found: dict[str, Any] = {}
    for field in fields(record):
        default = {MISSING: ..., (): []}.get(field.default, field.default)
        found[field.name] = (_LIMITED.get(hints[field.name], hints[field.name]), default)
    return create_model(record.__name__, __base__=_Body, **found)


class Focus(_like(FocusWord)):  # type: ignore[misc]  # mypy cannot read a class that is made of another's fields
    """The word under study; unknown is `null` or an empty list."""


_LIMITED[FocusWord | None] = Focus | None


class ClipContents(_like(NewClip)):  # type: ignore[misc]  # as above
    """A sentence to keep; everything else may be missing. Times are milliseconds."""

    def record(self) -> NewClip:
        return msgspec.convert(self.model_dump(), NewClip)


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
