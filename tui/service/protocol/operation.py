"""Operations of the contract: what stands at a protocol's method about how it is asked for over HTTP.

``server/endpoints.py`` makes routes of it and ``remote/operations.py`` requests, also of streams and uploads. Downloads
and what differs between near and far are written by hand on both sides.

Other programs were written for the original interface, to which Lode has added all other paths:

    GET    /profiles/files                          GET    /profiles/deck_export
    DELETE /profiles/files/{file_id}                GET    /profiles/template
    GET    /profiles/transcripts                    POST   /profiles/template
    DELETE /profiles/transcripts/{transcript_id}    DELETE /profiles/template
    GET    /profiles/clips                          GET    /llm/providers
    DELETE /profiles/clips/{clip_id}                GET    /llm/models
    POST   /llm/breakdown/preview                   POST   /llm/breakdown
    POST   /llm/explain_sentence

Its answers are bare arrays and records, deletions of one record answer 204 (a file: the ids of its jobs), and a stream
is the focus word once, then tokens as JSON strings, then ``done``.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Awaitable[Any] | AsyncIterator[Any]])


@dataclass(slots=True, eq=False, repr=False)  # frozen and compared it takes the app two milliseconds to make
class Operation:
    """Decorator of a method of the service: the request that it is. ``name`` is its ``operationId``.

    Arguments that the ``path`` names go there, all others of a GET or DELETE into the query. Otherwise a record is the
    body and the rest the query; without a record they are the fields of a body whose schema is called ``body``, those
    of ``*ids`` as ``ids``. A second decorator, above the first, is another way to the method: for one record, say.

    ``asks``: a POST that changes nothing and needs no idempotency key. ``is_slow``: the server asks others in its turn,
    or looks at everything. ``by_hand``: its route is written in ``server/routes``. ``fixed`` is a parameter that tells
    it from another operation at its path. ``media_type`` is that of an answer in bytes, ``file_name`` what it is saved
    as. ``streams``: the answer comes in pieces, the events of a model's answer or the bytes of a file. ``{one}`` and
    ``{many}`` in path and name stand for what the resource has. ``pieces`` among the arguments are a file, which is
    the body.
    """

    verb: str
    path: str
    name: str
    status: int = 200
    body: str = ""
    tag: str = ""
    asks: bool = False
    is_slow: bool = False
    by_hand: bool = False
    fixed: tuple[tuple[str, str], ...] = ()
    media_type: str = ""
    file_name: str = ""
    streams: bool = False

    def __call__(self, declared: F) -> F:
        """Decorate: whoever inherits the method, as ``RemotePart`` does, has it by its ``perform`` or ``stream``."""
        if (before := getattr(declared, "operations", None)) is not None:
            declared.operations = (*before, self)  # type: ignore[attr-defined]  # functions take any attribute
            return declared

        @wraps(declared)
        def iterate(self_: Any, /, *args: Any, **named: Any) -> Any:
            return self_.stream(declared.__name__, self, args, named)

        @wraps(declared)
        async def ask(self_: Any, /, *args: Any, **named: Any) -> Any:
            try:
                return await self_.perform(declared.__name__, self, args, named)
            except Exception as error:
                error.add_note(f"in {declared.__qualname__}: {self.verb} {self.path}")
                raise

        asking = cast(F, iterate if self.streams else ask)
        asking.operations = (self,)  # type: ignore[attr-defined]
        return asking
