"""What serves all profiles of a library."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.exhaustive
def test_a_warm_engine_has_imported_what_asking_a_model_needs(run_python: Callable[[str], str]) -> None:
    code = """
import asyncio, sys, tempfile
from pathlib import Path
from tui import config
from tui.service.engine import Engine

async def main():
    engine = Engine(config.load(Path(tempfile.mkdtemp())), connections=1000)
    before = set(sys.modules)
    await engine.warm()
    print(sorted({"httpx", "jinja2", "tui.llm.breakdown"} & (set(sys.modules) - before)))
    await engine.close()

asyncio.run(main())
"""
    assert run_python(code) == "['httpx', 'jinja2', 'tui.llm.breakdown']\n"
