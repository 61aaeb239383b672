"""The history has every answer from the moment it is asked for, and below it what is asked on."""

import asyncio
import sqlite3
import subprocess
from contextlib import aclosing, closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.llm.breaking_down import end_of, failure_of, listen, text_of
from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, Request, answer, cut, is_stream, slow, stream
from tests.server_process import LODE
from tests.service.libraries import Opened, near_and_far
from tests.service.llm.asking import ASK, FOCUS, break_down, leave, newest
from tui.config import Settings
from tui.errors import InvalidInput, NotFound
from tui.events import BreakdownEvent, Failed, FocusReady, Token
from tui.records.answers import NewTemplate
from tui.records.settings import ProfileSettings
from tui.service import write_batcher
from tui.service.protocol import Service
from tui.service.requests import ExplainRequest, FollowUpRequest
from tui.store import Store


async def test_the_history_has_it_before_a_model(asking: Service, server: FakeModelServer, settings: Settings) -> None:
    found: set[tuple[str, str]] = set()

    def look(request: Request) -> Reply:
        with closing(sqlite3.connect(settings.home / "lode.db")) as database:
            found.update(database.execute("SELECT kind, state FROM answers ORDER BY rowid DESC LIMIT 1"))
        return stream("Hallo") if is_stream(request) else answer(FOCUS)

    server.on_chat = look
    await listen(asking.llm.breakdown(ASK))
    await listen(asking.llm.explain(ExplainRequest(ASK.sentence, model=ASK.model)))
    assert found == {("breakdown", "aborted"), ("explanation", "aborted")}  # which it is until it has ended otherwise


@pytest.mark.exhaustive
async def test_a_command_killed_while_it_asks_leaves_its_row(server: FakeModelServer, home: Path) -> None:
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


async def test_counts_that_a_provider_does_not_give_stay_unknown(asking: Service, server: FakeModelServer) -> None:
    server.on_chat = lambda request: stream("ab", tokens=None) if is_stream(request) else answer("no JSON")
    await listen(asking.llm.breakdown(ASK))
    kept = await newest(asking)
    assert (kept.state, kept.input_tokens, kept.output_tokens) == ("complete", None, None)
    (usage,) = await asking.history.usage()
    assert (usage.answers, usage.uncounted) == (1, 1)


