"""The app asking a model of the fake server about a word."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from unittest.mock import patch

from textual.pilot import Pilot

from tests.llm import breaking_down
from tests.llm.fakes.fake_server import FakeModelServer, Reply, answer, is_stream
from tests.screens.driving import lines, opened, until
from tui.config import ProviderSettings, Settings
from tui.records.clips import NewClip
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.messages import OpenBreakdown
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest

SENTENCE = "Hoffentlich fährt er überhaupt noch ab."
FOCUS = {**breaking_down.FOCUS, "grammar": "3. Person Singular Präsens", "level": "A1"}
MODEL = "fake:fake-large"
REQUEST = BreakdownRequest(SENTENCE, "fährt", model=MODEL, language="de")
KEY = {"FAKE_API_KEY": "sk-Very5ecretKey0123456789"}


def text(pilot: Pilot[None]) -> str:
    """What is on the screen, as one line of words."""
    return " ".join(" ".join(lines(pilot)).split())


@asynccontextmanager
async def asked(
    settings: Settings,
    reply: Callable[[], Reply],
    *,
    model: str = MODEL,
    size: tuple[int, int] = (80, 24),
    base_url: str = "",
    focus: Callable[[], Reply] = lambda: answer(FOCUS),
) -> AsyncIterator[tuple[Pilot[None], FakeModelServer, LocalService]]:
    """``reply`` gives the explanation, ``focus`` the word; the provider is called fake and has a key."""
    with patch.dict(os.environ, KEY):
        async with FakeModelServer() as server:
            server.on_chat = lambda request: reply() if is_stream(request) else focus()
            own = ProviderSettings("fake", "openai", base_url or server.base_url, "FAKE_API_KEY", "Fake")
            service = LocalService(replace(settings, providers=(own,)))
            async with opened(service, size, section="5") as pilot:
                await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
                pilot.app.screen.post_message(OpenBreakdown(replace(REQUEST, model=model), NewClip(SENTENCE)))
                yield pilot, server, service
