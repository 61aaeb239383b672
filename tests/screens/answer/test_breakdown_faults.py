"""Everything that can go wrong with a model, seen in the app: the cause, the next step, and what had come before."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import pytest

from tests.llm.fakes.fake_server import Gate, Reply, cut, delta, event_stream, is_stream, slow, sse, status, stream
from tests.screens.asking import MODEL, REQUEST, asked, text
from tests.screens.driving import assert_is_clean, lines, press_until, until, until_shown
from tui.config import Settings
from tui.llm.http import answer_stream, client
from tui.llm.http.client import Timeouts
from tui.records.clips import NewClip
from tui.screens.messages import OpenBreakdown

pytestmark = pytest.mark.exhaustive

NEVER_BEGINS = Timeouts(connect=2, read=5, first_text=1, between_texts=5, after_finish=0.1, status=1)
FALLS_SILENT = replace(NEVER_BEGINS, first_text=5, between_texts=0.3)


@dataclass(frozen=True)
class Fault:
    """What the server does with the explanation, and what must stand on the screen then.

    ``partial`` came before it; ``ends`` is the last of the status line; ``model`` is who is asked.
    """

    reply: Callable[[], Reply]
    cause: str
    next_step: str
    partial: str = ""
    ends: str = "failed"
    model: str = MODEL
    timeouts: Timeouts | None = None


FAULTS: Mapping[str, Fault] = {  # one of each kind: what all others say is told by tests of llm
    "bad key": Fault(
        lambda: status(401, {"error": {"message": "Incorrect API key provided"}}),
        "Fake refuses the key in FAKE_API_KEY (401): Incorrect API key provided",
        "check FAKE_API_KEY",
    ),
    "unknown model": Fault(
        lambda: status(404, {"error": {"message": "no such model"}}),
        "Fake knows no model 'fake-larg'",
        "did you mean fake:fake-large",
        model="fake:fake-larg",
    ),
    "no first text": Fault(
        lambda: slow([], Gate()),
        "Fake has said nothing for 1 s",
        "ask again, or try another model",
        timeouts=NEVER_BEGINS,
    ),
    "silence between texts": Fault(
        lambda: slow(["It leaves"], Gate()),
        "Fake went silent in the middle of its answer (0.3 s)",
        "what had come is kept; ask again",
        partial="It leaves",
        ends="partial",
        timeouts=FALLS_SILENT,
    ),
    "cut stream": Fault(
        lambda: cut("It leaves", " at"),
        "the connection to Fake was lost",
        "ask again",
        partial="It leaves at",
        ends="partial",
    ),
    "length": Fault(
        lambda: stream("It leaves", " at the", finish="length"),
        "the answer ends here: the model ran into its length limit",
        "r asks anew",
        partial="It leaves at the",
        ends="cut short",
    ),
}


@pytest.mark.parametrize("timeouts", [None, NEVER_BEGINS, FALLS_SILENT], ids=["usual", "never begins", "falls silent"])
async def test_a_fault_says_its_cause_and_the_next_step(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, timeouts: Timeouts | None
) -> None:
    if timeouts is not None:
        monkeypatch.setattr(client, "LOCAL", timeouts)
    replies: list[Callable[[], Reply]] = [lambda: stream("It goes.")]
    async with asked(settings, lambda: replies[-1]()) as (pilot, _, service):
        await until_shown(pilot, "It goes.")
        for name, fault in ((name, fault) for name, fault in FAULTS.items() if fault.timeouts is timeouts):
            replies.append(fault.reply)
            request = replace(REQUEST, model=fault.model, fresh=True)
            pilot.app.screen.post_message(OpenBreakdown(request, NewClip(request.sentence)))
            await until(pilot, lambda fault=fault: fault.cause in text(pilot))  # type: ignore[misc]  # bound at once
            await until(pilot, lambda fault=fault: fault.ends in lines(pilot)[0])  # type: ignore[misc]  # bound at once
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
            said = text(pilot)
            assert fault.next_step in said[said.index(fault.cause) :], name
            assert "r asks anew" in said, name
            assert "abfahren" in said, "the focus came, and stays"
            assert "Very5ecret" not in said
            assert lines(pilot)[-1].split()[0] == "r", "nothing is left to be stopped"
            assert_is_clean(pilot)
            assert fault.partial in said[: said.index(fault.cause)], name
            assert ("kept as a partial answer" in said) is (fault.ends == "partial"), name
            kept = (await service.history.page()).items[0]
            state = "complete" if fault.ends.startswith("cut") else "failed"
            assert (kept.text, kept.state) == (fault.partial, state), name


async def test_nobody_there_says_how_to_go_on(settings: Settings) -> None:
    async with asked(settings, stream, base_url="http://127.0.0.1:1/v1") as (pilot, _, _service):
        await until_shown(pilot, "failed")
        assert "Fake does not answer at http://127.0.0.1:1/v1" in text(pilot)
        assert "start the server, or correct its address" in text(pilot)


async def test_what_both_halves_stumble_over_is_said_once_and_whose_the_focus_is(settings: Settings) -> None:
    refusal = status(401, {"error": "no such key"})
    async with asked(settings, lambda: refusal, focus=lambda: refusal) as (pilot, server, _service):
        await until_shown(pilot, "failed")
        assert text(pilot).count("refuses the key") == 1
        assert "lexicon" in text(pilot)
        server.on_chat = lambda request: stream("It goes.") if is_stream(request) else status(400, {"error": "no"})
        await press_until(pilot, "r", shown="It goes.")
        await until_shown(pilot, "the focus is the lexicon's: Fake refuses the request (400)")


async def test_a_short_rate_limit_is_waited_out_before_ones_eyes(settings: Settings) -> None:
    replies = iter((status(429, {"error": "slow down"}, {"retry-after": "3"}), stream("It leaves.")))
    async with asked(settings, lambda: next(replies)) as (pilot, _, _service):
        refused = "Fake allows no more requests for now (429): slow down · waiting, asks again in "
        await until(pilot, lambda: refused in text(pilot))
        seen = set()
        while "done" not in lines(pilot)[0]:
            seen |= set(re.findall(r"asks again in (\d) s", text(pilot)))
            await pilot.pause(0.1)
        assert len(seen) > 1, "it counts down"
        assert "It leaves." in text(pilot)
        assert "allows no more" not in text(pilot)


async def test_thinking_and_waiting_for_a_model_are_shown_as_states_and_never_as_text(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_stream, "_SILENT_SECONDS", 0.05)
    loaded, thought = Gate(), Gate()
    thinking = sse(delta(reasoning_content="The user wants…"), done=False)
    said = sse(delta("It leaves."), delta(finish="stop"))
    async with asked(settings, lambda: event_stream(loaded, thinking, thought, said)) as (pilot, _, _service):
        await until_shown(pilot, "preparing")
        await until(pilot, lambda: "waiting for Fake at 127.0.0.1:" in text(pilot))
        await until(pilot, lambda: "(loading the model?) · 1 s · esc stops" in text(pilot))
        loaded.opened.set()
        await until_shown(pilot, "thinking")
        thought.opened.set()
        await until_shown(pilot, "done")
        assert "The user wants" not in text(pilot)
        assert "loading the model" not in text(pilot)


async def test_esc_closes_the_sockets(settings: Settings) -> None:
    async with asked(settings, lambda: slow(["It leaves"], Gate())) as (pilot, server, service):
        for _ in range(3):
            await until_shown(pilot, "It leaves")
            request = [request for request in server.chats if is_stream(request)][-1]
            assert not request.disconnected.is_set()
            await pilot.press("escape")
            await until(pilot, request.disconnected.is_set)
            await until_shown(pilot, "stopped")
            await pilot.press("r")
        await pilot.press("escape")
        page = await service.history.page()
        assert {(kept.text, kept.state) for kept in page.items[1:]} == {("It leaves", "aborted")}
