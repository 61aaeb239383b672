"""Wire format: the interface that OpenAI's, Anthropic's, Gemini's and Ollama's implement for one client.

It makes calls out of requests and reads the values (decoded JSON) of what comes back into pieces. Connections,
deadlines, retries, the modes of structured output, inline thinking, halved characters and the end of an answer are
the client's and the decoder's affair, the same for all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from tui.llm.protocol import ChatRequest, TextDelta, Thinking
from tui.text.sanitize import one_line

FinishCode = Literal["stop", "length", "filtered", "refused", "tool", "failed"]
Framing = Literal["events", "lines"]
"""Framing of a stream: server-sent events, or one JSON value a line."""


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
    TextDelta | Thinking | Refusal | TokenUsage | FinishReason | StreamClosed | ServerError | UnknownValue
)


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file of a form: a field of the form is called ``file``."""

    name: str
    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One HTTP request, a GET without a ``body``; ``path`` is relative to the base URL and may have a query.

    Without ``has_version`` it is relative to that without the "/v1" that it ends in. With a ``file`` it is a form,
    whose other fields are those of the body; a list is a field that comes several times.
    """

    path: str
    body: Mapping[str, Any] | None = None
    file: SentFile | None = None
    has_version: bool = True


@dataclass(frozen=True, slots=True)
class OptionalFields:
    """Fields that not every server of the format takes; left out from then on where one refuses them.

    ``about`` is an expression that finds the refusal in what the server says. The fields are merged into the body,
    objects field by field. ``fallback`` is what is asked for where this one has been refused: models of one provider
    differ in what turns their thinking down.
    """

    name: str
    fields: Mapping[str, Any]
    about: str
    fallback: OptionalFields | None = None


Fields: TypeAlias = tuple[OptionalFields, ...]


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
    """One wire format, with what most of them have in common; its instances hold no state."""

    framing: Framing = "events"
    redundant_endings: tuple[str, ...]
    """Endings of a base URL that people write and the paths of the format have already."""
    stream_fields: Fields = ()
    """Optional fields of streamed requests."""
    structured_fields: Fields = ()
    """Optional fields of structured requests."""
    address_hint: str
    """Hint at the form of a base URL, for messages: "it often ends in /v1"."""

    def headers(self, key: str) -> dict[str, str]:
        """The headers that authorise; ``key`` is "" where there is none."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def chat(self, request: ChatRequest, *, streamed: bool) -> ApiCall: ...

    def json_modes(self, schema: Mapping[str, Any]) -> tuple[JsonMode, ...]:
        """Ways to ask for an object of this schema, from the strictest to the one that every model understands."""

    def read(self, value: Any, event: str) -> Iterable[AnswerPiece]:
        """Pieces of an answer in a value; ``event`` is the name of its server-sent event, "message" for none."""

    def speech(self, model: str, voice: str, text: str) -> ApiCall | None:
        """Ask for the text as sound (MP3); None where the format has no request for that."""
        return None

    def transcription(self, model: str, sound: SentFile, fields: Mapping[str, Any]) -> ApiCall | None:
        """Ask for what is said in a file of sound; None where the format has no request for that."""
        return None

    def model_list(self, following: str | None) -> ApiCall:
        """Ask for a page of models: the first, or the one that ``ModelPage.following`` names."""

    def models(self, value: Any) -> ModelPage:
        """Read a list of models; raises ``ValueError`` when the value is none."""


