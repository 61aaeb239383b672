"""The README's pictures show the app as it is."""

import difflib
from pathlib import Path

import pytest

from tests.conftest import LEMMAS
from tests.screenshots import __main__ as screenshots


async def test_the_pictures_in_the_readme_are_those_of_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LODE_TEST_LEMMAS", str(LEMMAS))
    taken = await screenshots.take()
    assert set(taken) == set(screenshots.NAMES)
    changes = [line for name, svg in taken.items() if svg != _stored(name) for line in _changes(name, svg)]
    assert not changes, "\n".join(["look at the app, then: make screenshots", *changes])


def test_the_readme_shows_every_picture() -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
    assert all(f"screenshots/{name}.svg" in readme for name in screenshots.NAMES)


def _changes(name: str, svg: str) -> list[str]:
    stored, taken = (text.replace("><", ">\n<").splitlines() for text in (_stored(name), svg))
    return [line[:300] for line in difflib.unified_diff(stored, taken, name, f"{name} now", n=0, lineterm="")]


def _stored(name: str) -> str:
    path = screenshots.DIRECTORY / f"{name}.svg"
    return path.read_text("utf-8") if path.exists() else ""
