"""An inbox that is served, over a library of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.server.inbox.serving import InboxClient, serving_inbox
from tui.service.local import LocalService


@pytest.fixture
async def inbox(service: LocalService) -> AsyncIterator[InboxClient]:
    async with serving_inbox(service) as client:
        yield client
