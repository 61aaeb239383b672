"""The measured side of ``tests.bench.provider``, a process of its own: ``… (first|tokens) URL``, JSON on stdout.

Everything is started before the clock runs: modules are imported, the database is open, and both clients have asked
the server before. What is compared takes turns, so that a machine whose speed drifts slows both.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx

from tests.bench.programs.model_server import TOKENS, TOKENS_LENGTH
from tests.llm.asking import provider_at
from tui import config
from tui.cli.output.answer_stream import follow_answer
from tui.llm.protocol import ChatRequest, Provider, StreamEnd, TextDelta
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest, ExplainRequest

FIRST_RUNS = 101
TOKEN_RUNS = 9
_SENTENCE = "Hoffentlich fährt er überhaupt noch ab"


class _Output(io.TextIOWrapper):
    """Standard output as a command has it, to the null device; ``came`` is when the first token had been written."""

    came: float | None = None
    _text = False

    def write(self, text: str, /) -> int:
        self._text = self._text or text.startswith('{"event":"token"')
        return super().write(text)

    def flush(self) -> None:
        super().flush()
        if self._text and self.came is None:
            self.came = time.perf_counter()


async def _raw(client: httpx.AsyncClient, url: str, model: str) -> tuple[float, float]:
    """The yardstick, nothing but httpx, a split at blank lines and ``json.loads``: when the first token was there, and
    when all were.
    """
    first, count, rest = None, 0, b""
    body = {"model": model, "messages": [{"role": "user", "content": "Explain."}], "stream": True}
    async with client.stream("POST", f"{url}/chat/completions", json=body) as response:
        async for chunk in response.aiter_bytes():
            *events, rest = (rest + chunk).split(b"\n\n")
            for event in events:
                if event == b"data: [DONE]":
                    continue
                value = json.loads(event[6:])
                count += 1
                if first is None and value["choices"][0]["delta"].get("content"):
                    first = time.perf_counter()
    assert first is not None and (model == "first" or count == TOKENS + 1), count
    return first, time.perf_counter()


# Time to the first token


async def first_tokens(url: str) -> dict[str, list[float]]:
    """Seconds until the first token, run by run.

    ``raw`` is httpx alone, from the request to the decoded token; ``explain`` and ``breakdown`` are what the two
    commands run with ``--json``, from the call of the service to the token's line written: template, prompt, history
    looked up and begun, (focus word,) request, decoding, output. ``raw breakdown`` is httpx with the focus word's
    request and then the explanation's.
    """
    times: dict[str, list[float]] = {"raw": [], "explain": [], "raw breakdown": [], "breakdown": []}
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "config.toml").write_text(f'[providers.bench]\nbase_url = "{url}"\n', encoding="utf-8")
        service = LocalService(config.load(Path(home)), environ={})
        async with httpx.AsyncClient() as client:
            for run in range(FIRST_RUNS + 5):
                sentence = f"{_SENTENCE} ({run})."  # one that is in the history would be answered from it
                took = {
                    "raw": await _raw_first(client, url, with_focus=False),
                    "explain": await _lode_first(service, ExplainRequest(sentence, model="bench:first")),
                    "raw breakdown": await _raw_first(client, url, with_focus=True),
                    "breakdown": await _lode_first(
                        service, BreakdownRequest(sentence, focus="fährt", model="bench:first")
                    ),
                }
                for name, seconds in took.items():
                    if run >= 5:
                        times[name].append(seconds)
        await service.close()
    return times


async def _raw_first(client: httpx.AsyncClient, url: str, *, with_focus: bool) -> float:
    started = time.perf_counter()
    if with_focus:
        answer = await client.post(f"{url}/chat/completions", json={"model": "first", "messages": []})
        json.loads(json.loads(answer.content)["choices"][0]["message"]["content"])
    first, _ = await _raw(client, url, "first")
    return first - started


async def _lode_first(service: LocalService, request: ExplainRequest | BreakdownRequest) -> float:
    with Path(os.devnull).open("wb") as null, contextlib.redirect_stdout(_Output(null)) as output:
        started = time.perf_counter()
        llm = service.llm
        events = llm.breakdown(request) if isinstance(request, BreakdownRequest) else llm.explain(request)
        well = await follow_answer(service, events, as_json=True)
    assert well and output.came is not None
    return output.came - started


# 20 000 tokens at full speed


async def all_tokens(url: str) -> dict[str, list[float]]:
    """Seconds for all tokens, run by run: ``raw`` and through the adapter, per HTTP chunk as the server cuts them."""
    times: dict[str, list[float]] = {}
    async with httpx.AsyncClient() as client, provider_at(url, local=True, key="") as provider:
        for run in range(TOKEN_RUNS + 1):
            for model in ("tokens", "blocks"):
                started = time.perf_counter()
                _, ended = await _raw(client, url, model)
                raw, ours = ended - started, await _adapter_all(provider, model)
                if run:
                    times.setdefault(f"raw {model}", []).append(raw)
                    times.setdefault(model, []).append(ours)
    return times


async def _adapter_all(provider: Provider, model: str) -> float:
    length, ended = 0, False
    started = time.perf_counter()
    async with aclosing(provider.stream(ChatRequest(model, "", "Explain."))) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                length += len(event.text)
            else:
                ended = isinstance(event, StreamEnd)
    took = time.perf_counter() - started
    assert ended and length == TOKENS_LENGTH, length
    return took


MEASUREMENTS: dict[str, Callable[[str], Coroutine[Any, Any, Any]]] = {"first": first_tokens, "tokens": all_tokens}


def main(what: str, url: str) -> None:
    print(json.dumps(asyncio.run(MEASUREMENTS[what](url))))


if __name__ == "__main__":
    main(*sys.argv[1:])
