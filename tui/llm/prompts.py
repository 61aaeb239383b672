"""Prompts out of templates, rendered in a worker process that is killed when a template goes too far.

The bounds hold whatever the template: one second, 512 MiB in the worker (where the system can limit it), 64 thousand
characters of result.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import asdict, dataclass
from typing import Any, Literal

from tui.errors import TemplateError
from tui.llm.prompt_process import PromptProcess
from tui.llm.thinking import whole_characters

_TIME_LIMIT = 1.0
_START_LIMIT = 20.0
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
    """Renders in one worker, in turn. ``close`` ends it; without that it ends with this process.

    Every method raises ``TemplateError`` whose message begins with the place ("line 3, column 33: …") where that is
    known. Cancelling a call leaves the renderer as good as new: what talks to the worker is never cancelled itself,
    it is told that nobody waits any more. To stop it, its process is killed, and then every wait for that process ends.
    """

    def __init__(self, *, time_limit: float = _TIME_LIMIT) -> None:
        self._time_limit = time_limit
        self._process: PromptProcess | None = None
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def render(self, template: str, values: PromptValues) -> str:
        """The prompt; an unknown name anywhere in the template is an error, on branches that are not taken too."""
        text, error = await self._ask("render", template, values)
        if error is not None:
            raise error
        return text

    async def render_lenient(self, template: str, values: PromptValues) -> tuple[str, TemplateError | None]:
        """What can be shown, and the first error; never raises one.

        Unknown names stand as ``{{ name }}`` and lines with an error as they are; "" where nothing can be shown.
        """
        try:
            return await self._ask("lenient", template, values)
        except TemplateError as error:
            return "", error

    async def check(self, template: str) -> None:
        """Raises ``TemplateError`` unless the template renders, both with every value and with the sentence alone."""
        for values in _SAMPLES:
            await self.render(template, values)

    async def warm(self) -> None:
        """Start the worker, so that the first rendering does not wait for it."""
        await self.render("", PromptValues(""))

    async def close(self) -> None:
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if process is not None:
            await process.ended()

    async def _ask(self, mode: _Mode, template: str, values: PromptValues) -> tuple[str, TemplateError | None]:
        fields = asdict(values)
        if len(template) > _MAX_TEMPLATE or sum(map(len, fields.values())) > _MAX_VALUES:
            raise TemplateError("the template or its values are too long", hint="shorten them")
        exchange = _Exchange({"mode": mode, "template": template, "values": fields})
        task = self._begun(exchange)
        try:
            answer = await asyncio.shield(task)
        except asyncio.CancelledError:
            exchange.abandon()
            raise
        problem = answer["problem"]
        return whole_characters(answer["text"]), _error(problem) if problem else None

    def _begun(self, exchange: _Exchange) -> asyncio.Task[dict[str, Any]]:
        task = asyncio.create_task(self._in_turn(exchange))
        self._tasks.add(task)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # so that one that nobody waits for is not reported as lost

    async def _in_turn(self, exchange: _Exchange) -> dict[str, Any]:
        async with self._turn:
            for _ in range(2):
                if exchange.is_abandoned:
                    break
                process = await self._started()
                if exchange.is_abandoned:  # while the worker started, which others can use now
                    break
                exchange.process = process
                try:
                    return await process.exchange(exchange.request, self._time_limit)
                except TimeoutError:
                    await process.ended()
                    self._warm_up()
                    raise TemplateError(
                        f"the template takes longer than {self._time_limit:g} s", hint="look for a loop without end"
                    ) from None
                except EOFError:
                    # It died: while it lay idle (then a new one will do), of this very template, or was killed.
                    await process.ended()
                finally:
                    exchange.process = None
            if exchange.is_abandoned:
                self._warm_up()
                return {}
            if self._closed:
                raise _closing()
            raise TemplateError(
                "the template brings its worker process down", hint="make it simpler", code="template_worker"
            )

    async def _started(self) -> PromptProcess:
        if self._closed:
            raise _closing()
        if self._process is None or not self._process.is_usable:
            self._process = process = PromptProcess()
            try:
                await process.start(_START_LIMIT)
            except (EOFError, OSError, TimeoutError):
                await process.ended()
                if self._closed:
                    raise _closing() from None
                raise TemplateError(
                    "the process that renders prompts does not start",
                    hint=f"try it by hand: {sys.executable} -m tui.llm.prompt_worker",
                    code="template_worker",
                ) from None
        return self._process

    def _warm_up(self) -> None:
        """Have the next process started in the background, where there is none."""
        if not self._closed and (self._process is None or not self._process.is_usable):
            self._begun(_Exchange(_NOTHING))


@dataclass(slots=True)
class _Exchange:
    request: dict[str, Any]
    process: PromptProcess | None = None
    """The one that works on it just now."""
    is_abandoned: bool = False

    def abandon(self) -> None:
        """Nobody waits for it any more: it may end soon by itself, which keeps the worker, or its process is killed."""
        self.is_abandoned = True
        asyncio.get_running_loop().call_later(_GRACE, self._stop)

    def _stop(self) -> None:
        if self.process is not None:
            self.process.kill()


_NOTHING: dict[str, Any] = {"mode": "render", "template": "", "values": asdict(PromptValues(""))}


def _closing() -> TemplateError:
    return TemplateError("prompts are no longer rendered: Lode is closing", code="template_worker")


def _error(problem: dict[str, Any]) -> TemplateError:
    line, column = problem["line"], problem["column"]
    place = f"line {line}, column {column}: " if line and column else f"line {line}: " if line else ""
    return TemplateError(place + problem["message"], line=line, column=column, hint=problem["hint"])
