"""Refusals: remembers for a day what a server takes of no request for a model, an optional field or a JSON mode.

They lie in a file beside the library, so that the next command knows them too. After a day they are tried again: a
server may have been brought up to date.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tui import bounds
from tui.llm.http.errors import RefusedRequest
from tui.llm.wires.wire_format import ApiCall, Fields, OptionalFields, merge_fields
from tui.system import regular_file
from tui.system.temporary import replace_text

ABOUT_PARAMETER = (
    r"(?:unknown|unsupported|unrecogni[sz]ed|unexpected|invalid|extra|additional|not (?:supported|permitted|allowed))"
    r".{0,60}(?:field|parameter|argument|input|propert|key|name)"
    r"|(?:field|parameter|argument|input|propert).{0,60}(?:unknown|unsupported|not (?:supported|permitted|allowed))"
)
"""Refusals of a parameter, whichever it is; as ``OptionalFields.about``."""
_FLAGS = re.IGNORECASE | re.DOTALL
_KEPT_SECONDS = 24 * 60 * 60
_MAX_BYTES = bounds.REFUSALS.bytes_in
_Known = dict[tuple[str, str, str], float]
"""Server, model and what it refuses → when that was found, in seconds since the epoch."""


class RefusalMemory:
    """Refusals of all servers; ``path`` None keeps them in this process only. A file that cannot be used is no error.

    ``clock`` gives seconds since the epoch.
    """

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._known: _Known | None = None
        self._lock = threading.Lock()

    async def of(self, server: str, model: str) -> frozenset[str]:
        """Names of what the server refuses for the model; the file is read once a process."""
        if self._known is None:
            await asyncio.to_thread(self._update, {})
        oldest = self._clock() - _KEPT_SECONDS
        known = self._known or {}
        return frozenset(name for (of, by, name), at in known.items() if (of, by) == (server, model) and at > oldest)

    async def add(self, server: str, model: str, names: set[str]) -> None:
        now = self._clock()
        await asyncio.to_thread(self._update, {(server, model, name): now for name in names})

    def _update(self, found: _Known) -> None:
        """Read what other processes have found, and write down what is new. Blocks."""
        with self._lock:
            now = self._clock()
            known = {**self._read(), **(self._known or {}), **found}
            self._known = {key: at for key, at in known.items() if now - _KEPT_SECONDS < at <= now}
            if found and self._path is not None:
                rows = [[*key, at] for key, at in self._known.items()]
                with suppress(OSError):  # a disk that is full or can only be read: it is found out anew
                    replace_text(self._path, json.dumps(rows))

    def _read(self) -> _Known:
        if self._path is None:
            return {}
        with suppress(OSError, ValueError, TypeError, RecursionError):
            rows = json.loads(regular_file.read(self._path, _MAX_BYTES))
            return {(str(server), str(model), str(name)): float(at) for server, model, name, at in rows}
        return {}


class Refusals:
    """Refusals of one server, and what is suspected of being refused.

    A request that asks for something special may fail for another reason. So a failure is a suspicion only, until the
    model answers a request without it.
    """

    def __init__(self, memory: RefusalMemory, server: str) -> None:
        self._memory = memory
        self._server = server
        self._suspected: dict[str, set[str]] = {}
        self._taken: set[tuple[str, str]] = set()
        self._answering: set[str] = set()

    async def of(self, model: str) -> frozenset[str]:
        return await self._memory.of(self._server, model)

    async def add_allowed(self, call: ApiCall, fields: Fields, model: str) -> tuple[ApiCall, Fields]:
        """Add the fields that have not been refused yet to a call; gives these too."""
        if not fields:
            return call, ()
        refused = await self.of(model)
        taken = tuple(each for field in fields if (each := _not_refused(field, refused)) is not None)
        body: Mapping[str, Any] = call.body or {}
        for field in taken:
            body = merge_fields(body, field.fields)
        return replace(call, body=body), taken

    async def drop(self, fields: Fields, model: str, error: RefusedRequest, *general: str) -> bool:
        """Remember the fields that the refusal is about; whether there are any."""
        said = error.about
        meant = {field.name for field in fields for each in (field.about, *general) if re.search(each, said, _FLAGS)}
        if meant:
            await self._memory.add(self._server, model, meant)
        return bool(meant)

    async def remember(self, model: str, names: set[str]) -> None:
        """Remember what the server takes of no request for the model."""
        await self._memory.add(self._server, model, names)

    def begin(self, model: str) -> None:
        """Forget what is suspected: a question begins whose own answers count."""
        self._suspected.pop(model, None)
        self._answering.discard(model)

    async def suspect(self, model: str, name: str) -> None:
        """Note that a request with this has failed, unless one with it has been answered before."""
        if (model, name) not in self._taken:
            self._suspected.setdefault(model, set()).add(name)
            if model in self._answering:
                await self.answered(model)

    def is_taken(self, model: str, name: str) -> bool:
        """Whether the model has answered a request with this."""
        return (model, name) in self._taken

    async def answered(self, model: str, name: str = "") -> None:
        """Note that the model answered a request, with this or, "", a plain one: what is suspected is refused then."""
        if name:
            self._taken.add((model, name))
        else:
            self._answering.add(model)
        if suspected := self._suspected.pop(model, None):
            await self._memory.add(self._server, model, suspected)


def _not_refused(extra: OptionalFields | None, refused: frozenset[str]) -> OptionalFields | None:
    while extra is not None and extra.name in refused:
        extra = extra.fallback
    return extra
