"""Everything that the client waits for is short here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.llm.fakes.fake_server import FakeModelServer
from tests.remote.between import Between
from tests.remote.both import Both
from tests.server.serving import Served, serving
from tui.config import ProviderSettings, Settings
from tui.remote import connection, streams
from tui.remote.service import RemoteService
from tui.service.local import LocalService


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_PAUSES", (0.001, 0.002))
    monkeypatch.setattr(connection, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(streams, "_AGAIN_SECONDS", 0.01)


@pytest.fixture
async def served(settings: Settings) -> AsyncIterator[Served]:
    async with serving(settings) as served:
        yield served


@pytest.fixture
async def between(served: Served) -> AsyncIterator[Between]:
    async with Between(served.url) as between:
        yield between


@pytest.fixture
async def service(between: Between) -> AsyncIterator[RemoteService]:
    """Through ``between`` to ``served``."""
    service = RemoteService(between.url)
    yield service
    await service.close()


@pytest.fixture
async def stranger() -> AsyncIterator[FakeModelServer]:
    """Some HTTP server: ``models`` is what it answers to GET, ``enqueue`` is for POST."""
    async with FakeModelServer() as server:
        yield server


@pytest.fixture
async def strange(stranger: FakeModelServer) -> AsyncIterator[RemoteService]:
    """A service whose server is ``stranger``."""
    service = RemoteService(stranger.base_url.removesuffix("/v1"), token="the-token-of-this-test")
    yield service
    await service.close()


@pytest.fixture
async def both(settings: Settings) -> AsyncIterator[Both]:
    async with FakeModelServer() as server:
        settings = replace(settings, providers=(ProviderSettings("work", "openai", server.base_url),))
        async with serving(settings) as served:
            there = RemoteService(served.url)
            yield Both(LocalService(settings, engine=served.engine), there, server)
            await there.close()
