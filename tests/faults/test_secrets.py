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
from contextlib import aclosing
from dataclasses import replace
from io import StringIO
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from rich.console import Console
from rich.traceback import Traceback

from tests.llm.fakes.fake_server import (
    Cut,
    FakeModelServer,
    Reply,
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
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "key.txt"
    path.write_text(KEY + "\n", "ascii")
    return path


@pytest.fixture(params=["env", "command"])
def provider(request: pytest.FixtureRequest, server: FakeModelServer, key_file: Path) -> ProviderSettings:
    """The provider ``work``, which gets its key in either way."""
    if request.param == "env":
        return ProviderSettings("work", "openai", server.base_url, api_key_env="WORK_KEY", label="Work")
    return ProviderSettings("work", "openai", server.base_url, api_key_command=f"cat {key_file}", label="Work")


@pytest.fixture
async def asking(settings: Settings, provider: ProviderSettings) -> AsyncIterator[LocalService]:
    environ = {"WORK_KEY": KEY} if provider.api_key_env else {}
    service = LocalService(replace(settings, providers=(provider,)), environ=environ)
    yield service
    await service.close()


def shown(error: BaseException) -> str:
    """All that is usually printed of an error."""
    told = [str(error), repr(error), "".join(traceback.format_exception(error))]
    if isinstance(error, LodeError):
        told += [error.message, error.hint, error.code]
    return "\n".join(told)


async def asked(service: LocalService) -> str:
    """Ask in every way there is; gives all that came back, as text."""
    told: list[str] = []
    breakdown = BreakdownRequest(SENTENCE, "Zug", model="work:fake-large")
    for events in (
        service.llm.breakdown(breakdown),
        service.llm.explain(ExplainRequest(SENTENCE, model="work:fake-large")),
    ):
        async with aclosing(events) as opened:
            async for event in opened:
                told.append(repr(event))
                if isinstance(event, Failed):
                    told.append(shown(event.error))
    try:
        told.append(repr(await service.llm.models("work", refresh=True)))
    except LodeError as error:
        told.append(shown(error))
    told.append(repr(await service.llm.providers()))
    told.append(json.dumps(to_json((await service.history.page()).items)))
    return "\n".join(told)


@pytest.mark.parametrize("fault", REPLIES)
async def test_whatever_the_server_gives_back_the_key_is_nowhere(
    asking: LocalService,
    server: FakeModelServer,
    home: Path,
    fault: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.INFO)
    server.on_chat = lambda request: REPLIES[fault]()
    if fault not in ("well", "error mid-stream", "text mid-stream", "bad chunk"):
        server.models = REPLIES[fault]()
    told = await asked(asking)
    assert server.chats, "the provider was asked"
    assert all(request.headers["authorization"] == f"Bearer {KEY}" for request in server.chats), "with the key"
    assert_clean("what came back", told)
    assert_clean("the log", caplog.text)
    assert_clean("the streams", "".join(capfd.readouterr()))
    assert_clean_directory(home)  # the write-ahead log included: the library is open
    await asking.close()
    assert_clean_directory(home)


async def test_nothing_that_holds_the_key_shows_it(asking: LocalService, server: FakeModelServer) -> None:
    await asked(asking)
    seen: set[int] = set()

    def look_into(thing: object, depth: int = 0) -> None:
        if id(thing) in seen or depth > 6:
            return
        seen.add(id(thing))
        if thing is not asking.llm._engine.environ:
            assert_clean(f"a {type(thing).__name__}", repr(thing))
        names = [*getattr(thing, "__dict__", {}), *getattr(type(thing), "__slots__", ())]
        for name in names:
            value = getattr(thing, name, None)
            if type(value).__module__.startswith(("tui.", "httpx")) and name not in ("_text", "environ"):
                look_into(value, depth + 1)

    look_into(asking)
    look_into(asking.llm._known_providers().get("work"))
    assert len(seen) > 8


def crashed(error: BaseException) -> str:
    """What Textual prints of an error that nothing caught: the traceback with the values of all variables."""
    out = StringIO()
    console = Console(file=out, width=400, force_terminal=False)
    console.print(Traceback.from_exception(type(error), error, error.__traceback__, show_locals=True))
    return out.getvalue()


@pytest.mark.parametrize("provider", ["command"], indirect=True)  # printing all variables takes ten seconds
async def test_a_crash_while_an_answer_comes_shows_no_key(
    asking: LocalService, server: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tui.llm.http.decoder import AnswerDecoder

    def fall_over(self: object, chunk: bytes | None) -> list[object]:
        raise RuntimeError("the decoder fell over")

    monkeypatch.setattr(AnswerDecoder, "batches", fall_over)
    with pytest.raises(RuntimeError, match="fell over") as caught:
        await asked(asking)
    text = crashed(caught.value)
    assert "fell over" in text
    assert "response" in text, "the variables are shown"
    assert_clean("the crash", text)


@pytest.mark.parametrize("provider", ["env"], indirect=True)
async def test_a_crash_while_a_request_is_sent_shows_no_key(
    asking: LocalService, server: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx

    async def fall_over(self: httpx.AsyncClient, request: httpx.Request, **options: object) -> None:
        raise RuntimeError("the client fell over")

    monkeypatch.setattr(httpx.AsyncClient, "send", fall_over)
    with pytest.raises(RuntimeError, match="fell over") as caught:
        await asked(asking)
    assert_clean("the crash", crashed(caught.value))


async def test_the_doctor_tells_no_key(provider: ProviderSettings, server: FakeModelServer, home: Path) -> None:
    how = f'api_key_env = "{provider.api_key_env}"'
    if provider.api_key_command:
        how = f'api_key_command = "{provider.api_key_command}"'
    (home / "config.toml").write_text(f'[providers.work]\nbase_url = "{server.base_url}"\n{how}\n', "utf-8")
    for make in REPLIES.values():
        server.on_chat = lambda request: make()
        found = await examine(None, None, {"LODE_HOME": str(home), "WORK_KEY": KEY}, live=True, seconds=10)
        assert_clean("the doctor's report", repr(found) + json.dumps(to_json(found)))
        assert any(finding.subject == "work" for finding in found)


async def test_the_command_tells_no_key_not_even_when_it_crashes(
    provider: ProviderSettings, server: FakeModelServer, home: Path
) -> None:
    how = f'api_key_env = "{provider.api_key_env}"'
    if provider.api_key_command:
        how = f'api_key_command = "{provider.api_key_command}"'
    (home / "config.toml").write_text(f'[providers.work]\nbase_url = "{server.base_url}"\n{how}\n', "utf-8")
    environ = {**os.environ, "WORK_KEY": KEY, "LODE_DEBUG": "1", "OLLAMA_HOST": "127.0.0.1:9"}
    crash = (
        "import sys\nimport tui.llm.http.decoder as body\nfrom tui.cli import run\n"
        "def fall_over(*_): raise RuntimeError('fell over')\n"
        "body.AnswerDecoder.batches = fall_over\nsys.exit(run(sys.argv[1:]))"
    )
    model = ("--model", "work:fake-large", "--fresh")
    server.on_chat = lambda request: REPLIES["error mid-stream"]() if is_stream(request) else answer({})
    commands = [
        [LODE, "explain", SENTENCE, *model],
        [LODE, "breakdown", SENTENCE, "--focus", "Zug", "--json", *model],
        [LODE, "providers", "--json"],
        [LODE, "models", "work"],
        [LODE, "history", "list", "--json"],
        [LODE, "doctor", "--live", "--json"],
        [sys.executable, "-c", crash, "explain", SENTENCE, *model],
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
