"""Which templates are known to be rendered soon: those go before the ones that nobody knows anything about.

What is known is what happened: no check of a template's text says how long it takes.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from hashlib import blake2b

_SOON = 0.1
"""Seconds within which a template must be rendered to be proven; nearly every one needs a twentieth of that."""
_TRIAL_SECONDS = 0.25
"""How long others with the same template wait for the first, which may have to wait for a process."""
_MOST = 1000


def mark_of(template: str) -> bytes:
    """What stands for a template here."""
    return blake2b(template.encode(errors="surrogatepass"), digest_size=16).digest()


class ProvenTemplates:
    """The marks of templates that were rendered soon, and have not run out of time since."""

    def __init__(self) -> None:
        self._marks: OrderedDict[bytes, None] = OrderedDict()
        """The one that was rendered last is last."""
        self._trials: dict[bytes, asyncio.Future[None]] = {}

    def __contains__(self, mark: bytes) -> bool:
        return mark in self._marks

    def rendered(self, mark: bytes, seconds: float) -> None:
        if seconds < _SOON:
            self._marks[mark] = None
            self._marks.move_to_end(mark)
            if len(self._marks) > _MOST:
                self._marks.popitem(last=False)

    def forget(self, mark: bytes) -> None:
        self._marks.pop(mark, None)

    @asynccontextmanager
    async def tried_first(self, mark: bytes) -> AsyncGenerator[None, None]:
        """Lets the first with a new template go ahead of the others: it is proven for them then, in most cases."""
        trial = self._trials.get(mark)
        if mark in self._marks:
            yield
        elif trial is not None:
            await asyncio.wait((trial,), timeout=_TRIAL_SECONDS)
            yield
        else:
            trial = self._trials[mark] = asyncio.get_running_loop().create_future()
            try:
                yield
            finally:
                del self._trials[mark]
                trial.set_result(None)
