"""Signatures of operations: where each argument goes in a request, and the types of arguments and answer.

Only the server and the remote library read them: resolving types imports records that nothing else needs so early.
"""

from collections import OrderedDict
from collections.abc import AsyncIterable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from functools import cache, partial
from importlib import import_module
from inspect import BoundArguments, Parameter
from inspect import Signature as PythonSignature
from inspect import signature as python_signature
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from tui.records.pages import Page
from tui.service.protocol import Deck, Llm, Media, Service, Settings, Template, Transcription, Views, arguments
from tui.service.protocol.arguments import Bound
from tui.service.protocol.cues import Cues
from tui.service.protocol.mining import Mining
from tui.service.protocol.operation import Operation
from tui.service.protocol.records import Bookmarks, Clips, Files, History, Jobs, Transcripts
from tui.service.protocol.retiming import Retimings
from tui.service.protocol.reviews import Reviews
from tui.service.protocol.words import Dictionaries, KnownWords, OwnWords, Vocabulary, Words

T = TypeVar("T")
Place = Literal["path", "query", "record", "page", "body", "field"]
"""Place of an argument in a request; a ``record`` is in the address by its fields."""
_RECORDS = (
    *("pages", "library", "jobs", "clips", "transcripts", "answers", "words", "word_states", "own_words"),
    *("dictionaries", "settings", "media", "notes", "exports", "search", "sorting", "vocabulary"),
    *("word_stats", "word_summary", "deletion", "search_fields", "transcription", "retiming", "reviews", "mining"),
)
_LAZY = (
    *("tui.errors", "tui.events", "tui.language.word", "tui.service.requests"),
    *(f"tui.records.{name}" for name in _RECORDS),
    "tui.service.protocol.words",
)
"""Modules whose names protocols import for type checkers only."""
_PAGE = ("offset", "limit", "q", "after")
_NO_BOUND = Bound()


@dataclass(frozen=True, slots=True)
class Resource:
    """Part of the service: its attribute there, its protocol, its tag in OpenAPI, and what one of its records is.

    The records' own operations are below ``path``.
    """

    attribute: str
    contract: type
    tag: str
    one: str = ""
    path: str = ""


RESOURCES = (
    Resource("", Service, "library"),
    Resource("llm", Llm, "llm"),
    Resource("files", Files, "files", "file", "/profiles/files"),
    Resource("transcripts", Transcripts, "transcripts", "transcript", "/profiles/transcripts"),
    Resource("cues", Cues, "transcripts"),
    Resource("bookmarks", Bookmarks, "transcripts", "bookmark", "/profiles/bookmarks"),
    Resource("clips", Clips, "clips", "clip", "/profiles/clips"),
    Resource("media", Media, "media"),
    Resource("transcription", Transcription, "transcripts"),
    Resource("retiming", Retimings, "transcripts"),
    Resource("reviews", Reviews, "transcripts"),
    Resource("mining", Mining, "transcripts"),
    Resource("deck", Deck, "deck"),
    Resource("template", Template, "template"),
    Resource("settings", Settings, "settings"),
    Resource("views", Views, "views"),
    Resource("words", Words, "words"),
    Resource("own_words", OwnWords, "words"),
    Resource("known_words", KnownWords, "words"),
    Resource("vocabulary", Vocabulary, "words"),
    Resource("dictionaries", Dictionaries, "dictionaries"),
    Resource("history", History, "history", "answer", "/profiles/history"),
    Resource("jobs", Jobs, "jobs"),
)
"""Parts of the service that have operations."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Argument of an operation: ``name`` is the method's, ``sent_as`` the one over HTTP; ``ids`` may be any number."""

    name: str
    sent_as: str
    place: Place
    kind: Any
    default: Any
    bound: Bound
    are_ids: bool

    @property
    def is_needed(self) -> bool:
        return self.default is Parameter.empty


