"""Terminals in which the app can be opened, and what it says where it cannot."""

from __future__ import annotations

import io
import sys

import pytest

from tests.cli.conftest import Lode, Stream
from tui import cli
from tui.cli.context import Context
from tui.errors import InvalidInput


def test_on_a_terminal_that_cannot_move_its_cursor_the_app_is_refused(
    lode: Lode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    done = lode(terminal=True)
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        "error: the app needs a terminal that can move its cursor, and this one says that it cannot (TERM=dumb)",
        "hint: set TERM to what it is, as in TERM=xterm-256color lode, or use the commands: lode --help",
    ]


def test_on_such_a_terminal_the_commands_work(lode: Lode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert lode("models", "lexicon", terminal=True).out == "concordance\n"


@pytest.mark.parametrize("without", ["stdin", "stdout"])
def test_when_either_end_is_no_terminal_the_app_is_refused(monkeypatch: pytest.MonkeyPatch, without: str) -> None:
    errors = Stream()
    monkeypatch.setattr(sys, "stdin", Stream(terminal=without != "stdin"))
    monkeypatch.setattr(sys, "stdout", Stream(terminal=without != "stdout"))
    monkeypatch.setattr(sys, "stderr", errors)
    assert cli.run(()) == 1
    assert errors.text().startswith("error: the app needs a terminal to run in\nhint: in pipes and scripts")


def test_a_closed_stdin_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with pytest.raises(InvalidInput, match="needs a terminal"):
        Context().open_app()
