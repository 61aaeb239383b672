"""The event loop that Lode runs in, which no name lookup keeps from ending.

Asyncio looks names up in its pool of threads, and both ``asyncio.run`` and the interpreter wait for that pool at their
end, for as long as a DNS server does not answer: half a minute by default. Nothing depends on a lookup that nobody
waits for any more, so here it has a daemon thread. All other work in threads is waited for as ever.
"""

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import FrameType
from typing import Any, TypeVar

from tui.system import early_interrupt

T = TypeVar("T")
_STUCK_SECONDS = 0.8
"""Time for a loop to answer, on a machine that is busy."""
_PATIENCE_SECONDS = 3.0
"""Time for an end that tidies up; most take a thirtieth of that, and a second Ctrl+C ends it at once."""
_SWITCH_SECONDS = 0.0005
"""Seconds that a thread may keep the loop waiting: with the usual 5 ms the first frame waits for the thread that opens
the library, a tenth of its time, and tokens for those that use the store."""
_SHARED_SECONDS = 1.0
"""Time for which those who look up the same name share one answer; after that a lookup is tried anew."""

if sys.platform == "win32":
    _SystemLoop = asyncio.ProactorEventLoop
else:
    _SystemLoop = asyncio.SelectorEventLoop


class NameLookups(asyncio.AbstractEventLoop):
    """Mixin of a loop that looks names up in threads that nothing waits for."""

    def __init__(self) -> None:
        super().__init__()
        self._lookups: dict[tuple[Any, ...], asyncio.Future[list[Any]]] = {}

    async def getaddrinfo(
        self, host: Any, port: Any, *, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> list[Any]:
        """Look a name up as ``socket.getaddrinfo`` does; those who ask for the same at once share one thread."""
        asked = (host, port, family, type, proto, flags)
        lookup = self._lookups.get(asked)
        if lookup is None:
            lookup = in_daemon_thread(lambda: socket.getaddrinfo(*asked), name="name lookup")
            self._lookups[asked] = lookup
            lookup.add_done_callback(lambda _: self._forget(asked, lookup))
            self.call_later(_SHARED_SECONDS, self._forget, asked, lookup)
        return await asyncio.shield(lookup)

    def _forget(self, asked: tuple[Any, ...], lookup: asyncio.Future[Any]) -> None:
        if self._lookups.get(asked) is lookup:
            del self._lookups[asked]
        if lookup.done() and not lookup.cancelled():
            lookup.exception()  # so that one that nobody waits for any more is not reported as lost


class EventLoop(NameLookups, _SystemLoop):
    """The system's usual loop, but for where names are looked up."""


def run(work: Coroutine[Any, Any, T], loop: Callable[[], asyncio.AbstractEventLoop] = EventLoop) -> T:
    """Run ``work`` to its end as ``asyncio.run`` does, in an ``EventLoop`` or in the loop that is given."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        early_interrupt.hand_over()
    except KeyboardInterrupt:
        work.close()
        raise
    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(work)


async def interruptible(work: Coroutine[Any, Any, T]) -> T:
    """Await ``work``; Ctrl+C cancels it, and ends the process where that takes too long.

    Pressed again it ends the process at once.
    """
    loop = asyncio.get_running_loop()
    cancel = signal.getsignal(signal.SIGINT)  # the runner's own
    answered = threading.Event()
    ending = False

    def interrupted(number: int, frame: FrameType | None) -> None:
        nonlocal ending
        if ending:
            os._exit(128 + number)
        ending = True
        loop.call_soon_threadsafe(answered.set)
        end_soon(answered, 128 + number)
        if callable(cancel):
            cancel(number, frame)

    watches = callable(cancel) and threading.current_thread() is threading.main_thread()
    if watches:
        signal.signal(signal.SIGINT, interrupted)
    try:
        return await work
    finally:
        if watches:
            signal.signal(signal.SIGINT, cancel)


def end_soon(answered: threading.Event, exit_code: int) -> None:
    """End the process, whatever it waits for, when it has not ended by itself in good time.

    That is soon while the loop has not ``answered``: it hangs in writing to a pipe that nobody reads, say. Else there
    is time to tidy up, but not for ever: a disk that is gone holds the threads that use it. Nothing is harmed by it: a
    library outlives any kill, and what was half written is swept away by a later start.
    """

    def end() -> None:
        if answered.wait(_STUCK_SECONDS):
            threading.Event().wait(_PATIENCE_SECONDS)
        os._exit(exit_code)

    threading.Thread(target=end, name="end", daemon=True).start()


def in_daemon_thread(work: Callable[[], T], *, name: str) -> asyncio.Future[T]:
    """Run ``work`` in a thread that no end waits for; the future has what it gives or raises."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def finish(settle: Callable[[Any], None], value: object) -> None:
        if not future.done():
            settle(value)

    def run_work() -> None:
        settled: tuple[Callable[[Any], None], object]
        try:
            settled = future.set_result, work()
        except BaseException as error:  # noqa: BLE001 - it is raised where it is awaited
            settled = future.set_exception, error
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(finish, *settled)

    threading.Thread(target=run_work, name=name, daemon=True).start()
    return future
