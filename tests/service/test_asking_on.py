"""Asking on about an answer: what the model is told, what is kept below the first answer, and who can be asked."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from tests.llm.breaking_down import FOCUS, end_of, failure_of, listen, text_of
from tests.llm.fakes.fake_server import FakeModelServer, Gate, answer, cut, slow, stream
from tests.service.libraries import Opened, both_every_day
from tui.events import Failed, FocusReady, Token
from tui.records.answers import Answer, NewTemplate
from tui.records.settings import ProfileSettings
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest, FollowUpRequest

SENTENCE = "Hoffentlich fährt er überhaupt noch ab."
ASK = BreakdownRequest(SENTENCE, "fährt", model="work:m", language="de")


async def first_answer(service: Service, server: FakeModelServer) -> str:
    server.enqueue(answer(FOCUS), stream("It leaves."))
    answer_id = end_of(await listen(service.llm.breakdown(ASK))).answer_id
    assert answer_id is not None
    return answer_id


async def kept(service: Service) -> Answer:
    (only,) = (await service.history.page()).items
    return only


@both_every_day
async def test_a_model_is_told_what_was_said_and_its_answer_is_kept_below_the_first(
    asking: Service, server: FakeModelServer
) -> None:
    first = await first_answer(asking, server)
    prompt = (await kept(asking)).prompt
    server.enqueue(stream("*ab* is ", "separable."), stream("Yes."))
    events = await listen(asking.llm.ask_on(FollowUpRequest(first, " Why\n**ab**? ")))
    assert text_of(events) == "*ab* is separable."
    assert not any(isinstance(event, FocusReady) for event in events)
    second = end_of(events).answer_id
    assert second is not None
    await listen(asking.llm.ask_on(FollowUpRequest(second, "Always?")))
    messages = (server.chats[-1].body or {})["messages"]
    assert [each["role"] for each in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert [each["content"] for each in messages[1:]] == [
        *(prompt, "It leaves.", "Why\n**ab**?", "*ab* is separable.", "Always?")
    ]
    assert "Answer only the last question, in English" in messages[0]["content"]
    whole = await kept(asking)
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


async def test_what_was_asked_on_goes_and_comes_back_with_the_answer(asking: Service, server: FakeModelServer) -> None:
    first = await first_answer(asking, server)
    server.enqueue(stream("Because."))
    await listen(asking.llm.ask_on(FollowUpRequest(first, "Why?")))
    before = await kept(asking)
    assert (await asking.history.delete(first)).count == 1
    assert (await asking.history.page()).total == 0
    assert await asking.history.usage() == ()
    restored = await asking.undo()
    assert restored is not None
    assert restored.count == 1
    assert await kept(asking) == before
    assert (await asking.history.page()).total == 1


async def test_an_answer_that_breaks_off_is_kept_as_what_it_is_and_can_be_asked_for_again(
    asking: Service, server: FakeModelServer
) -> None:
    first = await first_answer(asking, server)
    server.enqueue(cut("Beca"), stream("Because."))
    events = await listen(asking.llm.ask_on(FollowUpRequest(first, "Why?")))
    assert any(isinstance(event, Failed) for event in events)
    await listen(asking.llm.ask_on(FollowUpRequest(first, "Why?")))
    messages = (server.chats[-1].body or {})["messages"]
    assert [each["content"] for each in messages[2:]] == ["It leaves.", "Why?"], "the half answer is not told"
    assert [each.state for each in (await kept(asking)).follow_ups] == ["failed", "complete"]


async def test_one_that_is_stopped_is_kept_as_far_as_it_came(asking: Service, server: FakeModelServer) -> None:
    first = await first_answer(asking, server)
    server.enqueue(slow(["word "], Gate()))
    async with aclosing(asking.llm.ask_on(FollowUpRequest(first, "Why?"))) as events:
        async for event in events:
            if isinstance(event, Token):
                break
    while not (follow_ups := (await kept(asking)).follow_ups) or not follow_ups[0].text:
        await asyncio.sleep(0.001)  # over a network it is told a moment after it was stopped
    (stopped,) = follow_ups
    assert (stopped.state, stopped.text[:4]) == ("aborted", "word")


async def test_the_lexicon_cannot_be_asked_on_but_a_model_can_about_what_it_said(
    asking: Service, server: FakeModelServer
) -> None:
    looked_up = BreakdownRequest(SENTENCE, "fährt", model="lexicon:concordance", language="de")
    first = end_of(await listen(asking.llm.breakdown(looked_up))).answer_id
    assert first is not None
    for model in ("", "lexicon:concordance"):
        events = await listen(asking.llm.ask_on(FollowUpRequest(first, "Why?", model)))
        (failed,) = (event for event in events if isinstance(event, Failed))
        assert failed.error.code == "unsupported"
        assert "choose a model in Template" in failed.error.hint
    await asking.template.save(NewTemplate("work:m", "{{ sentence }}", ""))
    server.enqueue(stream("Because."))
    events = await listen(asking.llm.ask_on(FollowUpRequest(first, "Why?")))
    assert (text_of(events), end_of(events).model) == ("Because.", "work:m")


@pytest.mark.parametrize(
    ("question", "code"), [("", "invalid_input"), (" \n\u200b", "invalid_input"), ("x" * 2_001, "invalid_input")]
)
async def test_what_is_no_question_is_refused(
    asking: Service, server: FakeModelServer, question: str, code: str
) -> None:
    first = await first_answer(asking, server)
    assert failure_of(await listen(asking.llm.ask_on(FollowUpRequest(first, question)))) == code
    assert (await kept(asking)).follow_ups == ()


async def test_there_must_be_an_answer_to_ask_on(asking_library: Opened, server: FakeModelServer) -> None:
    asking = asking_library.service
    assert failure_of(await listen(asking.llm.ask_on(FollowUpRequest("nowhere", "Why?")))) == "answer_not_found"
    first = await first_answer(asking, server)
    others = asking_library.other_profile
    assert failure_of(await listen(others.llm.ask_on(FollowUpRequest(first, "Why?")))) == "answer_not_found"


async def test_a_long_conversation_is_told_from_its_first_answer_and_its_last_ones(
    asking: Service, server: FakeModelServer
) -> None:
    first = await first_answer(asking, server)
    for number in range(12):
        server.enqueue(stream(f"{number} " + "x" * 9_000))
        await listen(asking.llm.ask_on(FollowUpRequest(first, f"Question {number}?")))
    messages = [each["content"] for each in (server.chats[-1].body or {})["messages"]]
    assert messages[2] == "It leaves."
    assert messages[-1] == "Question 11?"
    assert messages[-3] == "Question 10?"
    assert "Question 0?" not in messages
    assert sum(map(len, messages[3:])) < 30_000


async def test_it_is_answered_in_the_language_of_the_profile_as_it_is_now(
    asking: Service, server: FakeModelServer
) -> None:
    first = await first_answer(asking, server)
    await asking.settings.save(ProfileSettings("es"))
    server.enqueue(stream("Porque sí."))
    await listen(asking.llm.ask_on(FollowUpRequest(first, "Why?")))
    assert "Answer only the last question, in Spanish" in (server.chats[-1].body or {})["messages"][0]["content"]
