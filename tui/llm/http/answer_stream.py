"""Answer stream: sends one request and decodes its answer as it comes, within its deadlines.

Servers send a chunk per token. A deadline, a decoder's call and a few generators for each of them cost several times
what reading it does; taken together they cost next to nothing, and one that comes alone is handed on at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing, suppress
from itertools import groupby
from typing import TypeAlias
from urllib.parse import urlsplit

from tui.errors import ProviderError
from tui.llm.http.client import MAX_STREAMED_BYTES, ProviderClient, chunks_of
from tui.llm.http.decoder import MAX_WHOLE_BYTES, AnswerDecoder
from tui.llm.protocol import ANSWER_WITHOUT_END, Preparing, StreamEvent, TextDelta
from tui.llm.wires.wire_format import ApiCall

EventBatch: TypeAlias = list[StreamEvent]
"""Events of one read of the network: handed on together, since each step costs as much for one as for many."""
_WHAT_IS_KEPT = "what had come is kept; ask again, or try another model"
_SILENT_SECONDS = 2.0
"""Seconds of silence after which it is said who is waited for; a local server is probably loading the model."""
_DRAIN_SECONDS = 0.1
"""Seconds that the end of a body may come after the answer's own end mark; nobody waits for it."""
_MAX_BYTES = 32 * 1024
"""Maximum bytes read ahead: a millisecond's work. It begins with a chunk, since the first token is waited for."""
_FEW_STREAMS = 50
"""Maximum streams that are each read as their tokens come."""
_READINGS_PER_SECOND = 3000
"""Reads per second of all streams together, once they are many."""
_MAX_PAUSE = 0.15
"""Seconds that a text may wait; a reader sees words, not letters, come at that pace."""


async def stream_answer(
    http: ProviderClient, call: ApiCall, model: str, *, streamed: bool = True
) -> AsyncGenerator[EventBatch, None]:
    """Stream the answer in batches; while the server is silent at first it is said who is waited for.

    Closing the stream closes its connection.
    """
    async with aclosing(_answer(http, call, model, streamed=streamed)) as batches:
        first = asyncio.ensure_future(anext(batches, None))
        try:
            await asyncio.wait((first,), timeout=_SILENT_SECONDS)
            if not first.done():
                who = http.endpoint
                loading = " (loading the model?)" if who.local else ""
                yield [Preparing(f"waiting for {who.label} at {urlsplit(who.url).netloc}{loading}")]
            batch = await first
        finally:
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
        if batch is not None:
            yield batch
        async for batch in batches:
            yield batch


async def _answer(
    http: ProviderClient, call: ApiCall, model: str, *, streamed: bool
) -> AsyncGenerator[EventBatch, None]:
    """Send one request and decode its answer; deadlines run only while we wait for the server, not for the reader.

    An answer that is not to be ``streamed`` has as long in all as another one has for its first text.
    """
    decoder = AnswerDecoder(http.wire, http.endpoint)
    seconds = http.timeouts
    now = asyncio.get_running_loop().time
    left = seconds.first_text
    left_in_all = seconds.answer if streamed else seconds.first_text
    bytes_left = MAX_STREAMED_BYTES if streamed else MAX_WHOLE_BYTES

    def pause() -> float:
        return pause_between_reads(http.streams) if decoder.any_text else 0.0

    async with AsyncExitStack() as opened:
        since = now()
        try:
            async with asyncio.timeout(left):
                response = await opened.enter_async_context(http.request(call, model=model, is_timed=True))
        except TimeoutError:
            raise _silent(http, begun=False) from None
        left -= now() - since
        left_in_all -= now() - since
        body = chunks_of(response)
        reader: ReadAhead | PacedReader = PacedReader(body, pause) if http.is_for_many else ReadAhead(body)
        await opened.enter_async_context(reader)
        while not decoder.done:
            progress, finishing, since = decoder.progress, decoder.finishing, now()
            try:
                chunk = await reader.next(min(left, left_in_all))
            except TimeoutError:
                if finishing:
                    break
                in_time = left < left_in_all or not streamed
                raise (_silent(http, begun=decoder.any_text) if in_time else _endless(http)) from None
            if chunk is None:
                break
            waited = now() - since
            left -= waited
            left_in_all -= waited
            bytes_left -= len(chunk)
            if bytes_left < 0:
                raise _endless(http)
            held = http.streams > _FEW_STREAMS
            for batch in decoder.batches(chunk):
                yield _joined(batch) if held and len(batch) > 1 else batch
            if decoder.finishing:
                # Some servers give the reason with every piece of text.
                more = not finishing or decoder.progress != progress
                left = seconds.after_finish if more else left
            elif decoder.progress != progress:
                left = seconds.between_texts
        for batch in decoder.batches(None):
            yield batch
        if decoder.done:
            await reader.drain(_DRAIN_SECONDS)


