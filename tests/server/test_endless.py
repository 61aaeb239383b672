"""A model without end behind the server: the server lives on, no larger than before, and what came is kept."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from tests.llm.fakes.endless import SPOKEN, THOUGHT, endless
from tests.llm.fakes.fake_server import FakeModelServer
from tests.server_process import ServerProcess

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says it so"),
]
ASK = {"sentence": "Der Zug fährt.", "focus": "Zug", "fresh": True}


def most_memory(process: int) -> int:
    """The most that it ever held, in MB."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text("utf-8"))
    assert found is not None
    return int(found[1]) // 1024


async def test_a_model_that_finds_no_end_costs_the_server_no_memory(home: Path) -> None:
    """Without bounds it grows by more than the 300 MB that come while the focus is waited for."""
    async with FakeModelServer() as short, endless(SPOKEN) as speaks, endless(THOUGHT) as thinks:
        urls = {"short": short.base_url, "speaks": speaks.url, "thinks": thinks.url}
        settings = [f'[providers.{name}]\nbase_url = "{url}"\n' for name, url in urls.items()]
        (home / "config.toml").write_text("".join(settings), "utf-8")
        with ServerProcess(home) as server:
            async with httpx.AsyncClient(base_url=server.url, timeout=60, trust_env=False) as client:
                await client.post("/llm/breakdown", json={**ASK, "model": "short:m"})
                usual = most_memory(server.process.pid)
                for name in ("speaks", "thinks"):
                    answered = await client.post("/llm/breakdown", json={**ASK, "model": f"{name}:m"})
                    assert '"code":"answer_without_end"' in answered.text
                assert most_memory(server.process.pid) < usual + 40
                thought, spoken, _ = (await client.get("/profiles/history")).json()
    assert (thought["state"], spoken["state"], len(spoken["text"])) == ("failed", "failed", 400_000)
    assert "goes on without end" in thought["error"]
