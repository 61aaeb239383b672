"""The event loop: names are looked up as ever, in threads that nothing waits for."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tui.system import event_loop

FOUND = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", 443))]


@dataclass
class SlowLookups:
    """Stands in for the system's lookups, which answer when ``answering`` is set."""

    answering: threading.Event = field(default_factory=threading.Event)
    hosts: list[str] = field(default_factory=list)
    error: OSError | None = None

    def getaddrinfo(self, host: str, *_: Any) -> list[Any]:
        self.hosts.append(host)
        self.answering.wait(30)
        if self.error is not None:
            raise self.error
        return FOUND


@pytest.fixture
def lookups(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowLookups]:
    lookups = SlowLookups()
    monkeypatch.setattr(socket, "getaddrinfo", lookups.getaddrinfo)
    yield lookups
    lookups.answering.set()


def looked_up(host: str) -> asyncio.Task[list[Any]]:
    return asyncio.create_task(asyncio.get_running_loop().getaddrinfo(host, 443))


def test_a_server_is_found_by_its_name() -> None:
    async def answered() -> bytes:
        server = await asyncio.start_server(lambda _, writer: writer.close(), "localhost", 0)
        reader, writer = await asyncio.open_connection("localhost", server.sockets[0].getsockname()[1])
        try:
            return await reader.read()
        finally:
            writer.close()
            server.close()

    assert event_loop.run(answered()) == b""


def test_the_loop_ends_while_a_name_is_looked_up(lookups: SlowLookups) -> None:
    async def left() -> None:
        lookup = looked_up("model.example")
        await asyncio.sleep(0)
        lookup.cancel()

    event_loop.run(left())
    assert not lookups.answering.is_set()


def test_work_in_other_threads_is_waited_for() -> None:
    done = threading.Event()

    def work() -> None:
        time.sleep(0.05)  # so that the loop's end comes first
        done.set()

    async def left() -> None:
        asyncio.get_running_loop().run_in_executor(None, work)

    event_loop.run(left())
    assert done.is_set()


def test_those_who_look_up_the_same_name_at_once_share_the_answer_which_is_not_remembered(lookups: SlowLookups) -> None:
    async def all_found() -> list[list[Any]]:
        waiting = [looked_up(host) for host in ("a.example", "a.example", "b.example", "a.example")]
        await asyncio.sleep(0)
        waiting.pop(0).cancel()
        lookups.answering.set()
        return [*await asyncio.gather(*waiting), await looked_up("a.example")]

    assert event_loop.run(all_found()) == [FOUND] * 4
    assert sorted(lookups.hosts) == ["a.example", "a.example", "b.example"]


def test_a_lookup_that_hangs_holds_up_no_later_one(lookups: SlowLookups, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_loop, "_SHARED_SECONDS", 0.0)

    async def found() -> list[Any]:
        hanging = looked_up("a.example")
        while len(lookups.hosts) < 1:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.001)  # its second is over
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_: FOUND)  # the network is back
        try:
            return await looked_up("a.example")
        finally:
            assert not hanging.done()
            hanging.cancel()

    assert event_loop.run(found()) == FOUND


def test_a_name_that_does_not_resolve_is_an_error_for_all_who_asked(
    lookups: SlowLookups, caplog: pytest.LogCaptureFixture
) -> None:
    lookups.error = socket.gaierror(socket.EAI_NONAME, "no such name")

    async def refused() -> list[Any]:
        waiting = [looked_up("a.example") for _ in range(3)]
        left = looked_up("b.example")
        await asyncio.sleep(0)
        left.cancel()
        lookups.answering.set()
        return [*await asyncio.gather(*waiting, return_exceptions=True)]

    outcomes = event_loop.run(refused())
    assert [type(outcome) for outcome in outcomes] == [socket.gaierror] * 3
    gc.collect()
    assert caplog.text == ""