@dataclass(frozen=True, slots=True)
class Signature:
    """Signature of an operation in a resource; ``text`` is what its method says of itself."""

    operation: Operation
    name: str
    path: str
    arguments: tuple[Argument, ...]
    answer: Any
    declared: PythonSignature
    text: str

    @property
    def pages(self) -> bool:
        return get_origin(self.answer) is Page

    @property
    def file(self) -> Argument | None:
        """The argument that is a file in pieces."""
        return next((each for each in self.arguments if get_origin(each.kind) is AsyncIterable), None)

    @property
    def is_searched(self) -> bool:
        return any(each.name == "q" for each in self.arguments)

    def read_call(self, args: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        """The value of each argument of a call. Raises ``TypeError`` as the call itself would."""
        given = self.declared.bind(*args, **named)
        given.apply_defaults()
        return given.arguments

    def write_call(self, call: Callable[..., T], values: Mapping[str, Any]) -> Callable[..., T]:
        """A call with these values of arguments, which may lack some of those by name."""
        given = BoundArguments(self.declared, OrderedDict(values))
        return partial(call, *given.args, **given.kwargs)


def operations(resource: Resource) -> Iterator[tuple[str, Operation]]:
    """The operations of a resource, each with its method."""
    for method in dir(resource.contract):
        for operation in getattr(getattr(resource.contract, method), "operations", ()):
            yield method, operation


@cache
def signature(resource: Resource, method: str, operation: Operation) -> Signature:
    """Resolve the signature of a method of a resource, as an operation has it."""
    declared = getattr(resource.contract, method)
    hints = {name: _of(resource, hint) for name, hint in _hints(declared).items()}
    _, *parameters = python_signature(declared).parameters.values()
    kinds = {each.name: _bounded(hints[each.name]) for each in parameters}
    nouns = {"one": resource.one, "many": f"{resource.one}s", "path": resource.path}
    path = _filled(operation.path, nouns)
    has_file = any(get_origin(kind) is AsyncIterable for kind, _ in kinds.values())
    has_no_fields = has_file or operation.verb in ("GET", "DELETE")
    in_query = has_no_fields or any(is_dataclass(kind) for kind, _ in kinds.values())
    found = []
    for each in parameters:
        kind, bound = kinds[each.name]
        are_ids = each.kind is Parameter.VAR_POSITIONAL
        sent_as = bound.name or each.name.replace("record", resource.one)
        if are_ids:
            sent_as = sent_as.removesuffix("s") if f"{{{sent_as.removesuffix('s')}}}" in path else "ids"
        place: Place = "query" if in_query else "field"
        if f"{{{sent_as}}}" in path:
            place = "path"
        elif get_origin(hints["return"]) is Page and each.name in _PAGE:
            place = "page"
        elif is_dataclass(kind):
            place = "record" if has_no_fields else "body"
        elif get_origin(kind) is AsyncIterable:
            place = "body"
        found.append(Argument(each.name, sent_as, place, kind, each.default, bound, are_ids))
    name, own = _filled(operation.name, nouns), PythonSignature(parameters)
    return Signature(operation, name, path, tuple(found), hints["return"], own, declared.__doc__ or "")


def _hints(declared: Any) -> dict[str, Any]:
    names = {"args": arguments, **declared.__wrapped__.__globals__}
    for module in _LAZY:
        try:
            return get_type_hints(declared, names, include_extras=True)
        except NameError:
            found = import_module(module)
            names = {module.rpartition(".")[2]: found, **vars(found), **names}
    return get_type_hints(declared, names, include_extras=True)


def _of(resource: Resource, hint: Any) -> Any:
    """The type with the resource's record in the place of a variable."""
    if not getattr(hint, "__parameters__", ()) and type(hint).__name__ != "TypeVar":
        return hint
    (record,) = get_args(resource.contract.__orig_bases__[0])  # type: ignore[attr-defined]  # of a generic protocol
    return hint[record] if get_args(hint) else record


def _bounded(hint: Any) -> tuple[Any, Bound]:
    if get_origin(hint) is Annotated:
        kind, bound = get_args(hint)
        return kind, bound
    return hint, _NO_BOUND


def _filled(text: str, nouns: Mapping[str, str]) -> str:
    """The text with the nouns of the resource; names of arguments stay in their braces."""
    for name, noun in nouns.items():
        text = text.replace(f"{{{name}}}", noun)
    return text
