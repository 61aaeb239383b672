"""Bodies read ahead of their decoder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from tui.llm.http.answer_stream import PacedReader, ReadAhead


class Body:
    """Chunks that are there at once; then it waits for ``go_on``, and ends or raises ``error``."""

    def __init__(self, *chunks: bytes, error: Exception | None = None) -> None:
        self.go_on = asyncio.Event()
        self.closing = asyncio.Event()
        self.closed = False
        self.handed = 0
        self._chunks = chunks
        self._error = error

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        try:
            for chunk in self._chunks:
                self.handed += 1
                yield chunk
            await self.go_on.wait()
            if self._error is not None:
                raise self._error
        finally:
            self.closing.set()
            await asyncio.sleep(0)  # as a socket does
            await asyncio.sleep(0)
            self.closed = True


async def all_of(ahead: ReadAhead | PacedReader) -> list[bytes]:
    taken: list[bytes] = []
    while (chunk := await ahead.next()) is not None:
        taken.append(chunk)
    return taken


async def test_chunks_that_are_there_come_together_the_first_one_alone() -> None:
    pieces = [b"%d;" % number for number in range(1000)]
    body = Body(*pieces)
    body.go_on.set()
    async with ReadAhead(body.chunks()) as ahead:
        taken = await all_of(ahead)
    assert b"".join(taken) == b"".join(pieces)
    assert taken[0] == pieces[0]
    assert len(taken) < 100


async def test_a_chunk_that_comes_alone_is_handed_on_at_once() -> None:
    body = Body(b"a")
    async with ReadAhead(body.chunks()) as ahead:
        assert await ahead.next() == b"a"
        body.go_on.set()
        assert await ahead.next() is None
        assert await ahead.next() is None


async def test_what_came_before_an_error_comes_before_it() -> None:
    body = Body(b"a", b"b", error=OSError("gone"))
    body.go_on.set()
    taken = b""
    async with ReadAhead(body.chunks()) as ahead:
        with pytest.raises(OSError, match="gone"):
            while chunk := await ahead.next():
                taken += chunk
    assert taken == b"ab"


async def test_a_slow_reader_holds_the_server_back() -> None:
    body = Body(*[b"x" * 8192] * 1000)
    async with ReadAhead(body.chunks()) as ahead:
        for _ in range(20):
            await ahead.next()
        for _ in range(50):
            await asyncio.sleep(0)
        assert body.handed < 200


async def test_at_a_pace_nothing_is_read_before_its_time() -> None:
    body = Body(b"a", b"b", b"c")
    pauses = iter((0.0, 0.05, 0.05))
    now = asyncio.get_running_loop().time
    async with PacedReader(body.chunks(), lambda: next(pauses)) as ahead:
        began = now()
        assert (await ahead.next() or b"") + (await ahead.next() or b"") == b"ab"
        assert await ahead.next() == b"c"
        assert now() - began >= 0.045


async def test_who_is_cancelled_twice_still_leaves_a_closed_body_behind() -> None:
    body = Body()

    async def read() -> None:
        async with ReadAhead(body.chunks()) as ahead:
            await ahead.next()

    reading = asyncio.create_task(read())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    reading.cancel()
    await body.closing.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    while not body.closed:
        await asyncio.sleep(0)


async def test_draining_neither_waits_for_ever_nor_raises() -> None:
    silent, broken = Body(b"a"), Body(b"a", error=OSError("gone"))
    broken.go_on.set()
    for body in (silent, broken):
        async with ReadAhead(body.chunks()) as ahead:
            assert await ahead.next() == b"a"
            await ahead.drain(0.01)
        assert body.closed
