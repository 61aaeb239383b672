"""The history keeps every answer with what it took: whole, broken, stopped, and deleted while it still comes."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
from contextlib import aclosing, closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.llm.breaking_down import end_of, listen, text_of
from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, Request, answer, cut, is_stream, slow, stream
from tests.server_process import LODE
from tests.service.test_llm import ASK, FOCUS, told
from tui.config import Settings
from tui.errors import InvalidInput, NotFound
from tui.events import Token
from tui.records.answers import Answer
from tui.service import write_batcher
from tui.service.protocol import Service
from tui.service.requests import ExplainRequest
from tui.store import Store


async def newest(service: Service) -> Answer:
    return (await service.history.page(limit=1)).items[0]


@pytest.mark.parametrize("kind", ["breakdown", "explanation"])
async def test_an_answer_is_in_the_history_before_the_model_is_asked(
    asking: Service, server: FakeModelServer, settings: Settings, kind: str
) -> None:
    found: list[tuple[str, str]] = []

    def look(request: Request) -> Reply:
        with closing(sqlite3.connect(settings.home / "lode.db")) as database:
            found.extend(database.execute("SELECT kind, state FROM answers").fetchall())
        return stream("Hallo") if is_stream(request) else answer(FOCUS)

    server.on_chat = look
    if kind == "breakdown":
        await listen(asking.llm.breakdown(ASK))
    else:
        await listen(asking.llm.explain(ExplainRequest(ASK.sentence, model=ASK.model)))
    assert found and set(found) == {(kind, "aborted")}  # which it is until it has ended otherwise


@pytest.mark.exhaustive
async def test_a_command_that_is_killed_when_its_request_reaches_the_model_leaves_its_row(
    server: FakeModelServer, home: Path
) -> None:
    (home / "config.toml").write_text(f'[providers.work]\nbase_url = "{server.base_url}"\n', "utf-8")
    gate = Gate()
    server.enqueue(Reply((), before_head=gate))
    process = await asyncio.create_subprocess_exec(
        *(LODE, "--home", str(home), "explain", "Der Zug fährt.", "--model", "work:fake-large"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    await gate.reached.wait()
    process.kill()
    await process.wait()
    with closing(Store.open(home)) as store:
        (kept,) = store.answers.page("default").items
    assert (kept.sentence, kept.state, kept.text) == ("Der Zug fährt.", "aborted", "")


async def test_a_whole_answer_has_both_requests_tokens_and_its_times(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS, tokens=(9, 3)), stream("ab", tokens=(7, 5)))
    await listen(asking.llm.breakdown(ASK))
    kept = await newest(asking)
    assert (kept.state, kept.input_tokens, kept.output_tokens) == ("complete", 16, 8)
    assert kept.first_token_ms is not None
    assert 0 <= kept.first_token_ms <= kept.duration_ms


async def test_counts_that_a_provider_does_not_give_stay_unknown(asking: Service, server: FakeModelServer) -> None:
    server.on_chat = lambda request: stream("ab", tokens=None) if is_stream(request) else answer("no JSON")
    await listen(asking.llm.breakdown(ASK))
    kept = await newest(asking)
    assert (kept.state, kept.input_tokens, kept.output_tokens) == ("complete", None, None)
    (usage,) = await asking.history.usage()
    assert (usage.answers, usage.uncounted) == (1, 1)


async def test_a_broken_answer_keeps_what_is_known_of_its_cost(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS, tokens=(9, 3)), cut("half"))
    await listen(asking.llm.breakdown(ASK))
    kept = await newest(asking)
    assert (kept.state, kept.text, kept.input_tokens, kept.output_tokens) == ("failed", "half", 9, 3)
    assert kept.error
    assert kept.first_token_ms is not None
    (usage,) = await asking.history.usage()
    assert (usage.uncounted, usage.input_tokens) == (1, 9)


async def test_a_stopped_answer_keeps_what_is_known_of_its_cost(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS, tokens=(9, 3)), slow(["half"], Gate()))
    async with aclosing(asking.llm.breakdown(ASK)) as events:
        async for event in events:
            if isinstance(event, Token):
                break
    kept = await told(asking)
    assert (kept.state, kept.text, kept.input_tokens, kept.output_tokens) == ("aborted", "half", 9, 3)
    assert kept.first_token_ms is not None
    assert kept.duration_ms >= kept.first_token_ms


async def test_an_answer_that_never_came_has_no_first_text(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS), cut())
    server.on_chat = lambda request: cut()
    await listen(asking.llm.breakdown(ASK))
    kept = await newest(asking)
    assert (kept.state, kept.text, kept.first_token_ms) == ("failed", "", None)


async def test_an_answer_that_is_deleted_while_it_comes_still_comes(
    asking: Service, server: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_batcher, "_PROGRESS_SECONDS", 0.0)
    gate = Gate()
    server.enqueue(answer(FOCUS), slow(["one"], gate, [" two", " three"]))
    events = []
    async with aclosing(asking.llm.breakdown(ASK)) as stream_of_events:
        async for event in stream_of_events:
            events.append(event)
            if isinstance(event, Token) and not gate.opened.is_set():
                await asking.history.delete((await newest(asking)).id)
                gate.opened.set()
    assert text_of(events) == "one two three"
    assert end_of(events).state == "complete"
    assert (await asking.history.page()).total == 0


async def test_deleting_and_undoing(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS), stream("first"))
    await listen(asking.llm.breakdown(ASK))
    kept = await newest(asking)
    assert (await asking.history.delete(kept.id[:5])).count == 1
    with pytest.raises(NotFound):
        await asking.history.get(kept.id)
    server.enqueue(answer(FOCUS), stream("asked anew"))
    again = await listen(asking.llm.breakdown(ASK))
    assert (text_of(again), end_of(again).kept) == ("asked anew", False)
    restored = await asking.undo()
    assert restored is not None
    assert (restored.kind, restored.count) == ("answer", 1)
    assert await asking.history.get(kept.id) == kept


async def test_what_is_no_month_is_refused(asking: Service) -> None:
    for month in ("2026", "2026-13", "2026-1", "november", "2026-11-01", "２０２６-11"):
        with pytest.raises(InvalidInput) as caught:
            await asking.history.usage(month=month)
        assert caught.value.code == "invalid_month"
    assert await asking.history.usage(month="2026-11") == ()


async def test_deleting_many_at_once_is_one_undo(asking: Service) -> None:
    await asyncio.gather(*(listen(asking.llm.breakdown(replace(ASK, source=str(number)))) for number in range(3)))
    ids = [kept.id for kept in (await asking.history.page()).items]
    assert (await asking.history.delete(*ids)).count == 3
    restored = await asking.undo()
    assert restored is not None
    assert restored.count == 3
