"""A service over a library: on this machine, and behind a server too where that has code of its own."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.llm.fakes.fake_server import FakeModelServer
from tests.service.libraries import Opened, Where, opened
from tui.config import ProviderSettings, Settings
from tui.service.protocol import Service


@pytest.fixture
def where(request: pytest.FixtureRequest) -> Where:
    place: Where = getattr(request, "param", "local")
    return place


@pytest.fixture
async def library(settings: Settings, where: Where) -> AsyncIterator[Opened]:
    async with opened(settings, where) as library:
        yield library


@pytest.fixture
def service(library: Opened) -> Service:
    return library.service


@pytest.fixture
async def asking_library(settings: Settings, server: FakeModelServer, where: Where) -> AsyncIterator[Opened]:
    """One with a provider of the user's, ``work``, which is the fake server."""
    work = ProviderSettings("work", "openai", server.base_url)
    async with opened(replace(settings, providers=(work,)), where) as library:
        yield library


@pytest.fixture
def asking(asking_library: Opened) -> Service:
    return asking_library.service
