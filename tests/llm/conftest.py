"""Fixtures of the tests of the models."""

from __future__ import annotations

import pytest

from tui.llm.http import client


@pytest.fixture(params=["httpx", pytest.param("httptools", marks=pytest.mark.exhaustive)])
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Transport of the requests: httpx's own transport, or the one of a server with many streams."""
    if request.param == "httptools":
        monkeypatch.setattr(client, "_MAX_OVER_HTTPX", 0)
