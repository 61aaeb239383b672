"""Terminals in which the app can be opened, and what it says where it cannot; homes in paths as people type them."""

from __future__ import annotations

import sys

import pytest

from tests.cli.conftest import Lode, Stream
from tui import cli


def test_a_terminal_without_a_cursor_is_refused_the_app(lode: Lode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    done = lode(terminal=True)
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        "error: the app needs a terminal that can move its cursor, and this one says that it cannot (TERM=dumb)",
        "hint: set TERM to what it is, as in TERM=xterm-256color lode, or use the commands: lode --help",
    ]
    assert lode("models", "lexicon", terminal=True).out == "concordance\n"


def test_when_either_end_is_no_terminal_or_closed_the_app_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for stdin, is_terminal in ((Stream(), True), (Stream(terminal=True), False), (None, True)):
        errors = Stream()
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stdout", Stream(terminal=is_terminal))
        monkeypatch.setattr(sys, "stderr", errors)
        assert cli.run(()) == 1
        assert errors.text().startswith("error: the app needs a terminal to run in\nhint: in pipes and scripts")


def test_a_home_that_there_is_not_is_a_place_that_there_is_not(lode: Lode) -> None:
    nowhere = "~nobody-has-this-name/x.csv"
    for args in (
        *(("words", "export", nowhere), ("words", "import", nowhere, "--language", "de")),
        *(("dictionaries", "add", nowhere), ("export", nowhere), ("backup", nowhere)),
    ):
        done = lode(*args)
        assert (done.code, done.out, "unexpected" in done.err) == (1, "", False), done
        assert "x.csv" in done.err or "~nobody-has-this-name" in done.err