def merge_fields(body: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The body with the fields, objects merged field by field."""
    result = dict(body)
    for name, value in fields.items():
        own = result.get(name)
        result[name] = merge_fields(own, value) if isinstance(own, dict) and isinstance(value, Mapping) else value
    return result


def token_count(value: Any) -> int | None:
    """A token count as it may be believed; None for everything else."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if is_count else None


def make_usage(input_tokens: Any, output_tokens: Any) -> TokenUsage:
    """Token counts, as far as they may be believed."""
    return TokenUsage(token_count(input_tokens), token_count(output_tokens))


def as_object(value: Any) -> dict[str, Any]:
    """A JSON object as it is; an empty one in place of everything else."""
    return value if isinstance(value, dict) else {}


def as_rows(value: Any) -> list[Any]:
    """A list of models as it is; raises ``ValueError`` for everything else."""
    if not isinstance(value, list):
        raise ValueError("no list of models")
    return value


MAX_READ = 16_000
"""Maximum characters of a body that are looked through, so that no expression has much to chew on."""
_DUMPED = re.compile(
    r"""['"]loc['"]:\s*[(\[](?P<loc>[^)\]]{0,200})[)\]],\s*"""
    r"""['"]msg['"]:\s*(?:'(?P<msg>[^']{0,500})'|"(?P<quoted>[^"]{0,500})")"""
)
"""A failed validation as Python prints it: FastAPI's servers send that as a text."""
_INNARDS = re.compile(
    r"""^Traceback \(most recent call last\):|^\s*File ".{0,500}", line \d+.{0,200}$|\[type=\w+, input.{0,500}\]$"""
    r"""|^\s*For further information visit \S+$""",
    re.MULTILINE,
)
"""Lines of a stack and of Pydantic's, which tell nobody anything who did not write the server."""
_FILE = re.compile(
    r"""(?<![\w/\\:.])(?:[A-Za-z]:[\\/]|~?/)(?:[^\s"'`<>|:*?\\/,;()\[\]{}]{1,255}[\\/]){1,40}"""
    r"""([^\s"'`<>|:*?\\/,;()\[\]{}]{1,255}\.[A-Za-z]\w{0,9})(?![\w-])"""
)
"""An absolute path of a file; group 1 is its name."""
_PAGE_TITLE = re.compile(r"<title[^>]{0,200}>(.{0,500}?)</title>", re.IGNORECASE | re.DOTALL)


def loads(text: str | bytes) -> Any:
    """The JSON value; raises ``ValueError`` for everything else, numbers without end and deep nesting included."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def error_text(body: bytes | str) -> str:
    """Read the message of an error body, a text, an object, a list, ``detail`` or a page; "" where there is none."""
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
    text = text.strip().removeprefix("\ufeff")
    try:
        said = message_in(loads(text))
    except ValueError:
        if not text.startswith("<"):
            return _readable(text)
        title = _PAGE_TITLE.search(text[:MAX_READ])
        return f"a web page: {title.group(1)}" if title else "a web page"
    return said


def message_in(value: Any, depth: int = 0) -> str:
    """The message in a decoded error value."""
    if depth > 6 or value is None or isinstance(value, bool):
        return ""
    if isinstance(value, (str, int, float)):
        return _readable(str(value))
    if isinstance(value, list):
        return "; ".join(filter(None, (message_in(each, depth + 1) for each in value[:5])))
    if not isinstance(value, dict):
        return ""
    for name in ("error", "message", "msg", "detail", "errors", "error_description", "title", "type", "code"):
        if said := message_in(value.get(name), depth + 1):
            where = value.get("loc")
            if name == "msg" and isinstance(where, list):
                return f"{'.'.join(str(part) for part in where)}: {said}"
            return said
    return ""


def _readable(text: str) -> str:
    """A server's message without what only tells of its innards: dumps, stacks and the places of its files."""
    text = text[:MAX_READ]
    if dumped := list(_DUMPED.finditer(text)):
        return "; ".join(dict.fromkeys(_validated(each) for each in dumped[:5]))
    return _FILE.sub(r"\1", _INNARDS.sub("", text)).strip()


def _validated(dumped: re.Match[str]) -> str:
    where = [part.strip(" '\"") for part in dumped["loc"].split(",")]
    return f"{'.'.join(part for part in where if part not in ('', 'body'))}: {dumped['msg'] or dumped['quoted'] or ''}"


_NO_CHAT = re.compile(
    r"embed|whisper|tts|dall-?e|moderation|image|realtime|transcri|sora|davinci|babbage|-instruct-\d{4}|^gpt-3\.5-turbo-instruct"
    r"|rerank|audio|speech|stable-diffusion|flux|\bocr\b|\bbge-|\bcodex\b.*edit|guard|\bveo\b|\bimagen\b|\baqa\b"
    r"|minilm|nano-banana|\blyria\b|computer-use",
    re.IGNORECASE,
)
"""Ids of models that answer no chat."""
_MAX_ID = 200


def make_model_page(names: Iterable[Any], following: Any = None) -> ModelPage:
    """Make a page of those models that may chat and can be shown; a ``following`` that is no text is none."""
    page_names = tuple(
        name
        for name in names
        if isinstance(name, str) and 0 < len(name) <= _MAX_ID and name == one_line(name) and not _NO_CHAT.search(name)
    )
    return ModelPage(page_names, following if isinstance(following, str) and following else None)