def _endless(http: ProviderClient) -> ProviderError:
    return http.endpoint.error("goes on without end", _WHAT_IS_KEPT, ANSWER_WITHOUT_END)


def _silent(http: ProviderClient, *, begun: bool) -> ProviderError:
    endpoint, seconds = http.endpoint, http.timeouts
    if begun:
        what = f"went silent in the middle of its answer ({seconds.between_texts:g} s)"
        return endpoint.error(what, _WHAT_IS_KEPT, "timeout")
    setting = f"timeout under [providers.{endpoint.name}] in config.toml says how long it is waited for"
    hint = f"ask again, or try another model; {setting}"
    return endpoint.error(f"has said nothing for {seconds.first_text:g} s", hint, "timeout")


def _joined(batch: EventBatch) -> EventBatch:
    """Texts that came together as one."""
    joined: EventBatch = []
    for kind, events in groupby(batch, key=type):
        if kind is TextDelta:
            joined.append(TextDelta("".join(event.text for event in events if isinstance(event, TextDelta))))
        else:
            joined += events
    return joined


def pause_between_reads(streams: int) -> float:
    """Seconds that each of so many streams is left alone after it was read: the more there are, the longer.

    A token alone costs a wake-up, a reading of the network, a decoder's call and a piece sent on, which is nothing for
    a few streams and the whole processor for hundreds.
    """
    return 0.0 if streams <= _FEW_STREAMS else min(_MAX_PAUSE, streams / _READINGS_PER_SECOND)


class ReadAhead:
    """Reads the body of a response ahead of the decoder, in a task: chunks that are there come as one.

    Leaving its block closes the chunks.
    """

    def __init__(self, chunks: AsyncGenerator[bytes, None]) -> None:
        self._chunks = chunks
        self._pending = bytearray()
        self._error: Exception | None = None
        self._came = asyncio.Event()
        self._room = asyncio.Event()

    async def __aenter__(self) -> ReadAhead:
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._task.cancel()
        await asyncio.wait((self._task,))

    async def next(self, seconds: float | None = None) -> bytes | None:
        """Take the bytes that have come, at least a chunk; None at the end.

        Raises what reading raised, after the bytes before it, and ``TimeoutError`` when nothing comes for ``seconds``.
        """
        if not self._pending and not self._task.done():
            async with asyncio.timeout(seconds):
                await self._came.wait()
        self._came.clear()
        if not self._pending:
            if self._error is not None:
                raise self._error
            return None
        taken = bytes(self._pending)
        self._pending.clear()
        self._room.set()
        return taken

    async def drain(self, seconds: float) -> None:
        """Read to the end, for so long at most: a connection whose body has ended can be used again.

        Never raises: what goes wrong here costs nothing but that connection.
        """
        self._pending.clear()
        self._room.set()
        await asyncio.wait((self._task,), timeout=seconds)

    async def _read(self) -> None:
        most = 1
        try:
            async with aclosing(self._chunks) as chunks:
                async for chunk in chunks:
                    self._pending += chunk
                    self._came.set()
                    if len(self._pending) >= most:
                        most = min(most * 8, _MAX_BYTES)
                        self._room.clear()
                        await self._room.wait()
        except Exception as error:  # noqa: BLE001 - handed to whoever reads, who raises it
            self._error = error
        finally:
            self._came.set()


class PacedReader:
    """Reads as ``ReadAhead``, but when it is asked, and after each chunk leaves the stream alone for ``pause`` seconds.

    With hundreds of streams each wake-up of a task between would make tokens late.
    """

    def __init__(self, chunks: AsyncGenerator[bytes, None], pause: Callable[[], float]) -> None:
        self._chunks = chunks
        self._pause = pause
        self._waits = 0.0

    async def __aenter__(self) -> PacedReader:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._chunks.aclose()

    async def next(self, seconds: float | None = None) -> bytes | None:
        if self._waits > 0:
            await asyncio.sleep(self._waits)
        async with asyncio.timeout(seconds):
            chunk = await anext(self._chunks, None)
        self._waits = self._pause()
        return chunk

    async def drain(self, seconds: float) -> None:
        with suppress(Exception):
            async with asyncio.timeout(seconds):
                async for _ in self._chunks:
                    pass
