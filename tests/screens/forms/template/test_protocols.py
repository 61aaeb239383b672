"""From choosing provider and model in the form to the answer about a word, in each of the four wire formats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.llm.fakes import dialects
from tests.llm.fakes.dialects import Dialect
from tests.llm.fakes.fake_anthropic import FakeAnthropic
from tests.llm.fakes.fake_gemini import FakeGemini
from tests.llm.fakes.fake_ollama import FakeOllama
from tests.llm.fakes.fake_openai import FakeOpenAi
from tests.llm.fakes.fake_server import FakeModelServer
from tests.screens.asking import FOCUS, text
from tests.screens.driving import opened, until, until_rows, until_shown
from tests.screens.forms.template.driving import field, listed
from tests.screens.stage import STATION, add_transcript, timed
from tests.waiting import HANGS
from tui.config import ProviderSettings, Settings
from tui.llm.http import client
from tui.screens.forms.template import TemplateScreen
from tui.screens.reader.reader import ReaderScreen
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize(
    "dialect", [FakeOpenAi(), FakeAnthropic(), FakeGemini(), FakeOllama()], ids=lambda one: one.name
)
async def test_a_model_that_was_chosen_in_the_form_breaks_a_word_down(
    settings: Settings, dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "LOCAL", replace(client.LOCAL, status=HANGS))  # this machine may be busy for a second
    async with FakeModelServer(dialect) as server:
        server.on_chat = lambda request: (
            dialects.stream(dialect, "It leaves, ", "perhaps.")
            if dialect.wants_stream(request)
            else dialects.answer(dialect, FOCUS)
        )
        fake = ProviderSettings("fake", dialect.name, server.base_url, "FAKE_API_KEY", label="Fake")
        service = LocalService(replace(settings, providers=(fake,)), environ={"FAKE_API_KEY": "k-0123456789"})
        await add_transcript(service, timed(STATION))
        async with opened(service, (120, 40), section="4") as pilot:
            screen = pilot.app.screen
            assert isinstance(screen, TemplateScreen)
            await until(pilot, lambda: screen.form.values().model and not list(pilot.app.workers))
            await pilot.press("tab", *"fake")
            await until(pilot, lambda: screen.form.values().model == "fake:" and not list(pilot.app.workers))
            await pilot.press("tab", *"mediu")
            await until(pilot, lambda: listed(screen, "model-name") == ["fake-medium"])
            await pilot.press("down", "enter")
            await until(pilot, lambda: field(screen, "model-name").value == "fake-medium")
            await pilot.press("f2")
            await until_shown(pilot, "template saved")
            await pilot.press("escape", "2")
            await until_rows(pilot, 1)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen))
            await until_shown(pilot, "Warten")
            await pilot.press("enter")
            await until(pilot, lambda: "It leaves, perhaps." in text(pilot) and "done" in text(pilot))
            assert "fake:fake-medium" in text(pilot)
            assert "to leave" in text(pilot)
        assert {dialect.key(chat) for chat in server.chats} == {"k-0123456789"}
        assert all("fake-medium" in chat.path + str(chat.body) for chat in server.chats)
