"""Servers that find no end, send next to nothing for ever, or send what unpacks to any size: each is left in time."""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import pytest

from tests.llm.asking import ASK, QUICK, Form, collect, provider_at, text_of
from tests.llm.fakes.endless import SPOKEN, THOUGHT, endless
from tests.llm.fakes.fake_ollama import FakeOllama
from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, delta, dripping_head, event_stream, sse, stream
from tests.llm.test_providers import table
from tests.server_process import LODE
from tui.config import ProviderSettings
from tui.errors import ProviderError
from tui.llm.http import answer_stream
from tui.llm.http.api_key import ApiKey
from tui.llm.http.client import Timeouts, timeouts_for
from tui.llm.protocol import Preparing

PACKED = {
    "gzip": gzip.compress(b" " * 1_000_000),
    "deflate": zlib.compress(b" " * 1_000_000),
    "br": b"\x1b" * 50_000,
    "gzip, br": b"\x1f\x8b",
    "zstd": b"\x28\xb5\x2f\xfd",
}
OBJECT = b'{"choices": [{"message": {"content": "'
MEGABYTE = 1 << 20


@pytest.mark.usefixtures("transport")
@pytest.mark.parametrize(("first", "piece"), [(b"", SPOKEN), (OBJECT, b"x" * 65536), (b"<html>", b"x" * 65536)])
async def test_an_answer_in_one_piece_is_read_only_so_far(first: bytes, piece: bytes) -> None:
    async with endless(piece, first) as server, provider_at(server.url) as provider:
        with pytest.raises(ProviderError, match="without end"):
            await provider.structured(ASK, Form)
        await server.left.wait()
        assert server.sent < 16 * MEGABYTE  # what is in the system's buffers on the way counts


@pytest.mark.usefixtures("transport")
async def test_thoughts_without_end_end_the_answer_and_what_was_said_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_stream, "MAX_STREAMED_BYTES", MEGABYTE)
    async with endless(THOUGHT, sse(delta("Hallo"), done=False)) as server, provider_at(server.url) as provider:
        events, error = await collect(provider)
        assert error is not None and error.code == "answer_without_end"
        assert "kept" in error.hint
        assert text_of(events) == "Hallo"
        await server.left.wait()


