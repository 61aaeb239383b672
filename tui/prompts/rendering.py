"""Prompts out of templates, rendered in worker processes that are killed when a template goes too far.

The bounds hold whatever the template: one second, 512 MiB in the worker (where the system can limit it), 64 thousand
characters of result.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass
from typing import Any, Literal

from tui.errors import TemplateError
from tui.prompts.defaults import BREAKDOWN_PROMPT, EXPLANATION_PROMPT
from tui.prompts.prompt_pool import PromptPool
from tui.prompts.prompt_process import PromptProcess
from tui.prompts.proven_templates import ProvenTemplates, mark_of
from tui.text.surrogates import whole_characters

_TIME_LIMIT = 1.0
_GRACE = 0.1
"""Seconds a rendering may go on that nobody waits for any more; nearly every one is over long before."""
_MAX_TEMPLATE = 64 * 1024
_MAX_VALUES = 256 * 1024
_Mode = Literal["render", "lenient"]


@dataclass(frozen=True, slots=True)
class PromptValues:
    """The five names of a template; ``language`` is a name ("German"), "" where a value is not known."""

    sentence: str
    focus: str = ""
    context: str = ""
    language: str = ""
    source: str = ""


_SAMPLES = (
    PromptValues("Hoffentlich fährt er noch ab.", "fährt", "Das ist der letzte Zug.", "German", "Der letzte Zug"),
    PromptValues("Hoffentlich fährt er noch ab."),
)
"""What a template is checked with: everything known, and nothing but the sentence."""


class PromptRenderer:
    """Renders in up to ``workers`` processes. ``close`` ends them; without that they end with this process.

    ``owner`` is whose rendering it is: one owner has at most half of the workers at once (but one always), and a
    template that has been rendered before, and soon was, goes before those that have not. So templates without end
    hold up nobody but who else tries one out, and not even the answers of who sent them.

    Every method raises ``TemplateError`` whose message begins with the place ("line 3, column 33: …") where that is
    known. Cancelling a call leaves the renderer as good as new: what talks to a worker is never cancelled itself, it
    is told that nobody waits any more. To stop it, its process is killed, and then every wait for that process ends.
    """

    def __init__(self, *, time_limit: float = _TIME_LIMIT, workers: int = 1) -> None:
        self._time_limit = time_limit
        self._pool = PromptPool(workers)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._proven = ProvenTemplates()

    async def render(self, template: str, values: PromptValues, *, owner: str = "") -> str:
        """The prompt; an unknown name anywhere in the template is an error, on branches that are not taken too."""
        text, error = await self._ask("render", template, values, owner)
        if error is not None:
            raise error
        return text

    async def render_lenient(
        self, template: str, values: PromptValues, *, owner: str = ""
    ) -> tuple[str, TemplateError | None]:
        """What can be shown, and the first error; never raises one.

        Unknown names stand as ``{{ name }}`` and lines with an error as they are; "" where nothing can be shown.
        """
        try:
            return await self._ask("lenient", template, values, owner)
        except TemplateError as error:
            return "", error

    async def check(self, template: str, *, owner: str = "") -> None:
        """Raises ``TemplateError`` unless the template renders, both with every value and with the sentence alone."""
        for values in _SAMPLES:
            await self.render(template, values, owner=owner)

    async def warm(self) -> None:
        """Start a worker and render the built-in prompts, so that the first answers do not wait for either."""
        for prompt in (BREAKDOWN_PROMPT, EXPLANATION_PROMPT):
            await self.render(prompt, _SAMPLES[0])

    async def close(self) -> None:
        await self._pool.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _ask(
        self, mode: _Mode, template: str, values: PromptValues, owner: str
    ) -> tuple[str, TemplateError | None]:
        fields = asdict(values)
        if len(template) > _MAX_TEMPLATE or sum(map(len, fields.values())) > _MAX_VALUES:
            raise TemplateError("the template or its values are too long", hint="shorten them")
        request = {"mode": mode, "template": template, "values": fields}
        mark = mark_of(template)
        async with self._proven.tried_first(mark):
            return await self._rendered(request, mark, owner)

    async def _rendered(self, request: dict[str, Any], mark: bytes, owner: str) -> tuple[str, TemplateError | None]:
        for _ in range(2):
            process = await self._pool.lend(owner, is_proven=mark in self._proven)
            exchange = _Exchange(request, process, mark)
            task = self._begun(exchange)
            try:
                answer = await asyncio.shield(task)
            except asyncio.CancelledError:
                exchange.abandon()
                raise
            except EOFError:
                continue  # it died: while it lay idle (then another will do), of this very template, or was killed
            problem = answer["problem"]
            return whole_characters(answer["text"]), _error(problem) if problem else None
        raise TemplateError(
            "the template brings its worker process down", hint="make it simpler", code="template_worker"
        )

    def _begun(self, exchange: _Exchange) -> asyncio.Task[dict[str, Any]]:
        task = asyncio.create_task(self._exchanged(exchange))
        self._tasks.add(task)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # so that one that nobody waits for is not reported as lost

    async def _exchanged(self, exchange: _Exchange) -> dict[str, Any]:
        begun = time.monotonic()
        try:
            answer = await exchange.process.exchange(exchange.request, self._time_limit)
            self._proven.rendered(exchange.mark, time.monotonic() - begun)
            return answer
        except TimeoutError:
            self._proven.forget(exchange.mark)  # with these values it is another matter
            raise TemplateError(
                f"the template takes longer than {self._time_limit:g} s", hint="look for a loop without end"
            ) from None
        finally:
            exchange.is_over = True
            self._pool.give_back(exchange.process)


@dataclass(slots=True)
class _Exchange:
    request: dict[str, Any]
    process: PromptProcess
    mark: bytes
    is_over: bool = False

    def abandon(self) -> None:
        """Nobody waits for it any more: it may end soon by itself, which keeps the worker, or its process is killed."""
        asyncio.get_running_loop().call_later(_GRACE, self._stop)

    def _stop(self) -> None:
        if not self.is_over:  # else the process is another's by now
            self.process.kill()


def _error(problem: dict[str, Any]) -> TemplateError:
    line, column = problem["line"], problem["column"]
    place = f"line {line}, column {column}: " if line and column else f"line {line}: " if line else ""
    return TemplateError(place + problem["message"], line=line, column=column, hint=problem["hint"])
