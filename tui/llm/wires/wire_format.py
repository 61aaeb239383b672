"""Wire format: the interface that OpenAI's, Anthropic's, Gemini's and Ollama's implement for one client.

It makes calls out of requests and reads the values (decoded JSON) of what comes back into pieces. Connections,
deadlines, retries, the modes of structured output, inline thinking, halved characters and the end of an answer are
the client's and the decoder's affair, the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from tui.llm.protocol import ChatRequest

FinishCode = Literal["stop", "length", "filtered", "refused", "tool", "failed"]
Framing = Literal["events", "lines"]
"""Framing of a stream: server-sent events, or one JSON value a line."""


@dataclass(slots=True)  # one is made per token, and a frozen one takes three times as long to make
class TextPiece:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """The model thinks; what it thinks is not read."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A piece of the model's refusal, where the format keeps that apart from the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens so far; a later count replaces an earlier one."""

    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class FinishReason:
    """Reason why the model stopped; after it only counts may come. ``message`` is what the server adds."""

    code: FinishCode
    message: str = ""


@dataclass(frozen=True, slots=True)
class StreamClosed:
    """The format's own mark that nothing comes any more."""


@dataclass(frozen=True, slots=True)
class ServerError:
    """The server reports an error in place of (the rest of) the answer; ``status`` is the one it names, 0 for none."""

    message: str
    status: int = 0


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """A value that belongs to no answer of this format."""


AnswerPiece: TypeAlias = (
    TextPiece | Reasoning | Refusal | TokenUsage | FinishReason | StreamClosed | ServerError | UnknownValue
)


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One HTTP request; ``path`` is relative to the base URL and may have a query."""

    path: str
    body: Mapping[str, Any] | None = None

    @property
    def method(self) -> str:
        return "GET" if self.body is None else "POST"


@dataclass(frozen=True, slots=True)
class OptionalFields:
    """Fields that not every server of the format takes; left out from then on where one refuses them.

    ``about`` finds the refusal in what the server says. The fields are merged into the body, objects field by field.
    ``fallback`` is what is asked for where this one has been refused: models of one provider differ in what turns their
    thinking down.
    """

    name: str
    fields: Mapping[str, Any]
    about: re.Pattern[str]
    fallback: OptionalFields | None = None


@dataclass(frozen=True, slots=True)
class JsonMode:
    """One way to ask for JSON: ``fields`` for the body, and whether the schema has to be told in words as well."""

    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    in_words: bool = False


@dataclass(frozen=True, slots=True)
class ModelPage:
    """Ids of chat models, and what asks for the next page (None on the last)."""

    models: tuple[str, ...]
    following: str | None = None


class WireFormat(Protocol):
    """One wire format; its instances hold no state."""

    @property
    def framing(self) -> Framing: ...

    @property
    def redundant_endings(self) -> tuple[str, ...]:
        """Endings of a base URL that people write and the paths of the format have already."""

    @property
    def stream_fields(self) -> tuple[OptionalFields, ...]:
        """Optional fields of streamed requests."""

    @property
    def structured_fields(self) -> tuple[OptionalFields, ...]:
        """Optional fields of structured requests."""

    @property
    def address_hint(self) -> str:
        """Hint at the form of a base URL, for messages: "it often ends in /v1"."""

    def headers(self, key: str) -> dict[str, str]:
        """The headers that authorise; ``key`` is "" where there is none."""

    def chat(self, request: ChatRequest, *, streamed: bool) -> ApiCall: ...

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[JsonMode, ...]:
        """Ways to ask for an object of this schema, from the strictest to the one that every model understands."""

    def read(self, value: Any, event: str) -> Iterable[AnswerPiece]:
        """Pieces of an answer in a value; ``event`` is the name of its server-sent event, "message" for none."""

    def speech(self, model: str, voice: str, text: str) -> ApiCall | None:
        """Ask for the text as sound (MP3); None where the format has no request for that."""

    def model_list(self, following: str | None) -> ApiCall:
        """Ask for a page of models: the first, or the one that ``ModelPage.following`` names."""

    def models(self, value: Any) -> ModelPage:
        """Read a list of models; raises ``ValueError`` when the value is none."""


def merged(body: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The body with the fields, objects merged field by field."""
    result = dict(body)
    for name, value in fields.items():
        own = result.get(name)
        result[name] = merged(own, value) if isinstance(own, dict) and isinstance(value, Mapping) else value
    return result


def token_count(value: Any) -> int | None:
    """A token count as it may be believed; None for everything else."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if is_count else None


def as_object(value: Any) -> dict[str, Any]:
    """A JSON object as it is; an empty one in place of everything else."""
    return value if isinstance(value, dict) else {}


def as_rows(value: Any) -> list[Any]:
    """A list of models as it is; raises ``ValueError`` for everything else."""
    if not isinstance(value, list):
        raise ValueError("no list of models")
    return value
