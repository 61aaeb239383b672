"""Asking a real HTTP server from the installed command: tokens as they come, breaks, Ctrl+C, a reader that leaves."""

from __future__ import annotations

import asyncio
import json
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.llm.fakes.fake_server import FakeModelServer, Gate, answer, cut, is_stream, slow, stream
from tests.server_process import LODE

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


@pytest.fixture
async def model(home: Path) -> AsyncIterator[FakeModelServer]:
    """A server that the settings know as provider ``fake``."""
    async with FakeModelServer() as server:
        home.mkdir(exist_ok=True)
        (home / "config.toml").write_text(f'[providers.fake]\nbase_url = "{server.base_url}"\n', "utf-8")
        yield server


async def start(*args: str) -> Process:
    return await asyncio.create_subprocess_exec(LODE, *args, stdin=PIPE, stdout=PIPE, stderr=PIPE)


async def finish(process: Process, stdin: str = "") -> tuple[int | None, str, str]:
    out, err = await process.communicate(stdin.encode())
    return process.returncode, out.decode(), err.decode()


def replying(server: FakeModelServer, explanation: Any) -> None:
    """Answer the question for the focus word with ``FOCUS``, and the one for the explanation as given."""
    server.on_chat = lambda request: explanation if is_stream(request) else answer(FOCUS)


async def test_an_answer_is_asked_on_and_shown_with_what_was_asked(model: FakeModelServer) -> None:
    replying(model, stream("It is a train."))
    code, _, err = await finish(await start("breakdown", SENTENCE, "--focus", "Zug", "--model", "fake:m"))
    assert (code, err) == (0, "")
    replying(model, stream("Der Zug, ", "masculine."))
    code, out, err = await finish(await start("ask", "-"), "Which gender?\n")
    assert (code, out, err) == (0, "Der Zug, masculine.\n", "")
    code, out, _ = await finish(await start("history", "list", "--json"))
    (kept,) = json.loads(out)
    replying(model, stream("Yes."))
    code, out, _ = await finish(await start("ask", "Sure?", "--on", kept["id"][:6], "--json"))
    assert [json.loads(line)["event"] for line in out.splitlines()] == ["token", "done"]
    code, out, _ = await finish(await start("history", "show", kept["id"]))
    assert "> Which gender?\n\nDer Zug, masculine.\n\n> Sure?\n\nYes.\n" in out
    code, out, err = await finish(await start("ask", "Why?", "--on", "nowhere"))
    assert code == 1
    assert "there is no answer 'nowhere'" in err


async def test_a_breakdown_streams_focus_first_then_tokens(model: FakeModelServer) -> None:
    replying(model, stream("**Zug** is ", "a train."))
    asking = await start("breakdown", "-", "--focus", "Zug", "--model", "fake:m", "--json", "--save")
    code, out, err = await finish(asking, SENTENCE)
    assert (code, err) == (0, "")
    first, *tokens, last = map(json.loads, out.splitlines())
    assert first["event"] == "focus"
    assert first["focus"]["meanings"] == ["train"]
    assert first["focus"]["origin"] == "llm"
    assert "".join(token["text"] for token in tokens) == "**Zug** is a train."
    assert (last["state"], last["model"], last["kept"]) == ("complete", "fake:m", False)
    assert last["clip_id"]


async def test_the_same_question_is_answered_from_the_history(model: FakeModelServer) -> None:
    replying(model, stream("A train."))
    first = await finish(await start("explain", SENTENCE, "--model", "fake:m"))
    again = await finish(await start("explain", SENTENCE, "--model", "fake:m"))
    assert first == (0, "A train.\n", "")
    assert again == (0, "A train.\n", "from the history; --fresh asks anew\n")
    asked = len(model.chats)
    replying(model, stream("Another train."))
    assert (await finish(await start("explain", SENTENCE, "--model", "fake:m", "--fresh")))[1] == "Another train.\n"
    assert len(model.chats) == asked + 1


async def test_tokens_are_passed_on_while_the_model_still_writes(model: FakeModelServer) -> None:
    gate = Gate()
    replying(model, slow(["It is "], gate, ["a train."]))
    asking = await start("explain", SENTENCE, "--model", "fake:m", "--json")
    assert asking.stdout is not None
    first = json.loads(await asking.stdout.readline())
    assert first == {"event": "token", "text": "It is "}
    assert not gate.opened.is_set()
    gate.opened.set()
    code, out, _ = await finish(asking)
    assert code == 0
    assert json.loads(out.splitlines()[0])["text"] == "a train."


async def test_a_connection_that_breaks_keeps_what_came_and_fails(model: FakeModelServer) -> None:
    replying(model, cut("It is "))
    code, out, err = await finish(await start("explain", SENTENCE, "--model", "fake:m"))
    assert code == 1
    assert out.startswith("It is")
    assert err.startswith("error: ")
    assert "Traceback" not in err


async def test_ctrl_c_stops_the_request_and_the_history_has_what_came(model: FakeModelServer) -> None:
    gate = Gate()
    replying(model, slow(["It is "], gate))
    asking = await start("explain", SENTENCE, "--model", "fake:m", "--json")
    assert asking.stdout is not None
    await asking.stdout.readline()
    asking.send_signal(signal.SIGINT)
    code, _, err = await finish(asking)
    await model.chats[-1].disconnected.wait()
    assert (code, err) == (130, "")
    _, out, _ = await finish(await start("history", "list", "--json"))
    (kept,) = json.loads(out)
    assert (kept["state"], kept["text"]) == ("aborted", "It is ")


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


async def test_models_come_from_the_provider(model: FakeModelServer) -> None:
    assert await finish(await start("models", "fake")) == (0, "fake-large\nfake-small\n", "")
