"""Whether a server near by is there: asked quickly, whatever becomes of names, packets and answers."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.llm.asking import KEY
from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, html, status
from tests.llm.test_providers import table
from tests.server_process import free_port
from tui.config import ProviderSettings
from tui.llm.http import client
from tui.llm.http.provider import NoResponse, ProbeResponse, probe

A_SECOND = 1.0
MANY = 20


@pytest.fixture
def swallowing() -> Iterator[str]:
    """The address of a port of this machine that takes no more connections and says nothing about it."""
    with ExitStack() as stack:
        full = stack.enter_context(socket.socket())
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        yield f"http://127.0.0.1:{full.getsockname()[1]}/v1"


@pytest.fixture
def endless_lookups(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A name server that never answers."""
    over = threading.Event()

    def never(*_: object, **__: object) -> None:
        over.wait()
        raise socket.gaierror(socket.EAI_AGAIN, "no name server")

    with monkeypatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", never)
        yield
        over.set()


async def reasons_of(*urls: str) -> list[str]:
    """The reasons why each of these servers cannot be used."""
    providers = table(*(ProviderSettings(f"own{number}", "openai", url) for number, url in enumerate(urls)))
    found = await providers.statuses()
    await providers.over_http.close()
    return [each.reason for each in found if each.provider.startswith("own")]


async def test_servers_that_swallow_what_is_sent_are_given_a_second(swallowing: str) -> None:
    assert await reasons_of(swallowing, swallowing) == [
        f"own{number} does not answer at {swallowing} within a second" for number in range(2)
    ]


async def test_twenty_names_are_looked_up_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[object] = set()
    all_asked = threading.Event()

    def together(host: object, *_: object, **__: object) -> None:
        asked.add(host)
        if len(asked) >= MANY:
            all_asked.set()
        all_asked.wait()
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", together)
    monkeypatch.setattr(
        client, "LOCAL", replace(client.LOCAL, status=3600.0)
    )  # one after the other, the first would wait for ever
    reasons = await reasons_of(*(f"http://gpu{number}:8000/v1" for number in range(MANY)))
    assert reasons[3] == "own3 does not answer at http://gpu3:8000/v1 since the name gpu3 does not resolve"


@pytest.mark.usefixtures("endless_lookups")
async def test_a_name_that_is_looked_up_without_end_is_given_a_second() -> None:
    assert await reasons_of("http://gpu:8000/v1") == ["own0 does not answer at http://gpu:8000/v1 within a second"]


def test_nobody_who_ends_waits_for_a_name(run_python: Callable[[str], str]) -> None:
    run_python(
        "import asyncio, socket, threading\n"
        "from tui.llm.http.provider import probe\n"
        "socket.getaddrinfo = lambda *a, **k: threading.Event().wait()\n"
        "asyncio.run(probe('http://gpu:8000/', {}, seconds=0.1))\n"
    )


async def test_a_server_that_says_nothing_or_no_http_is_not_there() -> None:
    async with FakeModelServer() as server:
        server.models = Reply(before_head=Gate())
        assert await probe(f"{server.base_url}/models", {}, seconds=0.1) == NoResponse("within a second")
    assert await probe(f"http://127.0.0.1:{free_port()}/", {}, seconds=A_SECOND) == NoResponse("")


async def test_a_server_that_speaks_no_http_is_told_from_one_that_is_not_there() -> None:
    def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        assert await probe(f"http://127.0.0.1:{port}/v1/models", {}, seconds=A_SECOND) == NoResponse("in HTTP")


async def test_the_key_goes_along_and_an_error_is_read() -> None:
    async with FakeModelServer() as server:
        server.models = status(401, {"error": "who are you?"})
        came = await probe(f"{server.base_url}/models?limit=1", {"Authorization": f"Bearer {KEY}"}, seconds=A_SECOND)
        assert isinstance(came, ProbeResponse)
        assert (came.status, came.headers["content-type"]) == (401, "application/json")
        assert b"who are you?" in came.body
        assert server.requests[0].path == "/v1/models?limit=1"
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        before_at = server.base_url.replace("//", "//me:hunter2@")
        await probe(f"{before_at}/models", {}, seconds=A_SECOND)
        assert server.requests[1].headers["authorization"] == "Basic bWU6aHVudGVyMg=="


async def test_a_status_is_what_is_missing_in_words() -> None:
    async with FakeModelServer() as server:
        for reply, said in (
            (status(401), "wants a key (401)"),
            (html("", 301), "sends us elsewhere (301)"),
            (status(500, {"error": "no engine"}), "is overloaded or broken (500): no engine"),
            (status(404), ""),
        ):
            server.models = reply
            (reason,) = await reasons_of(server.base_url)
            assert said in reason if said else not reason


async def test_a_command_for_the_key_is_not_run_to_see_whether_its_server_is_there(tmp_path: Path) -> None:
    async with FakeModelServer() as server:
        server.models = status(401)
        ran = tmp_path / "ran"
        providers = table(
            ProviderSettings("work", "openai", server.base_url, api_key_command=f"touch '{ran}'; echo {KEY}")
        )
        assert (await providers.get("work").status()).available
        assert "authorization" not in server.requests[0].headers
        assert not ran.exists()
        await providers.over_http.close()


async def test_a_key_that_can_be_none_is_said_in_the_list() -> None:
    providers = table(environ={"OPENAI_API_KEY": '"quoted" and spaced'})
    found = await providers.get("openai").status()
    assert (found.available, found.reason) == (False, "the key in OPENAI_API_KEY holds characters that no key has")


async def test_a_server_in_the_own_network_is_probed_and_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on this machine; the name stands for one in the network."""
    async with FakeModelServer() as server:
        real = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", lambda host, *more, **most: real("127.0.0.1", *more, **most))
        near = server.base_url.replace("127.0.0.1", "gpu-box")
        providers = table(environ={"OPENAI_BASE_URL": near})
        found = await providers.get("openai").status()
        assert (found.available, found.local, found.reason) == (True, True, "")
        assert await providers.get("openai").models() == ("fake-large", "fake-small")
        await providers.over_http.close()
