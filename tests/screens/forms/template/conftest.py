"""The template screen over a real service, with a template saved."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.screens.forms.template.driving import TEMPLATE
from tests.screens.stage import Stage
from tui.config import ProviderSettings, Settings
from tui.screens.forms.template import TemplateScreen
from tui.service.local import LocalService


@pytest.fixture
async def service(home: Path) -> AsyncIterator[LocalService]:
    """With a provider of the user's whose server is not there."""
    absent = ProviderSettings("absent", "openai", "http://127.0.0.1:9", label="Absent")
    service = LocalService(Settings(home=home, config_path=home / "config.toml", providers=(absent,)), environ={})
    yield service
    await service.close()


@pytest.fixture
async def screen(service: LocalService) -> TemplateScreen:
    await service.template.save(TEMPLATE)
    return TemplateScreen(service)


@pytest.fixture
def app(screen: TemplateScreen) -> Stage:
    return Stage(screen)
