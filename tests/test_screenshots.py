"""The README's pictures show the app as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import screenshots
from tests.conftest import LEMMAS


async def test_the_pictures_in_the_readme_are_those_of_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LODE_TEST_LEMMAS", str(LEMMAS))
    taken = await screenshots.take()
    assert set(taken) == set(screenshots.NAMES)
    stale = [name for name, svg in taken.items() if _stored(name) != svg]
    assert not stale, f"stale: {', '.join(stale)}; look at the app, then: make screenshots"


def test_the_readme_shows_every_picture() -> None:
    readme = (Path(__file__).resolve().parent.parent / "README.md").read_text("utf-8")
    assert all(f"screenshots/{name}.svg" in readme for name in screenshots.NAMES)


def _stored(name: str) -> str:
    path = screenshots.DIRECTORY / f"{name}.svg"
    return path.read_text("utf-8") if path.exists() else ""
