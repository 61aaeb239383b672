"""Lists of providers and models: which can be used, and why the others cannot."""

from __future__ import annotations

import json
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Lode, columns
from tests.cli.test_model import finish, start
from tests.llm.fakes.fake_server import FakeModelServer, json_reply
from tui.provider_table import PROVIDERS

pytestmark = pytest.mark.exhaustive

Process = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
async def server(home: Path) -> AsyncIterator[FakeModelServer]:
    """A server that the settings know as provider ``near``, beside one that is not there."""
    async with FakeModelServer() as server:
        (home / "config.toml").write_text(
            f'[providers.near]\nbase_url = "{server.base_url}"\nlabel = "At home"\n'
            '[providers.gone]\nbase_url = "http://127.0.0.1:9/v1"\n'
            '[providers.work]\nbase_url = "https://llm.example/v1"\napi_key_env = "WORK_API_KEY"\n',
            "utf-8",
        )
        yield server


async def test_each_provider_is_listed_with_what_it_lacks(
    server: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk-0123456789")
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    code, out, err = await finish(await start("providers", "--json"))
    assert (code, err) == (0, "")
    rows = {row.pop("provider"): row for row in json.loads(out)}
    assert list(rows) == ["lexicon", *(row.name for row in PROVIDERS), "near", "gone", "work"]
    assert {name for name, row in rows.items() if row["available"]} == {"lexicon", "groq", "near"}
    assert {name for name, row in rows.items() if row["local"]} == {"lexicon", "ollama", "near", "gone"}
    assert rows["near"] == {
        "label": "At home",
        "available": True,
        "reason": "",
        "code": "",
        "hint": "",
        "local": True,
        "well_known": [],
    }
    assert rows["gone"]["reason"] == "gone does not answer at http://127.0.0.1:9/v1"
    assert rows["ollama"]["reason"] == "Ollama does not answer at http://127.0.0.1:9"
    assert rows["work"]["reason"] == "WORK_API_KEY is not set"
    assert rows["gemini"]["reason"] == "neither GEMINI_API_KEY nor GOOGLE_API_KEY is set"
    assert len(server.requests) == 1


async def test_a_program_gets_the_rows_whole(server: FakeModelServer) -> None:
    _, out, _ = await finish(await start("providers"))
    rows = {row[0]: row[1:] for row in (line.split("\t") for line in out.splitlines())}
    assert rows["near"] == ["At home", "yes", "local", ""]
    assert rows["openai"] == ["OpenAI", "no", "cloud", "OPENAI_API_KEY is not set"]


def test_a_person_gets_columns_that_fit(lode: Lode) -> None:
    title, *rows = lode("providers", terminal=True).out.splitlines()
    assert title.split() == ["provider", "usable", "where", "missing"]
    assert len(rows) == 1 + len(PROVIDERS)
    assert all(len(row) <= 80 and "…" not in row for row in rows)


def test_the_network_library_is_not_needed_to_see_who_is_there(run_python: Callable[[str], str]) -> None:
    out = run_python("import sys; from tui import cli; cli.run(['providers']); print(*sys.modules)")
    assert not {"httpx", "jinja2", "textual"} & set(out.splitlines()[-1].split())


async def test_models_are_listed_one_a_line_or_as_json(server: FakeModelServer) -> None:
    assert await finish(await start("models", "near")) == (0, "fake-large\nfake-small\n", "")
    assert await finish(await start("models", "near", "--json")) == (0, '["fake-large","fake-small"]\n', "")


async def test_a_provider_without_models_says_so_and_is_no_error(server: FakeModelServer) -> None:
    server.models = json_reply({"object": "list", "data": []})
    assert await finish(await start("models", "near")) == (0, "", "near lists no models\n")
    assert await finish(await start("models", "near", "--json")) == (0, "[]\n", "")


@pytest.mark.parametrize(
    ("provider", "said", "hint"),
    [
        ("openai", "OpenAI needs a key, and OPENAI_API_KEY is not set", "export OPENAI_API_KEY=…"),
        ("opnai", "unknown provider 'opnai'; did you mean 'openai'?", "config.toml"),
    ],
)
def test_what_stands_against_a_list_is_said(lode: Lode, provider: str, said: str, hint: str) -> None:
    done = lode("models", provider)
    assert (done.code, done.out) == (1, "")
    error, next_step = done.err.splitlines()
    assert error == f"error: {said}"
    assert next_step.startswith("hint: ") and hint in next_step


def test_the_lexicon_has_one_model(lode: Lode) -> None:
    assert columns(lode("models", "lexicon")) == [["concordance"]]
