"""A key goes to its provider and nowhere else: not to the disk, a message, an output, a log, a repr or a crash.

The server gives the key back wherever a server can: in bodies of errors and pages, in headers and addresses, in the
middle of a stream. Everything that Lode says and keeps is then looked through for it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, quote_plus

import httpx
import pytest

from tests.llm.fakes.fake_server import (
    Cut,
    FakeModelServer,
    Reply,
    Request,
    answer,
    delta,
    error_mid_stream,
    event_stream,
    html,
    is_stream,
    json_reply,
    sse,
    status,
    stream,
)
from tests.server_process import LODE
from tui.config import ProviderSettings, Settings
from tui.errors import LodeError
from tui.events import Failed
from tui.llm.http.decoder import AnswerDecoder
from tui.records.pages import to_json
from tui.service.doctor.checks import examine
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest, ExplainRequest

pytestmark = pytest.mark.exhaustive

KEY = "sk-proj-Zq8x/4Fv+T1mLw9cB7eYdR3uKjHn6aPs5="
FORMS = (
    KEY,
    KEY[:16],
    KEY[10:],
    quote(KEY, safe=""),
    quote_plus(KEY)[:30],
    json.dumps(KEY).replace("/", "\\/"),
    base64.b64encode(KEY.encode()).decode(),
    KEY[::-1],
)
"""The key as it could stand in a text: whole, in part, and encoded."""
SENTENCE = "Der Zug fährt heute pünktlich ab."
ECHO = f"Incorrect API key provided: {KEY}. Authorization: Bearer {KEY}, see https://x.example/?key={quote(KEY)}"
IN_HEADERS = {
    "www-authenticate": f'Bearer error="{KEY}"',
    "x-request-key": KEY,
    "set-cookie": f"key={KEY}",
    "location": f"https://elsewhere.example/v1?api_key={KEY}",
}
REPLIES: dict[str, Callable[[], Reply]] = {
    "well": lambda: stream("A ", "train."),
    "bad key": lambda: status(401, {"error": {"message": ECHO, "code": "invalid_api_key"}}, IN_HEADERS),
    "forbidden, a list": lambda: status(403, [{"detail": ECHO}], IN_HEADERS),
    "no credit": lambda: status(402, {"error": ECHO}, IN_HEADERS),
    "no such model": lambda: status(404, {"detail": [{"msg": ECHO, "loc": ["header", KEY]}]}, IN_HEADERS),
    "bad parameter": lambda: status(400, {"error": {"message": ECHO, "param": KEY}}, IN_HEADERS),
    "rate limit": lambda: status(429, {"message": ECHO}, {**IN_HEADERS, "retry-after": "3600"}),
    "broken": lambda: status(500, {"error": ECHO}, IN_HEADERS),
    "elsewhere": lambda: status(302, {"error": ECHO}, IN_HEADERS),
    "page": lambda: html(f"Error for {KEY}"),
    "page, refused": lambda: html(f"Error for {KEY}", 502),
    "text": lambda: Reply((ECHO.encode(),), 418, {"content-type": "text/plain", **IN_HEADERS}),
    "no JSON": lambda: Reply((ECHO.encode(),), 200, {"content-type": "application/json", **IN_HEADERS}),
    "error as answer": lambda: json_reply({"error": {"message": ECHO}}, 200, IN_HEADERS),
    "error mid-stream": lambda: error_mid_stream("It is ", error={"message": ECHO}),
    "text mid-stream": lambda: error_mid_stream("It is ", error=ECHO),
    "bad chunk": lambda: event_stream(sse(delta("It is "), done=False), f"data: {{{ECHO}\n\n".encode()),
    "cut": lambda: event_stream(sse(delta("It is "), done=False), f"data: {ECHO}".encode(), Cut()),
}


def always(make: Callable[[], Reply]) -> Callable[[Request], Reply]:
    return lambda request: make()


Providers = tuple[ProviderSettings, ...]


def assert_clean(where: str, text: str | bytes) -> None:
    for form in FORMS:
        found = form.encode() in text if isinstance(text, bytes) else form in text
        assert not found, f"the key stands in {where}"


def assert_clean_directory(directory: Path) -> None:
    found = [path for path in directory.rglob("*") if path.is_file() and "lemmas" not in path.parts]
    for path in found:
        if path.name != "config.toml":
            assert_clean(str(path), path.read_bytes())
    assert directory / "lode.db" in found


@pytest.fixture
def providers(server: FakeModelServer, tmp_path: Path) -> Providers:
    """``work`` gets its key from the environment, ``own`` from a command."""
    path = tmp_path / "key.txt"
    path.write_text(KEY + "\n", "ascii")
    return (
        ProviderSettings("work", "openai", server.base_url, api_key_env="WORK_KEY"),
        ProviderSettings("own", "openai", server.base_url, api_key_command=f"cat {path}"),
    )


@asynccontextmanager
async def asking(settings: Settings, providers: Providers) -> AsyncIterator[LocalService]:
    """A service that has seen nothing yet, over the library that there is."""
    service = LocalService(replace(settings, providers=providers), environ={"WORK_KEY": KEY})
    try:
        yield service
    finally:
        await service.close()


def shown(error: BaseException) -> str:
    """All that is usually printed of an error."""
    told = [str(error), repr(error), "".join(traceback.format_exception(error))]
    if isinstance(error, LodeError):
        told += [error.message, error.hint, error.code]
    return "\n".join(told)


async def asked(service: LocalService, provider: str) -> str:
    """Ask in every way there is; gives all that came back, as text."""
    told: list[str] = []
    model = f"{provider}:fake-large"
    for events in (
        service.llm.breakdown(BreakdownRequest(SENTENCE, "Zug", model=model, fresh=True)),
        service.llm.explain(ExplainRequest(SENTENCE, model=model, fresh=True)),
    ):
        async with aclosing(events) as opened:
            async for event in opened:
                told.append(repr(event))
                if isinstance(event, Failed):
                    told.append(shown(event.error))
    try:
        told.append(repr(await service.llm.models(provider, refresh=True)))
    except LodeError as error:
        told.append(shown(error))
    told.append(repr(await service.llm.providers()))
    told.append(json.dumps(to_json((await service.history.page()).items)))
    return "\n".join(told)


async def test_whatever_the_server_gives_back_the_key_is_nowhere(
    settings: Settings,
    providers: Providers,
    server: FakeModelServer,
    home: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.INFO)
    usual = server.models
    for number, (fault, reply) in enumerate(REPLIES.items()):
        server.on_chat = always(reply)
        is_stream_alone = fault in ("well", "error mid-stream", "text mid-stream", "bad chunk")
        server.models = usual if is_stream_alone else reply()
        server.requests.clear()
        provider = providers[number % 2]
        async with asking(settings, (provider,)) as service:
            told = await asked(service, provider.name)
            assert server.chats, "the provider was asked"
            assert all(request.headers["authorization"] == f"Bearer {KEY}" for request in server.chats), "with the key"
            assert_clean(f"what came back, {fault}", told)
            assert_clean(f"the log, {fault}", caplog.text)
            if number % 4 == 0:
                assert_clean_directory(home)  # the write-ahead log included: the library is open
    assert_clean("the streams", "".join(capfd.readouterr()))
    assert_clean_directory(home)


async def test_nothing_that_holds_the_key_shows_it(
    settings: Settings, providers: Providers, server: FakeModelServer
) -> None:
    async with asking(settings, providers) as service:
        for provider in providers:
            await asked(service, provider.name)
            seen: set[int] = set()
            look_into(service, service, seen)
            look_into(service.llm.known_providers.get(provider.name), service, seen)
            assert len(seen) > 8


def look_into(thing: object, service: LocalService, seen: set[int], depth: int = 0) -> None:
    if id(thing) in seen or depth > 6:
        return
    seen.add(id(thing))
    if thing is not service.llm._engine.environ:
        assert_clean(f"a {type(thing).__name__}", repr(thing))
    names = [*getattr(thing, "__dict__", {}), *getattr(type(thing), "__slots__", ())]
    for name in names:
        value = getattr(thing, name, None)
        if type(value).__module__.startswith(("tui.", "httpx")) and name not in ("_text", "environ"):
            look_into(value, service, seen, depth + 1)


@pytest.mark.parametrize(
    ("place", "name"), [(AnswerDecoder, "batches"), (httpx.AsyncClient, "send")], ids=["answer", "request"]
)
async def test_a_crash_shows_no_key(
    settings: Settings, providers: Providers, monkeypatch: pytest.MonkeyPatch, place: type, name: str
) -> None:
    """Not even where the values of all variables are printed."""

    def fall_over(*_: object, **__: object) -> None:
        raise RuntimeError("fell over")

    monkeypatch.setattr(place, name, fall_over)
    async with asking(settings, providers) as service:
        for provider in providers:
            with pytest.raises(RuntimeError, match="fell over") as caught:
                await asked(service, provider.name)
            frames = [frame for frame, _ in traceback.walk_tb(caught.value.__traceback__)]
            assert len(frames) > 5
            for frame in frames:
                if not frame.f_code.co_filename.endswith(__file__):
                    assert_clean(f"the variables of {frame.f_code.co_qualname}", repr(frame.f_locals))
            assert_clean("the crash", shown(caught.value))


def write_config(home: Path, providers: Providers) -> None:
    rows = [
        f'[providers.{each.name}]\nbase_url = "{each.base_url}"\n'
        + (
            f'api_key_env = "{each.api_key_env}"\n'
            if each.api_key_env
            else f'api_key_command = "{each.api_key_command}"\n'
        )
        for each in providers
    ]
    (home / "config.toml").write_text("".join(rows), "utf-8")


async def test_the_doctor_tells_no_key(providers: Providers, server: FakeModelServer, home: Path) -> None:
    write_config(home, providers)
    for name in ("well", "bad key", "elsewhere", "page", "no JSON", "cut"):
        server.on_chat = always(REPLIES[name])
        found = await examine(None, None, {"LODE_HOME": str(home), "WORK_KEY": KEY}, live=True, seconds=10)
        assert_clean("the doctor's report", repr(found) + json.dumps(to_json(found)))
        assert {finding.subject for finding in found} >= {"work", "own"}


async def test_commands_tell_no_key_even_in_a_crash(providers: Providers, server: FakeModelServer, home: Path) -> None:
    write_config(home, providers)
    environ = {**os.environ, "WORK_KEY": KEY, "LODE_DEBUG": "1", "OLLAMA_HOST": "127.0.0.1:9"}
    crash = (
        "import sys\nimport tui.llm.http.decoder as body\nfrom tui.cli import run\n"
        "def fall_over(*_): raise RuntimeError('fell over')\n"
        "body.AnswerDecoder.batches = fall_over\nsys.exit(run(sys.argv[1:]))"
    )
    server.on_chat = lambda request: REPLIES["error mid-stream"]() if is_stream(request) else answer({})
    commands = [
        [LODE, "explain", SENTENCE, "--model", "work:fake-large", "--fresh"],
        [LODE, "breakdown", SENTENCE, "--focus", "Zug", "--json", "--model", "own:fake-large"],
        [LODE, "providers", "--json"],
        [LODE, "models", "own"],
        [LODE, "history", "list", "--json"],
        [LODE, "doctor", "--live", "--json"],
        [sys.executable, "-c", crash, "explain", SENTENCE, "--model", "own:fake-large", "--fresh"],
    ]
    for command in commands:
        process = await asyncio.create_subprocess_exec(
            *command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        out, err = await process.communicate()
        assert out or err
        assert_clean(" ".join(command), out + err)
    assert b"Traceback" in err, "the last one crashed"
    assert b"fell over" in err
    assert_clean_directory(home)
