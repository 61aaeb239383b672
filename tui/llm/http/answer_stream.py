"""Answer stream: sends one request and decodes its answer as it comes, within its deadlines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from itertools import groupby
from typing import TypeAlias
from urllib.parse import urlsplit

from tui.errors import ProviderError
from tui.llm.http.client import MAX_STREAMED_BYTES, ProviderClient, Timeouts, chunks_of
from tui.llm.http.decoder import MAX_WHOLE_BYTES, AnswerDecoder
from tui.llm.http.errors import Endpoint
from tui.llm.protocol import ANSWER_WITHOUT_END, Preparing, StreamEvent, TextDelta
from tui.llm.wires.wire_format import ApiCall, WireFormat

EventBatch: TypeAlias = list[StreamEvent]
"""Events of one read of the network: handed on together, since each step costs as much for one as for many."""
_SILENT_SECONDS = 2.0
"""Seconds of silence after which it is said who is waited for; a local server is probably loading the model."""
_DRAIN_SECONDS = 0.1
"""Seconds that the end of a body may come after the answer's own end mark; nobody waits for it."""


class AnswerStreams:
    """Asks one server in one wire format; closing a stream closes its connection."""

    def __init__(self, wire: WireFormat, endpoint: Endpoint, http: ProviderClient, timeouts: Timeouts) -> None:
        self._wire = wire
        self._endpoint = endpoint
        self._http = http
        self._timeouts = timeouts

    async def stream(self, call: ApiCall, model: str, *, streamed: bool = True) -> AsyncGenerator[EventBatch, None]:
        """Stream the answer in batches; while the server is silent at first it is said who is waited for."""
        async with aclosing(self._answer(call, model, streamed=streamed)) as batches:
            first = asyncio.ensure_future(anext(batches, None))
            try:
                await asyncio.wait((first,), timeout=_SILENT_SECONDS)
                if not first.done():
                    yield [Preparing(self._waited_for())]
                batch = await first
            finally:
                first.cancel()
                await asyncio.gather(first, return_exceptions=True)
            if batch is not None:
                yield batch
            async for batch in batches:
                yield batch

    async def _answer(self, call: ApiCall, model: str, *, streamed: bool = True) -> AsyncGenerator[EventBatch, None]:
        """Send one request and decode its answer; deadlines run only while we wait for the server, not for the reader.

        An answer that is not to be ``streamed`` has as long in all as another one has for its first text.
        """
        decoder = AnswerDecoder(self._wire, self._endpoint)
        seconds = self._timeouts
        now = asyncio.get_running_loop().time
        left = seconds.first_text
        left_in_all = seconds.answer if streamed else seconds.first_text
        bytes_left = MAX_STREAMED_BYTES if streamed else MAX_WHOLE_BYTES

        def pause() -> float:
            return self._http.pause if decoder.any_text else 0.0

        async with AsyncExitStack() as opened:
            since = now()
            try:
                async with asyncio.timeout(left):
                    response = await opened.enter_async_context(self._http.request(call, model=model, is_timed=True))
            except TimeoutError:
                raise self._silent(begun=False) from None
            left -= now() - since
            left_in_all -= now() - since
            reader = await opened.enter_async_context(self._http.reader(chunks_of(response), pause))
            while not decoder.done:
                progress, finishing, since = decoder.progress, decoder.finishing, now()
                try:
                    chunk = await reader.next(min(left, left_in_all))
                except TimeoutError:
                    if finishing:
                        break
                    in_time = left < left_in_all or not streamed
                    raise (self._silent(begun=decoder.any_text) if in_time else self._endless()) from None
                if chunk is None:
                    break
                waited = now() - since
                left -= waited
                left_in_all -= waited
                bytes_left -= len(chunk)
                if bytes_left < 0:
                    raise self._endless()
                held = self._http.pause > 0
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

    def _waited_for(self) -> str:
        loading = " (loading the model?)" if self._endpoint.local else ""
        return f"waiting for {self._endpoint.label} at {urlsplit(self._endpoint.url).netloc}{loading}"

    def _endless(self) -> ProviderError:
        return ProviderError(
            f"{self._endpoint.label} goes on without end",
            hint="what had come is kept; ask again, or try another model",
            code=ANSWER_WITHOUT_END,
        )

    def _silent(self, *, begun: bool) -> ProviderError:
        if begun:
            return ProviderError(
                f"{self._endpoint.label} went silent in the middle of its answer ({self._timeouts.between_texts:g} s)",
                hint="what had come is kept; ask again, or try another model",
                code="timeout",
            )
        return ProviderError(
            f"{self._endpoint.label} has said nothing for {self._timeouts.first_text:g} s",
            hint="ask again, or try another model; "
            f"timeout under [providers.{self._endpoint.name}] in config.toml says how long it is waited for",
            code="timeout",
        )


def _joined(batch: EventBatch) -> EventBatch:
    """Texts that came together as one."""
    joined: EventBatch = []
    for is_text, events in groupby(batch, key=_is_text):
        if is_text:
            joined.append(TextDelta("".join(event.text for event in events if isinstance(event, TextDelta))))
        else:
            joined += events
    return joined


def _is_text(event: StreamEvent) -> bool:
    return isinstance(event, TextDelta)
