"""JSON on standard output: exact, one value, streamed, and harmless on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from itertools import product
from typing import Any

import pytest

from tests.cli.conftest import Stream
from tests.hostile import FORBIDDEN, HOSTILE
from tui.cli.output import console


async def each(items: list[Any]) -> AsyncIterator[Any]:
    for item in items:
        yield item


async def test_a_streamed_array_is_one_json_value(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays: list[list[Any]] = [[], [1], [{"a": 1, "b": [1, 2]}, {"a": "x\ny"}]]
    heads: list[dict[str, Any] | None] = [None, {"id": "x", "n": {"m": 1}}]
    for terminal, items, head in product((False, True), arrays, heads):
        out = Stream(terminal=terminal)
        monkeypatch.setattr(sys, "stdout", out)
        await console.put_json_array(each(items), head=head, key="cues" if head else "")
        whole = {**head, "cues": items} if head else items
        assert json.loads(out.text()) == whole
        if terminal and items:
            assert out.text() == json.dumps(whole, indent=2) + "\n"


def test_json_gives_every_text_back_and_shows_no_control(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Stream())
    for text in (*HOSTILE.values(), "\ud800 alone", "\x85 \u2029"):
        line = console.to_text({"text": text})
        assert json.loads(line) == {"text": text}
        assert not set(FORBIDDEN) & set(line)
        assert len(line.splitlines()) == 1
        line.encode("utf-8")
    assert console.to_text("駅 fährt") == '"駅 fährt"'


def test_a_status_line_comes_and_goes_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, terminal = Stream(), Stream(terminal=True)
    for stream in (pipe, terminal):
        monkeypatch.setattr(sys, "stderr", stream)
        line = console.StatusLine()
        line.show("connecting \x1b[31m")
        line.clear()
    assert pipe.text() == ""
    assert terminal.text() == "\r\x1b[2Kconnecting\r\x1b[2K"
