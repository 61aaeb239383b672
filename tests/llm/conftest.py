"""What the tests of the models share."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest


@pytest.fixture
def unused_port() -> Callable[[], int]:
    """A port of this machine where nobody listens."""

    def find() -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])

    return find
