"""Paths as people type them."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Lode

NOWHERE = "~nobody-has-this-name/x.csv"


@pytest.mark.parametrize(
    "args",
    [
        ("words", "export", NOWHERE),
        ("words", "import", NOWHERE, "--language", "de"),
        ("dictionaries", "add", NOWHERE),
        ("export", NOWHERE),
        ("backup", NOWHERE),
    ],
)
def test_a_home_that_there_is_not_is_a_place_that_there_is_not(lode: Lode, args: tuple[str, ...]) -> None:
    done = lode(*args)
    assert (done.code, done.out) == (1, "")
    assert "unexpected" not in done.err
    assert "x.csv" in done.err or "~nobody-has-this-name" in done.err
