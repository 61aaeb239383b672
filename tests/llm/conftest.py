"""Fixtures of the tests of the models."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from tui.llm.http import client


@pytest.fixture
def unused_port() -> Callable[[], int]:
    """A port of this machine where nobody listens."""

    def find() -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])

    return find


@pytest.fixture(params=["httpx", pytest.param("httptools", marks=pytest.mark.exhaustive)])
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Transport of the requests: httpx's own transport, or the one of a server with many streams."""
    if request.param == "httptools":
        monkeypatch.setattr(client, "_MAX_OVER_HTTPX", 0)
