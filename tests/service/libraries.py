"""Opening one library in one of the two ways there are."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Literal

import pytest

from tests.server.serving import serving
from tui.config import Settings
from tui.remote.service import RemoteService
from tui.service.engine import Engine
from tui.service.library import Library
from tui.service.local import LocalService
from tui.service.protocol import Service

Where = Literal["local", "remote"]

near_and_far = pytest.mark.parametrize("where", ["local", "remote"], indirect=True)
"""For what a remote library does in its own way; of the rest `tests/remote` asks every operation on both sides."""


@dataclass(frozen=True, slots=True)
class Opened:
    """``engine`` is what does the work, in this process or (in a test it is the same one) the server's."""

    service: Service
    engine: Engine
    other_profile: Service

    @property
    def jobs(self) -> Library:
        """The profile's jobs as the engine queues them."""
        return Library(self.engine.database, self.service.profile)


@asynccontextmanager
async def opened(settings: Settings, where: Where) -> AsyncIterator[Opened]:
    async with AsyncExitStack() as stack:
        if where == "local":
            engine = Engine(settings, environ={})
            stack.push_async_callback(engine.close)
            yield Opened(LocalService(settings, engine=engine), engine, LocalService(settings, "other", engine=engine))
            return
        served = await stack.enter_async_context(serving(settings))
        services = [RemoteService(served.url, profile) for profile in ("default", "other")]
        for service in services:
            stack.push_async_callback(service.close)
        yield Opened(services[0], served.engine, services[1])
