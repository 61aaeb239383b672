"""Asking a real HTTP server: tokens as they come, a reader that leaves; lists of providers and models."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done, Lode, columns
from tests.llm.fakes.fake_server import FakeModelServer, Gate, answer, is_stream, json_reply, slow, stream
from tests.server_process import LODE
from tui.provider_table import PROVIDERS

pytestmark = pytest.mark.exhaustive

SENTENCE = "Der Zug fährt heute pünktlich ab."
FOCUS = {
    "surface": "Zug",
    "lemma": "Zug",
    "reading": None,
    "part_of_speech": "noun",
    "grammar": None,
    "meanings": ["train"],
    "level": "A1",
    "language": "de",
}
EXPLAIN = ("explain", SENTENCE, "--model", "fake:m")
Run = Callable[..., Awaitable[Done]]


@pytest.fixture
async def model(home: Path) -> AsyncIterator[FakeModelServer]:
    """A server that the settings know as provider ``fake``, beside two that cannot be used."""
    async with FakeModelServer() as server:
        (home / "config.toml").write_text(
            f'[providers.fake]\nbase_url = "{server.base_url}"\nlabel = "At home"\n'
            '[providers.gone]\nbase_url = "http://127.0.0.1:9/v1"\n'
            '[providers.work]\nbase_url = "https://llm.example/v1"\napi_key_env = "WORK_API_KEY"\n',
            "utf-8",
        )
        yield server


@pytest.fixture
def run(lode: Lode) -> Run:
    """Run the command in a thread, so that the server can answer it."""
    return partial(asyncio.to_thread, lode)


async def start(*args: str) -> Process:
    return await asyncio.create_subprocess_exec(LODE, *args, stdin=PIPE, stdout=PIPE, stderr=PIPE)


def replying(server: FakeModelServer, explanation: Any) -> None:
    """Answer the question for the focus word with ``FOCUS``, and the one for the explanation as given."""
    server.on_chat = lambda request: explanation if is_stream(request) else answer(FOCUS)


async def test_an_answer_is_asked_on_and_shown_with_what_was_asked(model: FakeModelServer, run: Run) -> None:
    replying(model, stream("It is a train."))
    assert (await run("breakdown", SENTENCE, "--focus", "Zug", "--model", "fake:m")).code == 0
    replying(model, stream("Der Zug, ", "masculine."))
    done = await run("ask", "-", stdin="Which gender?\n")
    assert (done.code, done.out, done.err) == (0, "Der Zug, masculine.\n", "")
    (kept,) = (await run("history", "list", "--json")).json()
    replying(model, stream("Yes."))
    done = await run("ask", "Sure?", "--on", kept["id"][:6], "--json")
    assert [event["event"] for event in done.events()] == ["token", "done"]
    shown = (await run("history", "show", kept["id"])).out
    assert "> Which gender?\n\nDer Zug, masculine.\n\n> Sure?\n\nYes.\n" in shown
    (await run("ask", "Why?", "--on", "nowhere")).check_refused("there is no answer 'nowhere'")


async def test_the_same_question_is_answered_from_the_history(model: FakeModelServer, run: Run) -> None:
    replying(model, stream("A train."))
    assert await run(*EXPLAIN) == Done(0, "A train.\n", "")
    assert await run(*EXPLAIN) == Done(0, "A train.\n", "from the history; --fresh asks anew\n")
    asked = len(model.chats)
    replying(model, stream("Another train."))
    assert (await run(*EXPLAIN, "--fresh")).out == "Another train.\n"
    assert len(model.chats) == asked + 1


async def test_tokens_are_passed_on_while_the_model_still_writes(model: FakeModelServer) -> None:
    gate = Gate()
    replying(model, slow(["It is "], gate, ["a train."]))
    asking = await start(*EXPLAIN, "--json")
    assert asking.stdout is not None
    assert json.loads(await asking.stdout.readline()) == {"event": "token", "text": "It is "}
    assert not gate.opened.is_set()
    gate.opened.set()
    out, _ = await asking.communicate()
    assert asking.returncode == 0
    assert json.loads(out.splitlines()[0])["text"] == "a train."


async def test_a_reader_that_leaves_stops_the_request_too(model: FakeModelServer) -> None:
    gate = Gate()
    replying(model, slow(["It is "], gate, ["a train. "] * 3))
    command = f"{LODE} explain '{SENTENCE}' --model fake:m --json | head -n 1; sleep 0"
    shell = await asyncio.create_subprocess_exec("bash", "-c", command, stdout=PIPE, stderr=PIPE)
    assert shell.stdout is not None
    assert json.loads(await shell.stdout.readline())["text"] == "It is "
    gate.opened.set()
    _, err = await shell.communicate()
    assert err == b""


async def test_providers_say_what_they_lack(model: FakeModelServer, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk-0123456789")
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    rows = {row.pop("provider"): row for row in (await run("providers", "--json")).json()}
    assert list(rows) == ["lexicon", *(row.name for row in PROVIDERS), "fake", "gone", "work"]
    assert {name for name, row in rows.items() if row["available"]} == {"lexicon", "groq", "fake"}
    assert {name for name, row in rows.items() if row["local"]} == {"lexicon", "ollama", "fake", "gone"}
    nothing = dict.fromkeys(("reason", "code", "hint"), "")
    assert rows["fake"] == {"label": "At home", "available": True, "local": True, "well_known": [], **nothing}
    assert rows["gone"]["reason"] == "gone does not answer at http://127.0.0.1:9/v1"
    assert rows["ollama"]["reason"] == "Ollama does not answer at http://127.0.0.1:9"
    assert rows["work"]["reason"] == "WORK_API_KEY is not set"
    assert rows["gemini"]["reason"] == "neither GEMINI_API_KEY nor GOOGLE_API_KEY is set"
    assert len(model.requests) == 1
    cells = {row[0]: row[1:] for row in columns(await run("providers"))}
    assert cells["fake"] == ["At home", "yes", "local", ""]
    assert cells["openai"] == ["OpenAI", "no", "cloud", "OPENAI_API_KEY is not set"]


async def test_models_are_listed_one_a_line_or_as_json_and_none_is_no_error(model: FakeModelServer, run: Run) -> None:
    assert await run("models", "fake") == Done(0, "fake-large\nfake-small\n", "")
    assert await run("models", "fake", "--json") == Done(0, '["fake-large","fake-small"]\n', "")
    model.models = json_reply({"object": "list", "data": []})
    assert await run("models", "fake") == Done(0, "", "fake lists no models\n")
    assert await run("models", "fake", "--json") == Done(0, "[]\n", "")