async def test_a_deleted_answer_still_comes(
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


async def test_what_is_deleted_is_asked_anew_and_one_undo_restores_it(asking: Service, server: FakeModelServer) -> None:
    await break_down(asking, server, stream("first"))
    kept = await newest(asking)
    assert (await asking.history.delete(kept.id[:5])).count == 1
    with pytest.raises(NotFound):
        await asking.history.get(kept.id)
    again = await break_down(asking, server, stream("asked anew"))
    assert (text_of(again), end_of(again).kept) == ("asked anew", False)
    restored = await asking.undo()
    assert restored is not None
    assert (restored.kind, restored.count) == ("answer", 1)
    assert await asking.history.get(kept.id) == kept
    await break_down(asking, server, stream("other"), replace(ASK, source="other"))
    assert (await asking.history.delete(*(each.id for each in (await asking.history.page()).items))).count == 3
    restored = await asking.undo()
    assert restored is not None and restored.count == 3


async def test_what_is_no_month_is_refused(asking: Service) -> None:
    for month in ("2026", "2026-13", "2026-1", "november", "2026-11-01", "２０２６-11"):
        with pytest.raises(InvalidInput) as caught:
            await asking.history.usage(month=month)
        assert caught.value.code == "invalid_month"
    assert await asking.history.usage(month="2026-11") == ()


async def first_answer(service: Service, server: FakeModelServer) -> str:
    return end_of(await break_down(service, server, stream("It leaves."))).answer_id or ""


async def ask_on(service: Service, answer_id: str, question: str = "Why?", model: str = "") -> list[BreakdownEvent]:
    return await listen(service.llm.ask_on(FollowUpRequest(answer_id, question, model)))


def messages(server: FakeModelServer) -> list[str]:
    """The contents of the messages that the model got last."""
    return [each["content"] for each in server.chats[-1].body["messages"]]


@near_and_far
async def test_a_model_is_told_what_was_said_and_kept_below_the_first(asking: Service, server: FakeModelServer) -> None:
    first = await first_answer(asking, server)
    prompt = (await newest(asking)).prompt
    server.enqueue(stream("*ab* is ", "separable."), stream("Yes."))
    events = await ask_on(asking, first, " Why\n**ab**? ")
    assert text_of(events) == "*ab* is separable."
    assert not any(isinstance(event, FocusReady) for event in events)
    second = end_of(events).answer_id or ""
    await ask_on(asking, second, "Always?")
    sides = [each["role"] for each in server.chats[-1].body["messages"]]
    assert sides == ["system", "user", "assistant", "user", "assistant", "user"]
    task, *said = messages(server)
    assert said == [prompt, "It leaves.", "Why\n**ab**?", "*ab* is separable.", "Always?"]
    assert "Answer only the last question, in English" in task
    (whole,) = (await asking.history.page()).items
    assert (whole.id, whole.text) == (first, "It leaves.")
    assert [(each.question, each.text, each.state) for each in whole.follow_ups] == [
        ("Why\n**ab**?", "*ab* is separable.", "complete"),
        ("Always?", "Yes.", "complete"),
    ]
    alone = await asking.history.get(second)
    assert (alone.follows, alone.prompt, alone.follow_ups) == (first, "Why\n**ab**?", ())
    assert end_of(await listen(asking.llm.breakdown(ASK))).answer_id == first, "the question itself is still known"
    (usage,) = await asking.history.usage()
    assert usage.answers == 3

    await asking.settings.save(ProfileSettings("es"))
    server.enqueue(stream("Porque sí."))
    await ask_on(asking, first)
    assert "Answer only the last question, in Spanish" in messages(server)[0]


async def test_what_was_asked_on_goes_and_comes_back_with_the_answer(asking: Service, server: FakeModelServer) -> None:
    first = await first_answer(asking, server)
    server.enqueue(stream("Because."))
    await ask_on(asking, first)
    before = await asking.history.page()
    assert (await asking.history.delete(first)).count == 1
    assert (await asking.history.page()).total == 0
    assert await asking.history.usage() == ()
    restored = await asking.undo()
    assert restored is not None and restored.count == 1
    assert await asking.history.page() == before


async def test_what_breaks_off_is_kept_as_what_it_is_and_asked_again(asking: Service, server: FakeModelServer) -> None:
    first = await first_answer(asking, server)
    server.enqueue(cut("Beca"), stream("Because."), slow(["word "], Gate()))
    assert any(isinstance(event, Failed) for event in await ask_on(asking, first))
    await ask_on(asking, first)
    assert messages(server)[2:] == ["It leaves.", "Why?"], "the half answer is not told"
    await leave(asking.llm.ask_on(FollowUpRequest(first, "Always?")))
    while not (follow_ups := (await newest(asking)).follow_ups)[-1].text:
        await asyncio.sleep(0.001)
    assert [(each.state, each.text.strip()) for each in follow_ups] == [
        *(("failed", "Beca"), ("complete", "Because."), ("aborted", "word"))
    ]


async def test_a_model_is_asked_on_about_what_the_lexicon_said(asking: Service, server: FakeModelServer) -> None:
    looked_up = replace(ASK, model="lexicon:concordance")
    first = end_of(await listen(asking.llm.breakdown(looked_up))).answer_id or ""
    for model in ("", "lexicon:concordance"):
        (failed,) = (event for event in await ask_on(asking, first, model=model) if isinstance(event, Failed))
        assert failed.error.code == "unsupported"
        assert "choose a model in Template" in failed.error.hint
    await asking.template.save(NewTemplate("work:m", "{{ sentence }}", ""))
    server.enqueue(stream("Because."))
    events = await ask_on(asking, first)
    assert (text_of(events), end_of(events).model) == ("Because.", "work:m")


async def test_there_must_be_a_question_and_an_own_answer(asking_library: Opened, server: FakeModelServer) -> None:
    asking = asking_library.service
    assert failure_of(await ask_on(asking, "nowhere")) == "answer_not_found"
    first = await first_answer(asking, server)
    assert failure_of(await ask_on(asking_library.other_profile, first)) == "answer_not_found"
    for question in ("", " \n\u200b", "x" * 2_001):
        assert failure_of(await ask_on(asking, first, question)) == "invalid_input"
    assert (await newest(asking)).follow_ups == ()


async def test_a_long_conversation_is_told_from_both_its_ends(asking: Service, server: FakeModelServer) -> None:
    first = await first_answer(asking, server)
    for number in range(12):
        server.enqueue(stream(f"{number} " + "x" * 9_000))
        await ask_on(asking, first, f"Question {number}?")
    said = messages(server)
    assert said[2] == "It leaves."
    assert said[-1] == "Question 11?"
    assert said[-3] == "Question 10?"
    assert "Question 0?" not in said
    assert sum(map(len, said[3:])) < 30_000
