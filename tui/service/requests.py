"""Requests to models: breakdowns, explanations and previews of prompts."""

from dataclasses import dataclass

MAX_QUESTION = 2_000
"""Maximum characters of a question on an answer: nobody types more."""


@dataclass(frozen=True, slots=True)
class BreakdownRequest:
    """Request for a breakdown; ``prompt`` and ``sys_msg`` None, ``model`` "": the template's, else the default.

    ``fresh`` asks anew although the history has an answer. ``language`` and ``source`` are values for the template.
    """

    sentence: str
    focus: str
    model: str = ""
    context: str = ""
    prompt: str | None = None
    sys_msg: str | None = None
    language: str | None = None
    source: str = ""
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """Request for an explanation of the whole sentence; fields as in ``BreakdownRequest``."""

    sentence: str
    model: str = ""
    context: str = ""
    prompt: str | None = None
    sys_msg: str | None = None
    language: str | None = None
    source: str = ""
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class FollowUpRequest:
    """Question that is asked on an answer of the history, or on one that was asked on it.

    ``model`` "": the model that answered first or, where that was the lexicon, the template's.
    """

    answer_id: str
    question: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """Request for a rendered prompt; ``prompt`` None: the profile's template, else the built-in default."""

    sentence: str
    focus: str = ""
    context: str = ""
    prompt: str | None = None
    language: str | None = None
    source: str = ""
