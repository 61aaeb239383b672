"""Requests made up from the description of the service (schemathesis): none makes it fail, and each is answered as
described.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.llm.fakes.fake_ollama import OLLAMA
from tests.llm.fakes.fake_server import FakeModelServer
from tests.server.conftest import clip, uploaded
from tests.server.serving import serving
from tui.config import ProviderSettings, Settings
from tui.server.options import ServerOptions

pytestmark = pytest.mark.exhaustive

TOKEN = "a-token-of-the-test"
NOT_CHECKED = "positive_data_acceptance"
"""A schema cannot say all: a prompt is a text, and yet not every text is a prompt."""


REFUSED = """
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, 431, "5xx"]
"""
"""Statuses of a refusal: schemathesis's own, and those of more than a request or its head may have."""


async def test_all_is_answered_as_described(with_model: Settings, model: FakeModelServer, tmp_path: Path) -> None:
    """With a token, which an open server does not look at."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with (
        FakeModelServer(OLLAMA) as ollama,
        serving(_all_there(with_model, ollama), ServerOptions(port=0, token=TOKEN)) as served,
    ):
        async with httpx.AsyncClient(base_url=served.url, headers=headers, timeout=20, trust_env=False) as client:
            await clip(client)
            await uploaded(client)
        (tmp_path / "schemathesis.toml").write_text(REFUSED, "utf-8")
        command = [
            *(str(Path(sys.executable).with_name("schemathesis")), "run", f"{served.url}/openapi.json"),
            *("--checks", "all", "--exclude-checks", NOT_CHECKED, "--max-examples", "8", "--seed", "1"),
            *("--phases", "examples,coverage,fuzzing,stateful"),
            *("--continue-on-failure", "--no-color", "--request-timeout", "20", "--max-time", "25", "--no-shrink"),
            *("--header", f"Authorization: Bearer {TOKEN}"),
        ]
        environ = {name: text for name, text in os.environ.items() if not name.lower().endswith("_proxy")}
        run = await asyncio.create_subprocess_exec(
            *command, cwd=tmp_path, env=environ, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        said, _ = await run.communicate()
        assert run.returncode == 0, said.decode().rpartition(" FAILURES ")[2][:20_000]


def _all_there(settings: Settings, ollama: FakeModelServer) -> Settings:
    """Every provider that needs no key answers: one that does not is a 502, and rightly so."""
    there = ProviderSettings("ollama", "ollama", ollama.base_url)
    return replace(settings, providers=(*(each for each in settings.providers if each.name != "ollama"), there))
