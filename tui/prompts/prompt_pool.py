"""The worker processes that render prompts: who gets one next, when one more is started, when one too many ends.

One is started for whoever finds none at all. While there is work, it is looked twenty times a second whether two of
them are free or will soon be, for nearly no rendering takes so long; where they are not, one more is started. So
whoever comes after an endless template finds a warm one, and a burst of short renderings starts no more than one.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, deque
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, NamedTuple

from tui.errors import TemplateError
from tui.prompts.prompt_process import PromptProcess

_START_LIMIT = 20.0
_LOOK_SECONDS = 0.05
"""How often it is looked whether one more is needed."""
_LONG_SECONDS = 0.1
"""A worker that has rendered for so long may go on for long."""
_ENOUGH = 2
"""Workers that are free or will soon be: one for who tries a template out, one for the proven."""
_IDLE_LIMIT = 60.0
"""Seconds after which a worker that nobody needed ends; the last one stays."""


class _Claim(NamedTuple):
    owner: str
    is_proven: bool


@dataclass(frozen=True, slots=True)
class _Loan:
    claim: _Claim
    since: float


class PromptPool:
    """At most ``workers`` processes, each lent to one rendering at a time.

    Proven templates, which were rendered before and soon done, come first. The others leave a quarter of the workers
    to them, and one that is warm: so nobody waits for an answer behind templates that are being tried out, whosever
    they are. Among the proven ones and among the others, one owner holds at most half of the workers at once (but one
    always), and who holds fewest comes first. Whoever gives a dead one back does not wait for its end, but ``close``
    does.
    """

    def __init__(self, workers: int = 1, *, idle_limit: float = _IDLE_LIMIT) -> None:
        self._most = max(1, workers)
        self._share = max(1, workers // 2)
        self._most_tried = max(1, workers - max(1, workers // 4))
        self._idle_limit = idle_limit
        self._idle: dict[PromptProcess, asyncio.TimerHandle | None] = {}
        """In the order in which they were given back; the last is lent first, so that the others can end."""
        self._lent: dict[PromptProcess, _Loan] = {}
        self._starting: set[PromptProcess] = set()
        self._ending: set[PromptProcess] = set()
        self._waiting: dict[_Claim, deque[asyncio.Future[PromptProcess]]] = {}
        """Who waits; who was served last stands last."""
        self._next_look: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def processes(self) -> tuple[PromptProcess, ...]:
        """All that there are: idle, lent, starting, and killed ones that the system has not collected yet."""
        return (*self._idle, *self._lent, *self._starting, *self._ending)

    async def lend(self, owner: str = "", *, is_proven: bool = False) -> PromptProcess:
        """A process that is ready, to be given back. Can be cancelled at any moment.

        Raises ``TemplateError`` when the pool is closed, or when there is no process and none can be started.
        """
        if self._closed:
            raise _closing()
        turn: asyncio.Future[PromptProcess] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(_Claim(owner, is_proven), deque()).append(turn)
        self._settle()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self.give_back(turn.result())
            raise

    def give_back(self, process: PromptProcess) -> None:
        """Let the next one have it; one that was killed or lost is replaced where it was the only one."""
        if self._lent.pop(process, None) is None:
            return  # the pool was closed meanwhile
        self._rest(process)
        self._settle(keep_one=True)

    async def close(self) -> None:
        """Kill all processes, refuse all who wait, and return when the system has collected the processes."""
        self._closed = True
        self._watch()
        for queue in self._waiting.values():
            for turn in queue:
                if not turn.done():
                    turn.set_exception(_closing())
        self._waiting.clear()
        for process in (*self._idle, *self._lent):
            self._end(process)
        for process in self._starting:
            _kill(process)
        while left := [task for task in self._tasks if not task.done()]:
            await asyncio.wait(left)

    def _settle(self, *, keep_one: bool = False) -> None:
        """Lend what is idle to who waits, and have started what is missing; one at least if there is to be one."""
        if not all(process.is_usable for process in self._idle):
            self._end_the_dead()
        while self._idle and self._waiting and (claim := self._next_claim()) is not None:
            queue = self._waiting.pop(claim)
            turn = queue.popleft()
            if queue:
                self._waiting[claim] = queue
            process, timer = self._idle.popitem()
            if timer is not None:
                timer.cancel()
            self._lent[process] = _Loan(claim, asyncio.get_running_loop().time())
            turn.set_result(process)
        if (self._waiting or keep_one) and not (self._idle or self._lent or self._starting):
            self._start()
        self._watch()

    def _end_the_dead(self) -> None:
        for process in [process for process in self._idle if not process.is_usable]:
            self._end(process)

    def _next_claim(self) -> _Claim | None:
        """Of those who wait and may have one: a proven template, who holds fewest, who was served longest ago."""
        for claim, queue in [*self._waiting.items()]:
            while queue and queue[0].done():  # cancelled
                queue.popleft()
            if not queue:
                del self._waiting[claim]
        held = Counter(loan.claim for loan in self._lent.values())
        tried = sum(count for claim, count in held.items() if not claim.is_proven)
        may_try = not tried or (tried < self._most_tried and len(self._idle) > 1)
        may = [claim for claim in self._waiting if held[claim] < self._share and (claim.is_proven or may_try)]
        return min(may, key=lambda claim: (not claim.is_proven, held[claim]), default=None)

    def _watch(self) -> None:
        """Look whether there are enough, for as long as there is work."""
        if not self._lent or self._closed or self._most == 1:
            if self._next_look is not None:
                self._next_look.cancel()
                self._next_look = None
        elif self._next_look is None:
            self._next_look = asyncio.get_running_loop().call_later(_LOOK_SECONDS, self._look)

    def _look(self) -> None:
        self._next_look = None
        long_ago = asyncio.get_running_loop().time() - _LONG_SECONDS
        soon_free = sum(loan.since > long_ago for loan in self._lent.values())
        if not self._starting and len(self._idle) + soon_free < _ENOUGH:
            self._start()
        self._watch()

    def _start(self, attempts: int = 2) -> None:
        if self._closed or len(self.processes) >= self._most:
            return
        process = PromptProcess()
        self._starting.add(process)
        self._begin(self._started(process, attempts - 1))

    async def _started(self, process: PromptProcess, attempts: int) -> None:
        try:
            await process.start(_START_LIMIT)
        except (EOFError, OSError, TimeoutError, RuntimeError) as error:  # the last: no thread to watch it in
            await process.ended()
            self._starting.discard(process)
            if self._idle or self._lent or self._starting:
                pass  # those who wait are served by the others
            elif isinstance(error, EOFError) and attempts:
                self._start(attempts)  # something may have killed it
            else:
                self._refuse_all()
        else:
            self._starting.discard(process)
            self._rest(process)
        self._settle()

    def _refuse_all(self) -> None:
        for queue in self._waiting.values():
            for turn in queue:
                if not turn.done():
                    turn.set_exception(_not_starting())
        self._waiting.clear()

    def _rest(self, process: PromptProcess) -> None:
        if not process.is_usable or self._closed:
            self._end(process)
            return
        self._idle[process] = self._retiring(process)

    def _retiring(self, process: PromptProcess) -> asyncio.TimerHandle | None:
        if self._most == 1:
            return None
        return asyncio.get_running_loop().call_later(self._idle_limit, self._retire, process)

    def _retire(self, process: PromptProcess) -> None:
        if process not in self._idle:
            return
        if self._lent or self._waiting or len(self._idle) + len(self._starting) == 1:
            self._idle[process] = self._retiring(process)
        else:
            self._end(process)

    def _end(self, process: PromptProcess) -> None:
        timer = self._idle.pop(process, None)
        if timer is not None:
            timer.cancel()
        self._lent.pop(process, None)
        self._ending.add(process)
        _kill(process)
        self._begin(self._ended(process))

    async def _ended(self, process: PromptProcess) -> None:
        await process.ended()
        self._ending.discard(process)
        self._settle(keep_one=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _kill(process: PromptProcess) -> None:
    if process.is_usable:  # what has died by itself is about to be collected, see there
        process.kill()


def _closing() -> TemplateError:
    return TemplateError("prompts are no longer rendered: Lode is closing", code="template_worker")


def _not_starting() -> TemplateError:
    return TemplateError(
        "the process that renders prompts does not start",
        hint=f"try it by hand: {sys.executable} -m tui.prompts.prompt_worker",
        code="template_worker",
    )
