"""Everything that can go wrong with a model, seen in the app: the cause, the next step, and what had come before."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import pytest

from tests.llm.fakes.fake_server import (
    Gate,
    Reply,
    cut,
    delta,
    error_mid_stream,
    event_stream,
    html,
    is_stream,
    slow,
    sse,
    status,
    stream,
)
from tests.screens.asking import MODEL, asked, text
from tests.screens.driving import assert_is_clean, lines, until, until_shown
from tui.config import Settings
from tui.llm.http import answer_stream, client
from tui.llm.http.client import Timeouts

pytestmark = pytest.mark.exhaustive

QUICK = Timeouts(connect=2, read=5, first_text=1, between_texts=5, after_finish=0.1, status=1)
SOON_SILENT = replace(QUICK, first_text=5, between_texts=0.3)


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


FAULTS: Mapping[str, Fault] = {
    "bad key": Fault(
        lambda: status(401, {"error": {"message": "Incorrect API key provided"}}),
        "Fake refuses the key in FAKE_API_KEY (401): Incorrect API key provided",
        "check FAKE_API_KEY",
    ),
    "no credit": Fault(
        lambda: status(429, {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}),
        "Fake wants to be paid (429)",
        "look at the account's credit",
    ),
    "unknown model": Fault(
        lambda: status(404, {"error": {"message": "no such model"}}),
        "Fake knows no model 'fake-larg'",
        "did you mean fake:fake-large",
        model="fake:fake-larg",
    ),
    "long rate limit": Fault(
        lambda: status(429, {"error": "slow down"}, {"retry-after": "90"}),
        "Fake allows no more requests for now (429): slow down",
        "ask again in 90 seconds",
    ),
    "overload": Fault(
        lambda: status(503, {"error": "all engines busy"}),
        "Fake is overloaded or broken (503): all engines busy",
        "ask again in a moment",
    ),
    "no first text": Fault(
        lambda: slow([], Gate()), "Fake has said nothing for 1 s", "ask again, or try another model", timeouts=QUICK
    ),
    "silence between texts": Fault(
        lambda: slow(["It leaves"], Gate()),
        "Fake went silent in the middle of its answer (0.3 s)",
        "what had come is kept; ask again",
        partial="It leaves",
        ends="partial",
        timeouts=SOON_SILENT,
    ),
    "cut stream": Fault(
        lambda: cut("It leaves", " at"),
        "the connection to Fake was lost",
        "ask again",
        partial="It leaves at",
        ends="partial",
    ),
    "error in the middle": Fault(
        lambda: error_mid_stream("It leaves"),
        "Fake broke off with an error: the engine fell over",
        "ask again, or try another model",
        partial="It leaves",
        ends="partial",
    ),
    "a web page": Fault(
        lambda: html("Log in to the hotel's network"),
        "Fake answers with a web page: Log in to the hotel's network",
        "is the address of a chat API",
    ),
    "refusal": Fault(
        lambda: event_stream(sse(delta(refusal="I cannot help with that."), done=False), sse(delta(finish="stop"))),
        "Fake refuses to answer: I cannot help with that.",
        "ask about another sentence",
    ),
    "content filter": Fault(
        lambda: stream("It leaves", finish="content_filter"),
        "Fake withheld the answer (content filter)",
        "ask about another sentence",
        partial="It leaves",
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


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_a_fault_says_its_cause_and_the_next_step(
    settings: Settings, fault: Fault, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault.timeouts is not None:
        monkeypatch.setattr(client, "LOCAL", fault.timeouts)
    async with asked(settings, fault.reply, model=fault.model, size=size) as (pilot, _, service):
        await until(pilot, lambda: fault.ends in lines(pilot)[0])
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        said = text(pilot)
        assert fault.cause in said
        assert fault.next_step in said[said.index(fault.cause) :]
        assert "r asks anew" in said
        assert "abfahren" in said, "the focus came, and stays"
        assert "Very5ecret" not in said
        assert lines(pilot)[-1].split()[0] == "r", "nothing is left to be stopped"
        assert_is_clean(pilot)
        if fault.partial:
            assert fault.partial in said[: said.index(fault.cause)]
        if fault.ends == "partial":
            assert "kept as a partial answer" in said
        (kept,) = (await service.history.page()).items
        assert (kept.text, kept.state) == (fault.partial, "complete" if fault.ends.startswith("cut") else "failed")


async def test_nobody_there_says_how_to_go_on(settings: Settings) -> None:
    async with asked(settings, stream, base_url="http://127.0.0.1:1/v1") as (pilot, _, _service):
        await until_shown(pilot, "failed")
        assert "Fake does not answer at http://127.0.0.1:1/v1" in text(pilot)
        assert "start the server, or correct its address" in text(pilot)


async def test_what_both_halves_stumble_over_is_said_once(settings: Settings) -> None:
    refusal = status(401, {"error": "no such key"})
    async with asked(settings, lambda: refusal, focus=lambda: refusal) as (pilot, _, _service):
        await until_shown(pilot, "failed")
        assert text(pilot).count("refuses the key") == 1
        assert "lexicon" in text(pilot)


async def test_a_short_rate_limit_is_waited_out_before_ones_eyes(settings: Settings) -> None:
    replies = iter((status(429, {"error": "slow down"}, {"retry-after": "3"}), stream("It leaves.")))
    async with asked(settings, lambda: next(replies)) as (pilot, _, _service):
        refused = "Fake allows no more requests for now (429): slow down · waiting, asks again in "
        await until(pilot, lambda: refused in text(pilot))
        seen = set()
        while "done" not in lines(pilot)[0]:
            seen |= set(re.findall(r"asks again in (\d) s", text(pilot)))
            await pilot.pause(0.02)
        assert len(seen) > 1, "it counts down"
        assert "It leaves." in text(pilot)
        assert "allows no more" not in text(pilot)


async def test_thinking_is_shown_as_a_state_and_never_as_text(settings: Settings) -> None:
    gate = Gate()
    thought = sse(delta(reasoning_content="The user wants…"), done=False)
    said = sse(delta("It leaves."), delta(finish="stop"))
    async with asked(settings, lambda: event_stream(thought, gate, said)) as (pilot, _, _service):
        await until_shown(pilot, "thinking")
        gate.opened.set()
        await until_shown(pilot, "done")
        assert "The user wants" not in text(pilot)


async def test_a_model_that_is_being_loaded_says_so(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_stream, "_SILENT_SECONDS", 0.05)
    gate = Gate()
    async with asked(settings, lambda: slow([], gate, ["It leaves."])) as (pilot, _, _service):
        await until_shown(pilot, "preparing")
        await until(pilot, lambda: "waiting for Fake at 127.0.0.1:" in text(pilot))
        await until(pilot, lambda: "(loading the model?) · 1 s · esc stops" in text(pilot))
        gate.opened.set()
        await until_shown(pilot, "done")
        assert "loading the model" not in text(pilot)


async def test_without_a_focus_the_explanation_comes_and_says_whose_the_focus_is(settings: Settings) -> None:
    async with asked(settings, lambda: stream("It leaves.")) as (pilot, server, _service):
        await until_shown(pilot, "done")
        server.on_chat = lambda request: stream("It goes.") if is_stream(request) else status(400, {"error": "no"})
        await pilot.press("r")
        await until_shown(pilot, "It goes.")
        await until_shown(pilot, "the focus is the lexicon's: Fake refuses the request (400)")


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
