"""Printing of a stream of events: pieces at once, breaks told, Ctrl+C closing it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable
from functools import partial

import pytest

from tests.cli.conftest import Stream
from tests.hostile import FORBIDDEN
from tui.cli.output.answer_stream import follow_answer
from tui.errors import ProviderError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, StateChanged, Token
from tui.records.clips import FocusWord
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest

COMPLETE = Finished("complete", "a1", False, "x:y", 12, 34, 1500)
BROKEN = Failed(ProviderError("x hung up", hint="ask again", code="connection_lost"))
FAILED = Finished("failed", "a1", False, "x:y", None, None, 1500)
REQUEST = BreakdownRequest("Der Zug.", "Zug")


class Streams:
    def __init__(self, patch: pytest.MonkeyPatch, *, terminal: bool = False) -> None:
        self.out, self.err = Stream(terminal=terminal), Stream(terminal=terminal)
        patch.setattr(sys, "stdout", self.out)
        patch.setattr(sys, "stderr", self.err)

    @property
    def texts(self) -> tuple[str, str]:
        return self.out.text(), self.err.text()


Open = Callable[..., Streams]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Open:
    """What puts the streams in the place of the standard ones, from within a test."""
    monkeypatch.setenv("TERM", "xterm")
    return partial(Streams, monkeypatch)


async def events(*all_of_them: BreakdownEvent) -> AsyncGenerator[BreakdownEvent]:
    for event in all_of_them:
        yield event


async def test_the_card_a_blank_line_and_the_text_as_it_came(opened: Open, service: LocalService) -> None:
    streams = opened()
    stream = events(
        StateChanged("connecting", "x:y"),
        FocusReady(FocusWord("Zug", lemma="Zug", part_of_speech="noun", meanings=("train",), frequency=3)),
        *(Token("A **tr"), Token("ain**."), Finished("complete", "a1", True, "x:y", 1, 2, 3, cut=True)),
    )
    assert await follow_answer(service, stream, as_json=False)
    card = "Zug   noun\n      train\n      3 times in your library\n"
    told = "from the history; --fresh asks anew\nthe model stopped at its length limit\n"
    assert streams.texts == (f"{card}\nA **train**.\n", told)


async def test_what_came_before_a_break_stays_and_is_not_saved(opened: Open, service: LocalService) -> None:
    streams = opened()
    broken = events(FocusReady(FocusWord("Zug")), Token("It is"), BROKEN, FAILED)
    assert not await follow_answer(service, broken, as_json=False, save=REQUEST)
    assert streams.texts == ("Zug\n\nIt is\n", "error: x hung up\nhint: ask again\n")
    assert (await service.clips.page()).total == 0


async def test_a_break_is_an_event_for_programs(opened: Open, service: LocalService) -> None:
    streams = opened()
    assert not await follow_answer(service, events(Token("It is"), BROKEN, FAILED), as_json=True)
    token, error, done = map(json.loads, streams.texts[0].splitlines())
    assert token == {"event": "token", "text": "It is"}
    assert error == {"event": "error", "code": "connection_lost", "message": "x hung up", "hint": "ask again"}
    assert done == {
        "event": "done",
        "state": "failed",
        "answer_id": "a1",
        "kept": False,
        "model": "x:y",
        "input_tokens": None,
        "output_tokens": None,
        "duration_ms": 1500,
        "cut": False,
    }


async def test_the_seconds_of_a_wait_are_counted(opened: Open, service: LocalService) -> None:
    streams = opened(terminal=True)

    async def slow() -> AsyncGenerator[BreakdownEvent]:
        yield StateChanged("preparing", "x:y", "waiting for X at 127.0.0.1:1")
        while "waiting for X at 127.0.0.1:1 · 1 s · ctrl+c stops" not in streams.texts[1]:
            await asyncio.sleep(0.01)  # the second that is shown is a real one
        yield Token("Zug")
        yield COMPLETE

    assert await follow_answer(service, slow(), as_json=False)
    assert "waiting for X at 127.0.0.1:1 · 0 s · ctrl+c stops" in streams.texts[1]
    assert streams.texts[0] == "Zug\n"


async def test_a_sequence_cut_into_pieces_never_reaches_the_terminal(opened: Open, service: LocalService) -> None:
    streams = opened(terminal=True)
    pieces = [Token(char) for char in "a\x1b]52;c;c3RvbGVu\x07b\x1b[31mc\x9b2Jd\u202ee"]
    assert await follow_answer(service, events(*pieces, COMPLETE), as_json=False)
    assert streams.texts[0] == "abcde\n"
    assert not set(FORBIDDEN) & set(streams.texts[0])


async def test_cancelling_closes_the_stream_and_ends_the_line(opened: Open, service: LocalService) -> None:
    streams = opened()
    waiting, closed = asyncio.Event(), asyncio.Event()

    async def endless() -> AsyncGenerator[BreakdownEvent]:
        try:
            yield Token("It is")
            waiting.set()
            await asyncio.Event().wait()
        finally:
            closed.set()

    task = asyncio.create_task(follow_answer(service, endless(), as_json=False))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed.is_set()
    assert streams.texts == ("It is\n", "")


async def test_what_is_said_of_the_sentence_stands_below_the_card(opened: Open, service: LocalService) -> None:
    streams = opened()
    ready = FocusReady(FocusWord("Zug"), translation="The train.", sentence_reading="昨日[きのう]")
    assert await follow_answer(service, events(ready, Token("Text."), COMPLETE), as_json=False, save=REQUEST)
    assert streams.texts[0] == "Zug\n\n昨日[きのう]\n\nThe train.\n\nText.\n"
    (clip,) = (await service.clips.page()).items
    assert (clip.translation, clip.sentence_reading) == ("The train.", "昨日[きのう]")
    streams = opened()
    await follow_answer(service, events(ready, COMPLETE), as_json=True)
    focus = json.loads(streams.texts[0].splitlines()[0])
    assert (focus["event"], focus["focus"]["surface"]) == ("focus", "Zug")
    assert (focus["translation"], focus["sentence_reading"]) == ("The train.", "昨日[きのう]")
