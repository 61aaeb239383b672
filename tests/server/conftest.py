"""A library that is served, a model behind it that can be told what to answer, and clients of the plainest kind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.llm import breaking_down
from tests.llm.fakes.fake_server import FakeModelServer, answer
from tests.server.serving import Served, serving
from tui.config import ProviderSettings, Settings

SENTENCE = "Hoffentlich fährt er überhaupt noch ab."
ASK = {"sentence": SENTENCE, "focus": "fährt", "model": "work:m"}
FOCUS = {**breaking_down.FOCUS, "level": "A1"}
SRT = "1\n00:00:01,000 --> 00:00:02,500\nDer Zug fährt ab.\n\n2\n00:00:03,000 --> 00:00:04,000\nEr kommt nicht.\n"
NOBODY = "aaaaaaaaaaaa"
"""Well formed, and the id of nothing."""


@pytest.fixture
async def model() -> AsyncIterator[FakeModelServer]:
    async with FakeModelServer() as server:
        yield server


@pytest.fixture
def with_model(settings: Settings, model: FakeModelServer) -> Settings:
    """The provider ``work`` is the fake model; Ollama is asked nowhere."""
    closed = ProviderSettings("ollama", "ollama", "http://127.0.0.1:9")
    return replace(settings, providers=(ProviderSettings("work", "openai", model.base_url), closed))


@pytest.fixture
async def served(with_model: Settings) -> AsyncIterator[Served]:
    async with serving(with_model) as served:
        yield served


@pytest.fixture
async def client(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=served.url, timeout=20, trust_env=False) as client:
        yield client


def of(profile: str) -> dict[str, str]:
    return {"X-Profile-ID": profile}


def enqueue_breakdown(model: FakeModelServer, *replies: Any) -> None:
    """The focus word, then these."""
    model.enqueue(answer(FOCUS), *replies)


async def uploaded(client: httpx.AsyncClient, name: str = "story.de.srt", **headers: str) -> dict[str, Any]:
    """A file that is imported; gives its record."""
    sent = await client.post("/profiles/files", params={"name": name}, content=SRT.encode(), headers=headers)
    assert sent.status_code == 202, sent.text
    job = sent.json()["id"]
    followed = await client.get("/profiles/job_events", params={"id": job}, headers=headers)
    assert '"state":"succeeded"' in followed.text, followed.text
    done = (await client.get(f"/profiles/jobs/{job}", headers=headers)).json()
    found: dict[str, Any] = (await client.get(f"/profiles/files/{done['file_id']}", headers=headers)).json()
    return found


async def clip(client: httpx.AsyncClient, sentence: str = SENTENCE, **headers: str) -> dict[str, Any]:
    made = await client.post("/profiles/clips", json={"sentence": sentence}, headers=headers)
    assert made.status_code == 201, made.text
    record: dict[str, Any] = made.json()
    return record


def assert_refused(response: httpx.Response, status: int, code: str) -> Mapping[str, Any]:
    """An answer with this status and an error of this code, in words, with a next step."""
    assert response.status_code == status, (response.status_code, response.text)
    assert response.headers["content-type"] == "application/json"
    assert set(response.json()) == {"error"}
    error: dict[str, Any] = response.json()["error"]
    assert error["code"] == code
    assert error["message"]
    assert isinstance(error["hint"], str)
    return error


def parts(stream: str) -> list[tuple[str, str]]:
    """The events of a stream as (name, data), read strictly: each of one or two lines, no comments."""
    assert stream.endswith("\n\n")
    read = []
    for block in stream.removesuffix("\n\n").split("\n\n"):
        lines = block.split("\n")
        name = lines.pop(0).removeprefix("event: ") if lines[0].startswith("event: ") else ""
        (data,) = lines
        assert data.startswith("data: ")
        read.append((name, data.removeprefix("data: ")))
    return read
