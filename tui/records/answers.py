"""Answers of models, what they cost, who gives them, and the template that they are asked with."""

from dataclasses import dataclass
from typing import Literal

from tui.records.clips import FocusWord

AnswerKind = Literal["breakdown", "explanation"]


AnswerState = Literal["complete", "aborted", "failed"]


@dataclass(frozen=True, slots=True)
class NewTemplate:
    """The written fields of a profile's template; model selectors are ``provider:model``."""

    model: str
    prompt: str
    sys_msg: str
    srt_model: str = ""
    srt_sys_msg: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmTemplate(NewTemplate):
    """A profile's saved template, at most one per profile."""

    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """A question as a model is asked it, whose answer is to be kept.

    ``known_by`` are the prompt and the system message by which an answer to the same question is found, None for its
    own; ``follows`` is the id of the answer that is asked on.
    """

    kind: AnswerKind
    model: str
    sentence: str
    focus: str
    context: str
    prompt: str
    sys_msg: str
    known_by: tuple[str, str] | None = None
    follows: str | None = None


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question that was asked on an answer, and what was answered; the fields are those of ``Answer``."""

    id: str
    question: str
    text: str
    model: str
    state: AnswerState
    error: str | None
    input_tokens: int | None
    output_tokens: int | None
    duration_ms: int
    created_at: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """One breakdown or explanation as it was given, kept also when aborted; ``prompt`` is the rendered prompt.

    ``first_token_ms`` is how long its first text took, None where none came. The token counts are the provider's, None
    where it gave none; they are a part of the truth for an answer that is not complete. ``cut`` tells that the model
    stopped at its limit of length.

    ``translation`` is the whole sentence's in the language of the explanation, ``sentence_reading`` the sentence with
    the readings in it where its script needs them, as Anki writes them (``text.readings.furigana``); "" for none.

    ``follow_ups`` are the questions that were asked on, in their order. Each is an answer of its own too, which
    ``follows`` the first one (its id) and has its question as the ``prompt``; lists have the first ones only.
    """

    id: str
    kind: AnswerKind
    model: str
    sentence: str
    focus: str
    context: str
    prompt: str
    sys_msg: str
    focus_word: FocusWord | None
    text: str
    state: AnswerState
    error: str | None
    input_tokens: int | None
    output_tokens: int | None
    duration_ms: int
    created_at: str
    first_token_ms: int | None = None
    cut: bool = False
    translation: str = ""
    sentence_reading: str = ""
    follows: str | None = None
    follow_ups: tuple[FollowUp, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and time that the kept answers of one model took in one month (``2026-11``, in local time).

    ``uncounted`` is how many of them have no token counts, or only some because they were broken off: with any, the
    true sums are higher. The lexicon uses no tokens, so its answers are never among them.
    """

    month: str
    model: str
    answers: int
    uncounted: int
    input_tokens: int
    output_tokens: int
    duration_ms: int


@dataclass(frozen=True, slots=True)
class ProviderStatus:
    """State of a provider: whether it can be used here; ``reason`` says what is missing when it can't, never a secret.

    ``code`` is the same for programs (``missing_key``, ``unreachable`` …), ``hint`` what to do about it.
    ``well_known`` are names of its models that stand in for its own list where it gives none.
    """

    provider: str
    label: str
    available: bool
    reason: str
    local: bool
    well_known: tuple[str, ...] = ()
    code: str = ""
    hint: str = ""
