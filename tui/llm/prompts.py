"""Prompts out of templates, rendered in a worker process that is killed when a template goes too far.

The bounds hold whatever the template: one second, 512 MiB in the worker (where the system can limit it), 64 thousand
characters of result.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from tui.errors import TemplateError
from tui.llm.thinking import whole_characters

_TIME_LIMIT = 1.0
_START_LIMIT = 20.0
_GRACE = 0.1
"""Seconds a rendering may go on that nobody waits for any more; nearly every one is over long before."""
_MAX_TEMPLATE = 64 * 1024
_MAX_VALUES = 256 * 1024
_PACKAGES = Path(__file__).resolve().parents[2]
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
    known. Cancelling a call leaves the renderer as good as new.
    """

    def __init__(self, *, time_limit: float = _TIME_LIMIT) -> None:
        self._time_limit = time_limit
        self._worker: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._exchanges: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def render(self, template: str, values: PromptValues) -> str:
        """The prompt; an unknown name anywhere in the template is an error, on branches that are not taken too."""
        text, error = await self._ask("render", template, values)
        if error is not None:
            raise error
        return text

    async def render_lenient(self, template: str, values: PromptValues) -> tuple[str, TemplateError | None]:
        """What can be shown, with unknown names as ``{{ name }}``, and the first error; never raises one."""
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
        for exchange in tuple(self._exchanges):
            exchange.cancel()
        await asyncio.gather(*self._exchanges, return_exceptions=True)
        await self._kill()

    async def _ask(self, mode: _Mode, template: str, values: PromptValues) -> tuple[str, TemplateError | None]:
        if self._closed:
            raise TemplateError("prompts are no longer rendered: Lode is closing", code="template_worker")
        fields = asdict(values)
        if len(template) > _MAX_TEMPLATE or sum(map(len, fields.values())) > _MAX_VALUES:
            raise TemplateError("the template or its values are too long", hint="shorten them")
        exchange = _Exchange({"mode": mode, "template": template, "values": fields})
        # The exchange outlives a cancelled caller: one that was cut off in the middle would cost the warm worker.
        task = asyncio.create_task(self._in_turn(exchange))
        self._exchanges.add(task)
        task.add_done_callback(self._over)
        try:
            answer = await asyncio.shield(task)
        except asyncio.CancelledError:
            if exchange.begun and not self._closed:
                asyncio.get_running_loop().call_later(_GRACE, task.cancel)
            else:
                task.cancel()
            raise
        problem = answer["problem"]
        return whole_characters(answer["text"]), _error(problem) if problem else None

    def _over(self, task: asyncio.Task[Any]) -> None:
        self._exchanges.discard(task)
        if not task.cancelled():
            task.exception()  # so that one that nobody waits for is not reported as lost

    async def _in_turn(self, exchange: _Exchange) -> dict[str, Any]:
        async with self._turn:
            exchange.begun = True
            for attempt in (0, 1):
                worker = await self._started()
                try:
                    async with asyncio.timeout(self._time_limit):
                        return await _exchanged(worker, exchange.request)
                except TimeoutError:
                    await self._replace()
                    raise TemplateError(
                        f"the template takes longer than {self._time_limit:g} s", hint="look for a loop without end"
                    ) from None
                except (EOFError, ConnectionError, ValueError):
                    # It died: while it lay idle (then a new one will do), or of this very template.
                    await self._kill()
                    if attempt:
                        raise TemplateError(
                            "the template brings its worker process down",
                            hint="make it simpler",
                            code="template_worker",
                        ) from None
                except asyncio.CancelledError:
                    await self._kill()
                    raise
        raise AssertionError("two attempts end in an answer or an error")

    async def _started(self) -> asyncio.subprocess.Process:
        if self._worker is None or self._worker.returncode is not None:
            # From the folder that holds this package, so that the working directory can't slip another one in.
            self._worker = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tui.llm.prompt_worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=_PACKAGES,
            )
            try:
                async with asyncio.timeout(_START_LIMIT):
                    await _received(self._worker)
            except (EOFError, ConnectionError, ValueError, TimeoutError):
                await self._kill()
                raise TemplateError(
                    "the process that renders prompts does not start",
                    hint=f"try it by hand: {sys.executable} -m tui.llm.prompt_worker",
                    code="template_worker",
                ) from None
            except asyncio.CancelledError:
                await self._kill()
                raise
        return self._worker

    async def _replace(self) -> None:
        """Kill the worker and start the next one in the background."""
        await self._kill()
        if not self._closed:
            exchange = asyncio.create_task(self._in_turn(_Exchange(_NOTHING)))
            self._exchanges.add(exchange)
            exchange.add_done_callback(self._over)

    async def _kill(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        if worker.stdin is not None:
            worker.stdin.close()
        with suppress(ProcessLookupError):
            worker.kill()
        await asyncio.shield(worker.wait())


@dataclass(slots=True)
class _Exchange:
    request: dict[str, Any]
    begun: bool = False


_NOTHING: dict[str, Any] = {"mode": "render", "template": "", "values": asdict(PromptValues(""))}


async def _exchanged(worker: asyncio.subprocess.Process, request: dict[str, Any]) -> dict[str, Any]:
    assert worker.stdin is not None
    body = json.dumps(request).encode("ascii")
    worker.stdin.write(len(body).to_bytes(4, "big") + body)
    await worker.stdin.drain()
    return await _received(worker)


async def _received(worker: asyncio.subprocess.Process) -> dict[str, Any]:
    """One frame. Raises ``EOFError`` when the worker has ended, ``ValueError`` when it sends something else."""
    assert worker.stdout is not None
    header = await worker.stdout.readexactly(4)
    answer: dict[str, Any] = json.loads(await worker.stdout.readexactly(int.from_bytes(header, "big")))
    return answer


def _error(problem: dict[str, Any]) -> TemplateError:
    line, column = problem["line"], problem["column"]
    place = f"line {line}, column {column}: " if line and column else f"line {line}: " if line else ""
    return TemplateError(place + problem["message"], line=line, column=column, hint=problem["hint"])