async def test_a_model_that_always_has_one_more_thought_is_left_when_its_time_is_over() -> None:
    gates = [Gate() for _ in range(200)]
    pieces = [piece for gate in gates for piece in (gate, THOUGHT)]
    timeouts = Timeouts(first_text=10, between_texts=10, answer=1)
    async with FakeModelServer() as server, provider_at(server.base_url, timeouts=timeouts) as provider:
        server.enqueue(event_stream(sse(delta("Hallo"), done=False), *pieces))
        asking = asyncio.create_task(collect(provider))
        for gate in gates:
            await asyncio.wait((asking, asyncio.create_task(gate.reached.wait())), return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                break
            asyncio.get_running_loop().call_later(0.02, gate.opened.set)
        events, error = await asking
        assert error is not None and error.code == "answer_without_end"
        assert text_of(events) == "Hallo"


# What nobody asked for


@pytest.mark.usefixtures("transport")
async def test_an_answer_that_comes_compressed_is_refused_before_it_is_unpacked() -> None:
    async with FakeModelServer() as server, provider_at(server.base_url) as provider:
        for encoding, body in PACKED.items():
            packed = Reply((body,), headers={"content-encoding": encoding})
            server.enqueue(packed, packed)
            server.models = packed
            _, error = await collect(provider)
            assert error is not None and "compressed" in error.message, encoding
            for asked in (provider.structured(ASK, Form), provider.models()):
                with pytest.raises(ProviderError, match="compressed"):
                    await asked
            server.enqueue(Reply((body,), 400, {"content-encoding": encoding}))
            _, error = await collect(provider)
            assert error is not None and error.code == "request_refused"
        assert {request.headers["accept-encoding"] for request in server.requests} == {"identity"}
        server.enqueue(Reply(stream("Hallo").pieces, headers={"content-encoding": "Identity"}))
        assert text_of((await collect(provider))[0]) == "Hallo", "identity is no compression"


# Lists of models, probes, commands


@pytest.mark.usefixtures("transport")
async def test_a_list_of_models_is_read_only_so_far() -> None:
    async with endless(b'{"id": "m"}, ' * 5000, b'{"data": [') as server, provider_at(server.url) as provider:
        with pytest.raises(ProviderError, match="no end"):
            await provider.models()
        await server.left.wait()
        assert server.sent < 16 * MEGABYTE


@pytest.mark.usefixtures("transport")
async def test_a_list_of_models_has_a_deadline_in_all() -> None:
    gates = [Gate() for _ in range(2)]
    async with FakeModelServer() as server, provider_at(server.base_url, timeouts=Timeouts(models=0.3)) as provider:
        server.models = Reply((b"{", gates[0], b" ", gates[1]))
        asking = asyncio.create_task(provider.models())
        await gates[0].reached.wait()
        gates[0].opened.set()
        with pytest.raises(ProviderError, match=r"no list of models for 0\.3 s") as late:
            await asking
        assert late.value.code == "timeout"


async def test_a_probe_of_a_server_that_drips_leaves_no_thread_behind() -> None:
    async with dripping_head() as url, provider_at(url, local=True, timeouts=QUICK) as provider:
        assert not (await provider.status()).available
        while any(thread.name == "probe" for thread in threading.enumerate()):
            await asyncio.sleep(0.01)  # a thread ends without telling the loop


async def test_a_command_that_prints_without_end_gives_no_key() -> None:
    for command in ("yes", "yes >&2"):
        with pytest.raises(ProviderError, match="printed more than 16 kB") as failed:
            await ApiKey("Work", command=command).get()
        assert failed.value.code == "key_command_failed"


# Patience


async def test_it_is_said_who_is_waited_for_also_for_the_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_stream, "_SILENT_SECONDS", 0.02)
    for local in (True, False):
        gate = Gate()
        told: list[object] = []
        async with FakeModelServer() as server, provider_at(server.base_url, local=local) as provider:
            server.enqueue(Reply((sse(delta('{"lemma": "x"}'), delta(finish="stop")),), before_head=gate))

            def tell(event: object, told: list[object] = told, gate: Gate = gate) -> None:
                told.append(event)
                gate.opened.set()

            await provider.structured(ASK, Form, on_wait=tell)
            at = f"waiting for Fake at {server.base_url.split('/')[2]}"
            assert told == [Preparing(f"{at} (loading the model?)" if local else at)]


async def test_a_setting_shortens_how_long_a_silent_server_is_waited_for() -> None:
    async with FakeModelServer(FakeOllama()) as server:
        server.enqueue(Reply(before_head=Gate()))
        providers = table(ProviderSettings("own", "ollama", server.base_url, timeout=0.2))
        _, error = await collect(providers.over_http.get("own"))
        assert error is not None and (error.code, "0.2 s" in error.message) == ("timeout", True)
        await providers.over_http.close()


def test_patience_is_what_was_set_and_else_what_is_usual() -> None:
    assert (timeouts_for(local=True).first_text, timeouts_for(local=False).first_text) == (300, 120)
    for local in (True, False):
        short, long = timeouts_for(local=local, silent=20), timeouts_for(local=local, silent=900)
        assert (short.first_text, short.read, short.between_texts, short.models) == (20, 20, 20, 20)
        assert (long.first_text, long.between_texts) == (900, timeouts_for(local=local).between_texts)


# Memory


@pytest.mark.exhaustive
async def test_a_model_that_finds_no_end_costs_the_command_no_memory(home: Path) -> None:
    """Without bounds it grows by more than the 300 MB that the server sends while the focus is waited for."""
    async with FakeModelServer() as short, endless(SPOKEN) as speaks, endless(THOUGHT) as thinks:
        urls = {"short": short.base_url, "speaks": speaks.url, "thinks": thinks.url}
        rows = [f'[providers.{name}]\nbase_url = "{url}"\n' for name, url in urls.items()]
        (home / "config.toml").write_text("".join(rows), "utf-8")
        usual, *peaks = [await peak_of("breakdown", "Der Zug.", "--focus", "Zug", "--model", f"{n}:m") for n in urls]
    assert max(peaks) < usual + 40, (usual, peaks)


async def peak_of(*arguments: str) -> int:
    """The most memory that the command took, in MB."""
    measure = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", measure, LODE, *arguments, stdout=subprocess.PIPE
    )
    out, _ = await process.communicate()
    return int(json.loads(out))
